"""A deed: one whole sentence in which an answer reports what was done, or how things are since."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seci.distillers.sentences import count_words

DONE = "The change "  # how a report of a change begins

_CHANGE = re.compile(rf"{DONE}(?!from |to |in |of |is |was )")
_PROPOSED = re.compile(r"The (?:\w+ )?(?:fix|change|patch|solution) is to\b")
_BESIDE = re.compile(
    r"\bTest[A-Z]\w+|_test\b|\.md\b|\b(?:test|comment|import|lint|linter|linting|nolint|doc|docs|plan|todo|todos|"
    r"README|formatting|typo)s?\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r" (?:to|in|into|for|from|with|at|that|which|so|by|on|when|after|before) ")


@dataclass(frozen=True, slots=True)
class Deed:
    """One report. `beside` marks what only follows a change (tests, comments, documents), `leans` one that points at
    what was said before it."""

    text: str
    turn: int
    beside: bool = False
    leans: bool = False

    @property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def proposed(self) -> bool:
        """Whether it says what the fix is rather than that it was made."""
        return bool(_PROPOSED.match(self.text))

    @property
    def is_change(self) -> bool:
        """Whether it says what was done rather than how things are since."""
        return bool(_CHANGE.match(self.text))


def is_beside(text: str) -> bool:
    """Whether a sentence is about tests, comments or documents: they stand before its first preposition."""
    return bool(_BESIDE.search(_PREPOSITION.split(text.removeprefix(DONE), maxsplit=1)[0]))


def beside_words(text: str) -> frozenset[str]:
    """The words by which a text is about tests, comments or documents."""
    return frozenset(word.lower().rstrip("s") for word in re.findall(r"[^\W\d_]+", text) if _BESIDE.fullmatch(word))

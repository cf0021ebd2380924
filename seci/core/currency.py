"""A turn that tells of a change, above the older turn that it changes.

Somebody who asks how many days a project takes means as of now. The turn that said it first often answers the question
in more of its own words than the one that later says "actually, it is 45 days now", and stands above it. Where a
user's turn says that something has changed, it is lifted directly above the older hits that speak of the same.
English cues only; a question about the past, or about the change itself, is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from seci.core.lexicon import lexicon, words
from seci.core.roots import root

LEAST_ALIKE = 0.5  # cosine of two turns that may speak of the same
LEAST_SCORE = 0.75  # share of the older hit's score that the newer must reach by itself
LOOKED_AT = 6  # hits: lifting what stands further down costs more right answers than it puts right
_REACH = 4_000  # characters of a turn that are read

_CHANGES = frozenset(
    words(
        """actually anymore instead now moved switched changed update updated revised rescheduled postponed extended
        increased decreased reduced raised lowered improved upgraded replaced dropped grew expanded adjusted shifted
        pushed bumped corrected"""
    )
)
# Asked about what was, how it came to be so, how something works or what to do: none of these is how it is now.
_OTHERWISE = re.compile(
    r"\b(?:at first|initial(?:ly)?|original(?:ly)?|previous(?:ly)?|used to|earlier|history|evol\w+|over time|order"
    r"|sequence|chronolog\w*|how (?:did|has|have)|summar\w*|timeline|progress\w*|throughout|across|walk me"
    r"|why|did|was|were|had|could(?:n['’]t)?|in which cases|make sure|how (?:do|does|can|should)"
    r"|what (?:can|should|could) (?:i|we))\b|^\s*if\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z'-]{2,}")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a hit says. `changes` says that a user tells of a change in it; `at` is when, in seconds and by turn, nan
    where it is not known; `score` is the hit's own."""

    text: str
    changes: bool
    at: tuple[float, int]
    score: float


def asks_for_now(question: str) -> bool:
    """Whether a question asks how something is, and not how it was, how it works or what to do."""
    return _OTHERWISE.search(question) is None


def states_change(text: str) -> bool:
    """Whether a text has a word that tells of a change."""
    said = text[:_REACH].lower()
    return not _CHANGES.isdisjoint(_WORD.findall(said)) or "no longer" in said


def lift_changes(question: str, statements: Sequence[Statement], alike: Callable[[int, int], float]) -> dict[int, int]:
    """Number of each statement that is lifted, to the one that it goes directly above. `statements` are in order, the
    best first; `alike` gives the cosine of two of them."""
    if not asks_for_now(question):
        return {}
    roots = cache(lambda place: _roots(question if place < 0 else statements[place].text))
    lifted: dict[int, int] = {}
    for number, newer in enumerate(statements[:LOOKED_AT]):
        if number == 0 or not newer.changes:
            continue
        for above, older in enumerate(statements[:number]):
            if (
                older.at < newer.at
                and newer.score >= LEAST_SCORE * older.score
                and alike(number, above) >= LEAST_ALIKE
                and roots(-1) & roots(number) & roots(above)
            ):
                lifted[number] = above
                break
    return lifted


def _roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in set(_WORD.findall(text[:_REACH].lower())) - _empty_words())


@cache
def _empty_words() -> frozenset[str]:
    known = lexicon("en")
    return known.function | known.light | known.generic

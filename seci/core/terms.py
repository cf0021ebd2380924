"""Terms: the words and hard facts of a text in canonical form, and what is counted about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from seci.core.phrases import Mark


class Kind(IntEnum):
    """What a term is. From NAME on it is a hard fact: two notes that differ in one never merge."""

    GENERIC = 0  # whose memory it is: user, team, project
    LIGHT = 1  # carries little of the meaning
    WORD = 2
    NAME = 3
    CODE = 4  # identifier, path, address, flag, command
    NUMBER = 5
    DATE = 6
    TIME = 7
    WEEKDAY = 8


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a fact. `key` is equal for equal meaning; `at` is its place among all tokens of the text."""

    key: str
    kind: Kind
    surface: str
    at: int
    negated: bool = False
    old: bool = False  # named as what was before, or as what was not chosen
    aside: bool = False  # within a reason or a purpose
    title: bool = False  # stands in the title only
    predicate: bool = False  # follows the first verb of its sentence
    link: str = ""  # the preposition in front
    bound: Mark | None = None  # UPPER or LOWER for a quantity
    lack: bool = False  # negative by meaning: forbidden, missing, disabled
    topic: bool = False  # a denial follows in its clause
    acts: bool = False  # begins its sentence, with the verb right behind: "Mira was", a name unless it is a substance


_WEIGHT = {Kind.GENERIC: 0.2, Kind.LIGHT: 0.3, Kind.WORD: 1.0}
_FACT = 1.5  # a name, a number, a piece of code
_IN_TITLE, _ASIDE = 0.4, 0.5  # a topic and a reason may be worded freely


def term_weight(term: Term) -> float:
    """How much of what a note says stands in a term."""
    weight = _WEIGHT.get(term.kind, _FACT)
    if term.title:
        return weight * _IN_TITLE
    return weight * _ASIDE if term.aside else weight


def telling(terms: Iterable[Term]) -> list[Term]:
    """The terms that carry meaning and do not stand in the title alone."""
    return [term for term in terms if term.kind > Kind.LIGHT and not term.title]


SHORTEST_PART = 4  # letters of a word that may be part of a compound


def _joined(word: str, parts: Sequence[str]) -> bool:
    starts = [part for part in parts if word.startswith(part.removesuffix("s")) and part != word]
    ends = [part for part in parts if word.endswith(part.removesuffix("s")) and part != word]
    return any(0 <= len(word) - len(x.removesuffix("s")) - len(y) <= 1 for x in starts for y in ends)


@dataclass(frozen=True, slots=True)
class Wording:
    """A text, read. `marks` counts what was signalled, in the body only where a body has words."""

    terms: tuple[Term, ...]
    marks: frozenset[Mark]
    negations: int  # plain ones: not, never, without
    lacks: int  # words that are negative by meaning
    lacks_aside: int  # the same within a reason or a purpose
    rejections: int  # "instead of", "rather than"
    news: bool  # the title tells of a change: "Faster builds", "Deadline moved"
    identity: bool  # the form "X is the Y": both sides name the same thing
    language: str
    distinct: Mapping[str, Term]  # one term for each key: that of the body before that of the title
    weight: float  # of all distinct terms
    words: tuple[str, ...]  # all of them in lower case, in order
    title_links: Mapping[str, str]  # the preposition in front of a term of the title: "invoices from Acme"
    plain: str  # the body without case, punctuation and spacing, signs as words: equal for equal words
    run_together: frozenset[str]  # each two words that follow each other, written as one

    def writes_apart(self, word: str) -> bool:
        """Whether two words that follow each other make this one: `code base`."""
        return word in self.run_together

    def compounds(self, word: str) -> bool:
        """Whether a long word is made of two words of this text, or is part of one that is: `Monatsende`, `Ende des
        Monats`."""
        if self.language == "en" or len(word) < SHORTEST_PART:
            return False
        parts = [own for own in self.words if len(own) >= SHORTEST_PART]
        return _joined(word, parts)

    def spells_out(self, letters: str) -> bool:
        """Whether words that follow each other begin with these letters: `single sign-on` for `sso`."""
        return letters in "".join(word[0] for word in self.words)

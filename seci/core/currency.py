"""What tells how things are now, above the older statement that it outdates.

Somebody who asks how many days a project takes means as of now. The turn that said it first often answers the question
in more of its own words than the one that later says "actually, it is 45 days now", and stands above it. It is lifted
directly above the older hits that speak of the same: a user's turn that says that something has changed, and what a
user said, or a note tells, with another figure for what is asked. English only; a question about the past, or about the
change itself, is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

from seci.core.figures import REACH, asks_for_figure, figures_differ, significant_roots
from seci.core.lexicon import words

LEAST_ALIKE = 0.5  # cosine of two turns that may speak of the same
LEAST_SCORE = 0.75  # share of the older hit's score that the newer must reach by itself
LOOKED_AT = 6  # hits: lifting what stands further down costs more right answers than it puts right
# The same for another figure of what is asked, which says by itself that both speak of one thing.
FIGURE_ALIKE, FIGURE_SCORE, FIGURE_LOOKED_AT = 0.3, 0.5, 10

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
    """What a hit says. `changes` says that a user tells of a change in it, `told` that a user said it or a note tells
    it; `at` is when, in seconds and by turn, nan where it is not known; `score` is the hit's own."""

    text: str
    changes: bool
    told: bool
    at: tuple[float, int]
    score: float


def asks_for_now(question: str) -> bool:
    """Whether a question asks how something is, and not how it was, how it works or what to do."""
    return _OTHERWISE.search(question) is None


def states_change(text: str) -> bool:
    """Whether a text has a word that tells of a change."""
    said = text[:REACH].lower()
    return not _CHANGES.isdisjoint(_WORD.findall(said)) or "no longer" in said


def find_lifts(
    question: str, statements: Sequence[Statement], alike: Callable[[int, int], float]
) -> list[tuple[int, int]]:
    """(number of a statement, number of the one that it goes directly above), to be done one after the other.
    `statements` are in order, the best first; `alike` gives the cosine of two of them.

    From the oldest to the newest, so that of three the newest comes to stand first.
    """
    now, figure = asks_for_now(question), asks_for_figure(question)
    order = list(range(min(len(statements), FIGURE_LOOKED_AT)))
    lifts: list[tuple[int, int]] = []
    dated = (number for number in order if not isnan(statements[number].at[0]))
    for number in sorted(dated, key=lambda number: statements[number].at):
        newer = statements[number]
        tells = figure and newer.told
        changes = now and newer.changes and number < LOOKED_AT
        for above in order[: order.index(number)] if tells or changes else ():
            older = statements[above]
            if not older.at < newer.at:
                continue
            if (changes and _changes(question, newer, older) and alike(number, above) >= LEAST_ALIKE) or (
                tells and _tells_otherwise(question, newer, older) and alike(number, above) >= FIGURE_ALIKE
            ):
                order.remove(number)
                order.insert(order.index(above), number)
                lifts.append((number, above))
                break
    return lifts


def _changes(question: str, newer: Statement, older: Statement) -> bool:
    if newer.score < LEAST_SCORE * older.score:
        return False
    return bool(significant_roots(question) & significant_roots(newer.text) & significant_roots(older.text))


def _tells_otherwise(question: str, newer: Statement, older: Statement) -> bool:
    return older.told and newer.score >= FIGURE_SCORE * older.score and figures_differ(question, newer.text, older.text)

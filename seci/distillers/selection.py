"""Which candidates become notes: the best, no two that say the same, and few on one answer."""

from __future__ import annotations

from collections.abc import Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.candidate import Candidate
from seci.distillers.salience import NAMED

MAX_OVERLAP = 0.57  # of the content words of the shorter of two notes
NAMED_OVERLAP = 0.45  # the same for two notes that name the same things: MOST_NAMES of the NAMES and more of one
ALL_NAMED_OVERLAP = 0.36  # the same where one note names nothing that the other does not
MOST_NAMES = 0.6
NAMES = 2
MOST_OF_DECISION = 0.8  # the same for what the user wants, which is worth telling beside what it was said to
FURTHER = 1.0  # points that each further note on one turn must be worth more


def select_candidates(candidates: Sequence[Candidate], limit: int, least: float) -> list[Candidate]:
    """The best candidates in session order; of two about the same thing the better one stays.

    Each further one on the same turn must be worth more than the one before: a long answer is not many notes."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: (-c.score, c.order)):
        if candidate.score < least or len(kept) >= limit or not candidate.substantive:
            continue
        asked_only = candidate.asked is not None and not candidate.units
        alike = [other for other in kept if other.commands or not candidate.commands]  # few words, all used elsewhere
        if any(says_the_same(candidate, other) for other in alike):
            continue
        if not asked_only and candidate.score < least + FURTHER * _beside(candidate, kept):
            continue
        kept.append(candidate)
    return sorted(kept, key=lambda c: c.order)


def says_the_same(candidate: Candidate, other: Candidate) -> bool:
    """Whether most words of one are in the other, or nearly half of them and most of the names."""
    shared = overlap(stems_of(candidate), stems_of(other))
    if candidate.decisive or (candidate.asked is not None and not candidate.units):
        return shared > MOST_OF_DECISION
    mine, theirs = names_of(candidate), names_of(other)
    named = overlap(mine, theirs) if min(len(mine), len(theirs)) >= NAMES else 0.0
    return shared > (ALL_NAMED_OVERLAP if named == 1.0 else NAMED_OVERLAP if named >= MOST_NAMES else MAX_OVERLAP)


def names_of(candidate: Candidate) -> frozenset[str]:
    """The things that a candidate names."""
    return frozenset(name.strip("`").removesuffix("()") for name in NAMED.findall(candidate.body))


def _beside(candidate: Candidate, kept: Sequence[Candidate]) -> int:
    """How many of `kept` rest on a turn of the candidate's, commands and the user's own words aside."""
    told = [other for other in kept if other.units and not other.commands]
    return 0 if candidate.commands else sum(bool(set(other.turns) & set(candidate.turns)) for other in told)


def stems_of(candidate: Candidate) -> frozenset[str]:
    """What a candidate says in words; the question that it only stands below says nothing of it."""
    told = " ".join(scored.unit.text for scored in candidate.units) if candidate.led else candidate.body
    return stems(content_words(f"{candidate.subject} {told}"))

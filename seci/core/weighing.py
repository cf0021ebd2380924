"""What no rule decides about two notes is weighed: by the odds of their traits, and by who has read both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from seci.core.odds import MERGED, REPLACED, blend, known_odds
from seci.core.opinion import Opinion
from seci.core.phrases import Mark
from seci.core.replacing import Comparison, Found
from seci.core.sameness import body_terms
from seci.core.terms import Kind
from seci.core.verdict import Relation

LIKELY_SAME = 0.84  # probability from which on two notes are one, and from which on the newer replaces the older
READ_SAME = 0.9  # the same where somebody has read both
LIKELY_REPLACED = 0.76
SURELY_REPLACED = 0.88  # where neither a rule nor a sign of change tells it
LEAST_SIMILAR = 0.35  # cosine below which nothing is one, whatever facts they share
SMALL_COVERED, READ_COVERED = 0.35, 0.2  # the same of two notes that are to be one
LONG = 10  # terms from which on both notes say more than those that the odds were fitted on
LARGE = 10  # terms of the larger of two notes from which on more is asked: what the other leaves out would be lost
LARGE_SIMILAR, LARGE_COVERED = 0.75, 0.5
SAME_TERMS = 0.6  # cosine from which on two notes that have all their terms in common are one
UNLIKELY_REPLACED = 0.3  # below this not even a contradiction, whatever the rules find
WORTH_SAME, WORTH_REPLACED = 0.3, 0.1  # probability by the odds below which reading both changes next to nothing
SURELY_READ = 0.9  # probability by who has read both from which on no more is asked of large notes than of others
LARGEST_READ, LEAST_OF_SIZE, SURELY_SIMILAR = 16, 0.6, 0.5  # if they are no larger, of a size, and alike
NO_OBJECTION = 0.5  # probability by who has read both that larger ones need: pairs of such it has not been trained on
LEAST_READ = 0.2  # probability by who has read both below which not even equal terms make two notes one
FAR = "too little in common"


@dataclass(frozen=True)
class Reading:
    """A pair of notes set side by side: what forbids merging them, what the rules find, and its traits."""

    compared: Comparison
    difference: str | None
    found: Found | None
    traits: Mapping[str, float]

    def is_open(self, relation: str) -> bool:
        """Whether the odds of `MERGED` or `REPLACED` have a say: no hard fact forbids it, the dates tell an order."""
        return self.difference is None if relation == MERGED else self.compared.ordered

    @cached_property
    def same(self) -> float:
        """How likely the odds find it that the two notes are one."""
        return known_odds(MERGED).probability(self.traits)

    @cached_property
    def replaced(self) -> float:
        """How likely the odds find it that the newer replaces the older."""
        return known_odds(REPLACED).probability(self.traits)


def is_worth_reading(reading: Reading, similarity: float) -> bool:
    """Whether somebody who reads both notes may well find another relation than rules and odds do."""
    alike = similarity >= LEAST_SIMILAR and reading.traits["covered_low"] >= READ_COVERED
    if reading.is_open(MERGED) and alike and reading.same >= WORTH_SAME:
        return True
    return reading.is_open(REPLACED) and reading.replaced >= WORTH_REPLACED


def weigh(reading: Reading, similarity: float, opinion: Opinion | None) -> tuple[Relation, str]:
    """The relation and its rule. `similarity` is the cosine of the embeddings."""
    compared, difference, found = reading.compared, reading.difference, reading.found
    replaces = found is not None and found[0]
    if difference is None and not replaces and _says_the_same(reading, similarity, opinion):
        return Relation.MERGE, "same meaning"
    if compared.ordered:
        likely = reading.replaced if opinion is None else blend(reading.replaced, opinion.supersede)
        news = compared.told and not reading.traits["subject_only"]  # "Alice moved" says nothing of what she likes
        open_to = replaces or not _is_long(reading)
        if open_to and likely >= (LIKELY_REPLACED if replaces or news else SURELY_REPLACED):
            return Relation.SUPERSEDE, found[1] if found and replaces else "tells it otherwise"
        if found and (likely >= UNLIKELY_REPLACED or not replaces):
            return Relation.CONTRADICTION, found[1]
    elif found:  # no time tells which came first: a word of change may, "in A, not in B" does not
        changed = bool(compared.cues - {Mark.INSTEAD}) or compared.newer.news
        return (Relation.SUPERSEDE if replaces and changed else Relation.CONTRADICTION), found[1]
    return Relation.KEEP, difference or FAR


def _is_long(reading: Reading) -> bool:
    """Whether both notes say more than those that the odds were fitted on: much of it may differ unseen."""
    return min(len(reading.compared.older.distinct), len(reading.compared.newer.distinct)) > LONG


def _says_the_same(reading: Reading, similarity: float, opinion: Opinion | None) -> bool:
    """Likely to be one fact, or worded alike to the last term that says something."""
    traits = reading.traits
    compared = reading.compared
    small, large = sorted((len(compared.older.distinct), len(compared.newer.distinct)))
    says_more = large > LARGE
    similar, covered = (LARGE_SIMILAR, LARGE_COVERED) if says_more else (LEAST_SIMILAR, SMALL_COVERED)
    of_a_size = large <= LARGEST_READ and small >= LEAST_OF_SIZE * large
    if opinion is not None and opinion.merge >= SURELY_READ and of_a_size:
        similar, covered, says_more = SURELY_SIMILAR, READ_COVERED, False
    if similarity < similar or traits["covered_low"] < covered:
        return False
    if opinion is None:
        if reading.same >= LIKELY_SAME:
            return True
    elif says_more:
        return reading.same >= LIKELY_SAME and opinion.merge >= NO_OBJECTION
    elif blend(reading.same, opinion.merge) >= READ_SAME:
        return True
    elif opinion.merge < LEAST_READ:
        return False
    if traits["marks"] or traits["lacks"] or similarity < SAME_TERMS:
        return False
    pairs = reading.compared.agreement.pairs
    wordings = (reading.compared.older, {x.key for x, _ in pairs}), (reading.compared.newer, {y.key for _, y in pairs})
    return all(t.key in known for wording, known in wordings for t in body_terms(wording) if t.kind > Kind.LIGHT)

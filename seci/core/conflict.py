"""Whether two notes say the same, the one replaces the other, they contradict, or speak of different things.

The rules go by form: what differs once every term of one note has been paired with a term of the other, where in the
sentence the difference stands, and which signs of change the newer note carries. A differing number, date, name,
identifier or denial forbids a merge for good; what nothing forbids is weighed (`odds`). Each verdict names its rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import product

from seci.core.agreement import Agreement, align
from seci.core.apart import are_kept_apart
from seci.core.language import detect_language
from seci.core.note import Note, Tier
from seci.core.odds import MERGED, REPLACED, known_odds
from seci.core.phrases import Mark
from seci.core.replacing import NARRATIVE, STORY, Comparison, Found, find_new_value, find_replacement
from seci.core.sameness import body_terms, find_difference, titles_part
from seci.core.terms import Kind, Wording, term_weight
from seci.core.traits import gather_traits
from seci.core.wording import DEFAULT, parse_wording

RELATED = 0.3  # cosine below which two notes speak of different things
RELATED_SUBJECT = 0.25  # the same where both begin alike, or the newer names an old value, and it tells of a change
LEADS = 2  # sentences of a newer note that may tell of a change to what the older says first
LEAD_SHARED = 1.5  # weight of content that two such sentences share besides whom they speak of
LEAD_GAP = timedelta(hours=12)  # notes of one day tell of one piece of work
LEAST_CLAUSE = 2  # terms of a clause that says enough to be replaced
LIKELY_SAME = 0.84  # probability from which on two notes are one, and from which on the newer replaces the older
LIKELY_REPLACED = 0.76
SURELY_REPLACED = 0.88  # where neither a rule nor a sign of change tells it
LEAST_SIMILAR = 0.35  # cosine below which nothing is one, whatever facts they share
LEAST_COVERED = 0.2  # share of its weight that each must find in the other
SMALL_COVERED = 0.35  # the same of two notes that are to be one
LONG = 10  # terms from which on both notes say more than those that the odds were fitted on
LARGE = 10  # terms of the larger of two notes from which on more is asked: what the other leaves out would be lost
LARGE_SIMILAR, LARGE_COVERED = 0.75, 0.5
SAME_TERMS = 0.6  # cosine from which on two notes that have all their terms in common are one
UNLIKELY_REPLACED = 0.3  # below this not even a contradiction, whatever the rules find
LEAST_SHARED = 0.8  # weight of content that two notes must share before they are compared any further

_FAR = "too little in common"


class Relation(StrEnum):
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONTRADICTION = "contradiction"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two notes relate, and by which rule. `older` and `newer` are ids, in order of time where it is known."""

    relation: Relation
    rule: str
    older: str
    newer: str


def conflicts(a: Note, b: Note, similarity: float) -> Verdict:
    """Judges one pair of notes. `similarity` is the cosine of their embeddings, -1..1. Symmetric in a and b."""
    older, newer = in_order(a, b)
    if are_kept_apart(a, b):
        return Verdict(Relation.KEEP, "kept apart by a person", older.id, newer.id)
    relation, rule = _judge(older, newer, similarity)
    if _time(older) == _time(newer) and relation is not Relation.SUPERSEDE:
        turned = _judge(newer, older, similarity)  # no time tells which came first: their wording may
        if turned[0] is Relation.SUPERSEDE:
            return Verdict(*turned, newer.id, older.id)
    return Verdict(relation, rule, older.id, newer.id)


def in_order(a: Note, b: Note) -> tuple[Note, Note]:
    """The older and the newer: by `created`, then by `valid_from`, then as given when neither tells."""
    first, second = _time(a), _time(b)
    if first == second:
        return (a, b) if (a.id <= b.id or not a.id or not b.id) else (b, a)
    return (a, b) if first < second else (b, a)


def _time(note: Note) -> datetime:
    if note.created is not None:
        return note.created
    if note.valid_from is not None:
        return datetime(note.valid_from.year, note.valid_from.month, note.valid_from.day, tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)


def read_wording(note: Note) -> Wording:
    """How a note words what it says; read once for each text."""
    return _read(note.title, note.body, DEFAULT)


def read_wordings(a: Note, b: Note) -> tuple[Wording, Wording]:
    """Both wordings; where one text does not tell its language, that of the other is meant."""
    first, second = (_language(note.title, note.body) for note in (a, b))
    return (
        _read(a.title, a.body, first or second or DEFAULT),
        _read(b.title, b.body, second or first or DEFAULT),
    )


@lru_cache(maxsize=100_000)
def _read(title: str, body: str, fallback: str) -> Wording:
    return parse_wording(title, body, fallback)


@lru_cache(maxsize=100_000)
def _language(title: str, body: str) -> str | None:
    return detect_language(f"{title} {body}")


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair of notes set side by side: what forbids merging them, what the rules find, and its traits."""

    compared: Comparison
    difference: str | None
    found: Found | None
    traits: Mapping[str, float]

    def is_open(self, relation: str) -> bool:
        """Whether the odds of `MERGED` or `REPLACED` have a say: no hard fact forbids it, the dates tell an order."""
        return self.difference is None if relation == MERGED else self.compared.ordered


def read_pair(a: Note, b: Note, similarity: float) -> Reading | None:
    """The traits of a pair; None where it is decided before they count: the same words, or too little in common."""
    older, newer = in_order(a, b)
    compared = _compare(older, newer, similarity)
    if not isinstance(compared, Comparison):
        return None
    difference, found = _apply_rules(older, newer, compared)
    return Reading(compared, difference, found, gather_traits(older, newer, compared, found, similarity))


def _apply_rules(older: Note, newer: Note, compared: Comparison) -> tuple[str | None, Found | None]:
    """What forbids merging, and what the newer does to the older."""
    return (
        find_difference(compared.older, compared.newer, compared.agreement),
        find_replacement(compared) or _lead_replaced(older, newer, compared.gap),
    )


def _judge(older: Note, newer: Note, similarity: float) -> tuple[Relation, str]:
    compared = _compare(older, newer, similarity)
    if not isinstance(compared, Comparison):
        return compared
    difference, found = _apply_rules(older, newer, compared)
    covered = min(compared.agreement.coverage_left, compared.agreement.coverage_right)
    if found is None and ((difference and not compared.told) or covered < LEAST_COVERED):
        return Relation.KEEP, difference or _FAR  # nothing that the odds could turn round
    reading = Reading(compared, difference, found, gather_traits(older, newer, compared, found, similarity))
    replaces = found is not None and found[0]
    if difference is None and not replaces and _says_the_same(reading, similarity):
        return Relation.MERGE, "same meaning"
    if compared.ordered:
        likely = known_odds(REPLACED).probability(reading.traits)
        news = compared.told and not reading.traits["subject_only"]  # "Alice moved" says nothing of what she likes
        open_to = replaces or not _is_long(reading)
        if open_to and likely >= (LIKELY_REPLACED if replaces or news else SURELY_REPLACED):
            return Relation.SUPERSEDE, found[1] if found and replaces else "tells it otherwise"
        if found and (likely >= UNLIKELY_REPLACED or not replaces):
            return Relation.CONTRADICTION, found[1]
    elif found:  # no time tells which came first: a word of change may, "in A, not in B" does not
        changed = bool(compared.cues - {Mark.INSTEAD}) or compared.newer.news
        return (Relation.SUPERSEDE if replaces and changed else Relation.CONTRADICTION), found[1]
    return Relation.KEEP, difference or _FAR


def _is_long(reading: Reading) -> bool:
    """Whether both notes say more than those that the odds were fitted on: much of it may differ unseen."""
    return min(len(reading.compared.older.distinct), len(reading.compared.newer.distinct)) > LONG


def _says_the_same(reading: Reading, similarity: float) -> bool:
    """Likely to be one fact, or worded alike to the last term that says something."""
    traits = reading.traits
    compared = reading.compared
    says_more = max(len(compared.older.distinct), len(compared.newer.distinct)) > LARGE
    similar, covered = (LARGE_SIMILAR, LARGE_COVERED) if says_more else (LEAST_SIMILAR, SMALL_COVERED)
    if similarity < similar or traits["covered_low"] < covered:
        return False
    if known_odds(MERGED).probability(traits) >= LIKELY_SAME:
        return True
    if traits["marks"] or traits["lacks"] or similarity < SAME_TERMS:
        return False
    pairs = reading.compared.agreement.pairs
    wordings = (reading.compared.older, {x.key for x, _ in pairs}), (reading.compared.newer, {y.key for _, y in pairs})
    return all(t.key in known for wording, known in wordings for t in body_terms(wording) if t.kind > Kind.LIGHT)


def _compare(older: Note, newer: Note, similarity: float) -> tuple[Relation, str] | Comparison:
    """What is decided without a closer look, or what a closer look is taken at."""
    if older.project and newer.project and older.project != newer.project:
        return Relation.KEEP, "other project"
    a, b = read_wordings(older, newer)
    agreement = align(a, b)
    if a.plain == b.plain and not titles_part(agreement):
        return Relation.MERGE, "same words"
    if Tier.EPISODE in (older.tier, newer.tier):
        return Relation.KEEP, "two episodes"
    if agreement.shared < LEAST_SHARED or similarity < _related(a, b):
        return Relation.KEEP, _FAR
    gap = _time(newer) - _time(older) if _dated(older) and _dated(newer) else None
    return Comparison(a, b, agreement, older.type, gap)


def _related(a: Wording, b: Wording) -> float:
    first, second = (next((t.key for t in body_terms(w) if t.kind > Kind.LIGHT), None) for w in (a, b))
    known = (first is not None and first == second) or any(t.old for t in b.terms)
    return RELATED_SUBJECT if known and b.marks & {Mark.CHANGE, Mark.END} else RELATED


def _lead_replaced(older: Note, newer: Note, gap: timedelta | None) -> tuple[bool, str] | None:
    """Of notes of several sentences: whether the newer tells in one of its first that what the older says first has
    changed. What else they tell need not agree, so that more is asked: the old value named, or another one in its
    place, of a subject that is more than a person's name, in notes that are no stories and not of one day."""
    whole = read_wording(older), read_wording(newer)
    if gap is None or gap < LEAD_GAP or not whole[1].marks & {Mark.CHANGE, Mark.END, Mark.INSTEAD}:
        return None
    if older.type in NARRATIVE or max(len(wording.terms) for wording in whole) > STORY:
        return None
    first = _SENTENCE.split(older.body.strip(), maxsplit=1)[0]
    clause = _CLAUSE.split(first, maxsplit=1)[0]
    leads = [text for text in _SENTENCE.split(newer.body.strip()) if text.strip()][:LEADS]
    for said, lead in product(dict.fromkeys((older.body, first, clause)), dict.fromkeys((newer.body, *leads))):
        if (said, lead) == (older.body, newer.body):
            continue
        a, b = (_read(note.title, text, DEFAULT) for note, text in ((older, said), (newer, lead)))
        if said == clause and sum(t.kind > Kind.GENERIC for t in body_terms(a)) < LEAST_CLAUSE:
            continue
        agreement = align(a, b)
        told = replace(a, marks=whole[0].marks)  # what the older itself says of change is no news
        compared = Comparison(told, b, agreement, older.type, gap)
        if agreement.shared - _person(a, agreement) < LEAD_SHARED or not compared.cues & {Mark.CHANGE, Mark.END}:
            continue
        found = find_new_value(compared)
        if found is not None and found[0]:
            return found
    return None


def _person(wording: Wording, agreement: Agreement) -> float:
    """The weight of a name that a wording begins with: that two notes speak of one person says little."""
    first = next((t for t in body_terms(wording) if t.kind > Kind.LIGHT), None)
    if first is None or not re.fullmatch(r"[A-Z][a-z]+", first.surface):
        return 0.0
    return next((term_weight(x) for x, _ in agreement.pairs if x == first), 0.0)


_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(r"[,:]\s+|\s+(?:and|und|en|because|weil|omdat|with|mit|met)\s+")


def _dated(note: Note) -> bool:
    return note.created is not None or note.valid_from is not None

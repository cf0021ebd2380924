"""Whether two notes say the same, the one replaces the other, they contradict, or speak of different things.

The rules go by form: what differs once every term of one note has been paired with a term of the other, where in the
sentence the difference stands, and which signs of change the newer note carries. A differing number, date, name,
identifier or denial forbids a merge for good; the rest is weighed (`weighing`). Each verdict names its rule.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import product

from seci.core.agreement import Agreement, align
from seci.core.apart import are_kept_apart
from seci.core.language import detect_language
from seci.core.note import Note, Tier
from seci.core.opinion import Opinion
from seci.core.phrases import Mark
from seci.core.replacing import NARRATIVE, STORY, Comparison, Found, find_new_value, find_replacement
from seci.core.sameness import body_terms, find_difference, titles_part
from seci.core.terms import Kind, Wording, term_weight
from seci.core.traits import gather_traits
from seci.core.verdict import Relation, Verdict
from seci.core.weighing import FAR, Reading, is_worth_reading, weigh
from seci.core.wording import DEFAULT, parse_wording

RELATED = 0.3  # cosine below which two notes speak of different things
RELATED_SUBJECT = 0.25  # the same where both begin alike, or the newer names an old value, and it tells of a change
LEADS = 2  # sentences of a newer note that may tell of a change to what the older says first
LEAD_SHARED = 1.5  # weight of content that two such sentences share besides whom they speak of
LEAD_GAP = timedelta(hours=12)  # notes of one day tell of one piece of work
LEAST_CLAUSE = 2  # terms of a clause that says enough to be replaced
LEAST_COVERED = 0.2  # share of its weight that each must find in the other
LEAST_SHARED = 0.8  # weight of content that two notes must share before they are compared any further


def conflicts(a: Note, b: Note, similarity: float, opinion: Opinion | None = None) -> Verdict:
    """Judges one pair of notes. `similarity` is the cosine of their embeddings, -1..1; `opinion` that of who has read
    both, in their order. Symmetric in a and b."""
    older, newer = in_order(a, b)
    if are_kept_apart(a, b):
        return Verdict(Relation.KEEP, "kept apart by a person", older.id, newer.id)
    relation, rule, is_open = _judge(older, newer, similarity, opinion)
    if _time(older) == _time(newer) and relation is not Relation.SUPERSEDE:
        turned = _judge(newer, older, similarity)  # no time tells which came first: their wording may
        if turned[0] is Relation.SUPERSEDE:
            return Verdict(*turned[:2], newer.id, older.id, is_open)
    return Verdict(relation, rule, older.id, newer.id, is_open)


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


def _judge(older: Note, newer: Note, similarity: float, opinion: Opinion | None = None) -> tuple[Relation, str, bool]:
    compared = _compare(older, newer, similarity)
    if not isinstance(compared, Comparison):
        return (*compared, False)
    difference, found = _apply_rules(older, newer, compared)
    covered = min(compared.agreement.coverage_left, compared.agreement.coverage_right)
    if found is None and ((difference and not compared.told) or covered < LEAST_COVERED):
        return Relation.KEEP, difference or FAR, False  # nothing that the odds could turn round
    reading = Reading(compared, difference, found, gather_traits(older, newer, compared, found, similarity))
    relation, rule = weigh(reading, similarity, opinion)
    return relation, rule, is_worth_reading(reading, similarity)


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
        return Relation.KEEP, FAR
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

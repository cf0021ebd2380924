"""Internalisation: the part of the vault that a question needs.

question -> ranked notes and turns -> candidates (notes, quotations that no note covers, identity) -> contradiction
pass -> five signals -> budgets -> context
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol

from seci.core.chunk import Kind
from seci.core.context import (
    CANDIDATES_A_TIER,
    AssemblyOptions,
    Candidate,
    Context,
    assemble_context,
)
from seci.core.document import Record
from seci.core.note import NoteType, Provenance, Status, Tier
from seci.core.quotation import select_quotation
from seci.core.ranking import Hit, Query, Ranking, Unit
from seci.core.scoring import UsageCount
from seci.core.silence import is_courtesy

LEAST_CANDIDATES = 60  # notes that are weighed for the smallest context
TOKENS_A_CANDIDATE = 20  # of the budget for each more: most candidates do not enter, and each takes time
QUOTATIONS = 20  # raw turns that are looked at for what no note covers
QUOTATION_IMPORTANCE = 0.4
QUOTATION_CONFIDENCE = 0.6


class Library(Protocol):
    """What can be looked up: a ranking, and what is known of a file or said in a turn."""

    def search_each(self, queries: Sequence[Query]) -> list[Ranking]: ...

    def records(self, paths: Iterable[str]) -> Mapping[str, Record]:
        """What the index knows of these files, by path."""

    def soul(self) -> Iterable[Record]:
        """The notes of tier soul: identity and style, always in context."""

    def turn_texts(self, hits: Sequence[Hit]) -> list[str]:
        """The text of each raw hit's turns."""


@dataclass(frozen=True, slots=True)
class Recall:
    """The adapters of one call. `usage` says how often a note was put into a context; `conflicts` maps the id of each
    outdated candidate to the newer one that contradicts it."""

    library: Library
    usage: Callable[[Iterable[str]], Mapping[str, UsageCount]]
    conflicts: Callable[[Sequence[Candidate]], Mapping[str, str]]
    count: Callable[[str], int]


def remember(query: Query, now: datetime, recall: Recall, options: AssemblyOptions) -> tuple[Context, Ranking]:
    """The context for a question, and the ranking it came from."""
    most = 3 * CANDIDATES_A_TIER
    limit = min(most, max(LEAST_CANDIDATES, options.budget.total // TOKENS_A_CANDIDATE))
    notes, turns = recall.library.search_each(
        [
            replace(query, kinds=frozenset({Kind.DISTILLED}), unit=Unit.NOTE, limit=limit, snippets=False),
            replace(query, kinds=frozenset({Kind.RAW}), unit=Unit.TURN, limit=QUOTATIONS, snippets=False),
        ]
    )
    candidates = gather_candidates(query, notes.hits, turns.hits, recall.library)
    used = recall.usage(c.id for c in candidates)
    candidates = [replace(c, usage=used[c.id]) if c.id in used else c for c in candidates]
    context = assemble_context(candidates, now, recall.count, options, recall.conflicts(candidates))
    ranking = Ranking(notes.hits + turns.hits, degraded=notes.degraded or turns.degraded)
    return context, ranking


def gather_candidates(query: Query, notes: Sequence[Hit], turns: Sequence[Hit], library: Library) -> list[Candidate]:
    """Notes that held at the time asked for, turns that none of them covers, and identity.

    A note is as relevant as the best turn that it stands for: it says in few words what was found there in many. An
    episode stands for a whole session and is judged by itself.
    """
    candidates: dict[str, Candidate] = {}
    covered: dict[str, set[int]] = {}
    found = {(hit.session, turn): hit.relevance for hit in reversed(turns) for turn in hit.turns}
    records = library.records(hit.path for hit in (*notes, *turns))
    for hit in notes:
        record = records.get(hit.path)
        if record is None or not held_at(record, query.as_of):
            continue
        relevance = hit.relevance
        if record.tier is not Tier.EPISODE:
            cited = (found.get((s.session, turn), 0.0) for s in record.sources for turn in s.turns)
            relevance = max(relevance, *cited, 0.0)
        candidates[record.id] = note_candidate(record, relevance, hit.ranks, query.as_of)
        for source in record.sources:
            covered.setdefault(source.session, set()).update(source.turns)
    for record in library.soul():
        if record.id not in candidates and held_at(record, query.as_of):
            candidates[record.id] = note_candidate(record, 0.0, {}, query.as_of)
    terms = frozenset(re.findall(r"\w+", query.text.casefold()))
    uncovered = [
        hit
        for hit in turns
        if hit.session is not None
        and covered.get(hit.session, set()).isdisjoint(hit.turns)
        and hit.path in records
        and _before(records[hit.path].created, query.as_of)
    ]
    for hit, text in zip(uncovered, library.turn_texts(uncovered), strict=True):
        quotation = turn_candidate(hit, records[hit.path], select_quotation(text, terms))
        if quotation.text and not is_courtesy(quotation.text):
            candidates[quotation.id] = quotation
    return list(candidates.values())


def held_at(record: Record, as_of: datetime | None) -> bool:
    """Whether a note was known and valid on that day; without one, whether it is not yet known to have ended."""
    if as_of is None:
        return True
    day = as_of.date()
    if record.valid_to is not None and day >= record.valid_to:
        return False
    start = record.valid_from or (record.created.date() if record.created else date.min)
    return start <= day


def note_candidate(record: Record, relevance: float, ranks: Mapping[str, int], as_of: datetime | None) -> Candidate:
    """A note as a candidate. What was superseded after `as_of` was active then."""
    status = record.status
    if as_of is not None and status is Status.SUPERSEDED:
        status = Status.ACTIVE
    return Candidate(
        id=record.id,
        kind=Kind.DISTILLED,
        tier=record.tier or Tier.MEMORY,
        path=record.path,
        title=record.title,
        text=record.body,
        relevance=relevance,
        type=record.type or NoteType.OTHER,
        status=status,
        importance=record.importance,
        confidence=record.confidence,
        created=record.created,
        sources=record.sources,
        ranks=ranks,
    )


def turn_candidate(hit: Hit, record: Record, text: str) -> Candidate:
    """A quotation from the archive, in the memories tier."""
    session = hit.session or record.key
    return Candidate(
        id=f"{session}#{','.join(map(str, hit.turns))}",
        kind=Kind.RAW,
        tier=Tier.MEMORY,
        path=hit.path,
        title=hit.title or f"{session}#{','.join(map(str, hit.turns))}",
        text=text,
        relevance=hit.relevance,
        importance=QUOTATION_IMPORTANCE,
        confidence=QUOTATION_CONFIDENCE,
        created=record.created,
        sources=(Provenance(session, hit.turns),),
        ranks=hit.ranks,
    )


def _before(moment: datetime | None, as_of: datetime | None) -> bool:
    return moment is None or as_of is None or moment <= as_of

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
TOKENS_A_CANDIDATE = 10  # of the budget for each more: most candidates do not enter, and each takes time
QUOTATIONS = 20  # raw turns that are looked at for what no note covers
QUOTATION_IMPORTANCE = 0.4
QUOTATION_CONFIDENCE = 0.6


class Library(Protocol):
    """What can be looked up: a ranking, and what is known of a file or said in a turn."""

    def search(self, query: Query) -> Ranking: ...

    def record(self, path: str) -> Record | None:
        """What the index knows of a note's file."""

    def soul(self) -> Iterable[Record]:
        """The notes of tier soul: identity and style, always in context."""

    def turn_text(self, hit: Hit) -> str:
        """The text of a raw hit's turns."""


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
    notes = recall.library.search(
        replace(query, kinds=frozenset({Kind.DISTILLED}), unit=Unit.NOTE, limit=limit, snippets=False)
    )
    turns = recall.library.search(
        replace(query, kinds=frozenset({Kind.RAW}), unit=Unit.TURN, limit=QUOTATIONS, snippets=False)
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
    for hit in notes:
        record = library.record(hit.path)
        if record is None or not held_at(record, query.as_of):
            continue
        candidate = note_candidate(record, hit, query.as_of)
        if record.tier is not Tier.EPISODE:
            cited = (found.get((s.session, turn), 0.0) for s in record.sources for turn in s.turns)
            if (best := max(cited, default=0.0)) > candidate.relevance:
                candidate = replace(candidate, relevance=best)
        candidates[record.id] = candidate
        for source in record.sources:
            covered.setdefault(source.session, set()).update(source.turns)
    for record in library.soul():
        if record.id not in candidates and held_at(record, query.as_of):
            candidates[record.id] = note_candidate(record, None, query.as_of)
    terms = frozenset(re.findall(r"\w+", query.text.casefold()))
    for hit in turns:
        if hit.session is None or set(hit.turns) & covered.get(hit.session, set()):
            continue
        record = library.record(hit.path)
        if record is None or not _before(record.created, query.as_of):
            continue
        quotation = turn_candidate(hit, record, select_quotation(library.turn_text(hit), terms))
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


def note_candidate(record: Record, hit: Hit | None, as_of: datetime | None) -> Candidate:
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
        relevance=hit.relevance if hit else 0.0,
        type=record.type or NoteType.OTHER,
        status=status,
        importance=record.importance,
        confidence=record.confidence,
        created=record.created,
        sources=record.sources,
        ranks=hit.ranks if hit else {},
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

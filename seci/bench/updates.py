"""Whether the current fact stands above the outdated one, and whether consolidating loses anything: `bench updates`.

Questions about what changed name the places of the older statement and of the newer one. Each haystack is distilled
into a vault and asked twice, before and after consolidating; all its questions count for recall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from seci.app import App
from seci.bench.context import score_context
from seci.bench.datasets import Case, Corpus, Place
from seci.bench.hybrid import TemporaryVault, gather_places, raw_query
from seci.bench.report import machine_shape
from seci.core.chunk import Kind
from seci.core.context import Context
from seci.core.ranking import Query, Unit
from seci.core.session import Session
from seci.upkeep import Upkeep

UPDATED = frozenset({"knowledge_update", "knowledge-update", "contradiction_resolution"})
DEPTH = 10
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked once: whether its evidence was among the first ten hits and in the context, and for one
    about a change which of the two places came first (None where not both were found)."""

    type: str
    found: bool
    recalled: bool
    hits_newer_first: bool | None
    context_newer_first: bool | None


@dataclass(frozen=True, slots=True)
class UpdateRun:
    """The same questions before and after consolidating, and what that did."""

    before: tuple[Asked, ...]
    after: tuple[Asked, ...]
    merged: int
    superseded: int
    contradictions: int


def run_updates(
    vault: TemporaryVault,
    corpora: Iterable[Corpus],
    unit: Unit,
    distiller: str,
    progress: Callable[[int, int | None], None] = lambda steps, total: None,
) -> UpdateRun:
    """Distills, asks, consolidates and asks again, a haystack at a time."""
    before: list[Asked] = []
    after: list[Asked] = []
    counts = [0, 0, 0]
    for corpus in corpora:
        app = vault.fill(corpus.sessions, distiller)
        now = max((s.ended for s in corpus.sessions if s.ended), default=datetime.now(UTC)) + timedelta(days=1)
        places = list_order(corpus.sessions)
        before += [_ask(app, case, places, unit, now) for case in corpus.cases]
        plan = Upkeep(app).consolidate(now, apply=True).plan
        counts = [n + len(a) for n, a in zip(counts, (plan.merges, plan.supersedes, plan.contradictions), strict=True)]
        after += [_ask(app, case, places, unit, now) for case in corpus.cases]
        progress(1, None)
    return UpdateRun(tuple(before), tuple(after), *counts)


def list_order(sessions: Sequence[Session]) -> dict[str, int]:
    """Each session's place in time; sessions without a time keep their order in the file, before the others."""
    dated = sorted(sessions, key=lambda session: session.started or _BEGINNING)
    return {session.key: number for number, session in enumerate(dated)}


def split_gold(case: Case, order: Mapping[str, int]) -> tuple[frozenset[Place], Place] | None:
    """The outdated places and the current one, the latest; None for a question that is not about a change."""
    if case.type not in UPDATED or len(case.gold) < 2:
        return None
    *outdated, current = sorted(case.gold, key=lambda place: (order.get(place.session, -1), place.turn or 0))
    return frozenset(outdated), current


def newer_first(ranked: Sequence[Place], outdated: frozenset[Place], current: Place) -> bool | None:
    """Whether the current place stands before every outdated one; None unless both sorts are there."""
    old = next((rank for rank, place in enumerate(ranked) if place in outdated), None)
    if old is None or current not in ranked:
        return None
    return ranked.index(current) < old


def _ask(app: App, case: Case, order: Mapping[str, int], unit: Unit, now: datetime) -> Asked:
    query = replace(raw_query(case, unit, DEPTH), kinds=frozenset(Kind), now=case.asked or now)
    ranked = gather_places(app, app.search(query), unit)[:DEPTH]
    context, _ = app.remember(Query(case.text, now=case.asked or now), app.assembly_defaults(), count=False)
    split = split_gold(case, order)
    return Asked(
        case.type,
        not case.gold.isdisjoint(ranked),
        _recalled(context, case, unit),
        newer_first(ranked, *split) if split else None,
        newer_first(rank_passages(context, unit), *split) if split else None,
    )


def _recalled(context: Context, case: Case, unit: Unit) -> bool:
    return score_context(context, case) if unit is Unit.TURN else not case.gold.isdisjoint(rank_passages(context, unit))


def rank_passages(context: Context, unit: Unit) -> list[Place]:
    """The units that passages cite, by score: a context shows them in order of time."""
    places: dict[Place, None] = {}
    for passage in sorted(context.passages, key=lambda passage: -passage.score):
        for source in passage.candidate.sources:
            for turn in source.turns:
                places.setdefault(Place(source.session, None if unit is Unit.SESSION else turn))
    return list(places)


def updates_shape(run: UpdateRun, dataset: str) -> dict[str, Any]:
    """Shares 0..1, None where no question found both."""
    return {
        "dataset": f"updates-{dataset}",
        "questions": len(run.after),
        "about_changes": sum(asked.type in UPDATED for asked in run.after),
        "before": _figures(run.before),
        "after": _figures(run.after),
        "consolidated": {
            "merged": run.merged,
            "superseded": run.superseded,
            "contradictions": run.contradictions,
        },
        "machine": machine_shape(),
    }


def _figures(asked: Sequence[Asked]) -> dict[str, Any]:
    return {
        f"recall_any@{DEPTH}": _share([one.found for one in asked]),
        "context_recall": _share([one.recalled for one in asked]),
        "hits": _order([one.hits_newer_first for one in asked]),
        "context": _order([one.context_newer_first for one in asked]),
    }


def _order(judged: Sequence[bool | None]) -> dict[str, Any]:
    both = [first for first in judged if first is not None]
    return {"both_found": len(both), "newer_first": _share(both) if both else None}


def _share(values: Sequence[bool]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0

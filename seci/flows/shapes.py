"""The JSON shapes that other programs rely on; the command line, REST and MCP print the same ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from seci.core.context import Context
from seci.core.note import Provenance
from seci.core.ports import StoredNote
from seci.core.ranking import Ranking
from seci.core.session import Failure, Turn

if TYPE_CHECKING:
    from seci.core.consolidation import Contradiction, Evidence, Supersede
    from seci.flows.consolidate import ConsolidateReport
    from seci.flows.distill import DistillReport
    from seci.flows.reindex import ReindexReport

Shape = dict[str, Any]


def search_shape(query: str, ranking: Ranking, took_ms: float) -> Shape:
    hits = [
        {
            "id": hit.id,
            "kind": hit.kind.value,
            "path": hit.path,
            "namespace": hit.namespace,
            "tier": hit.tier,
            "title": hit.title,
            "session": hit.session,
            "turns": list(hit.turns),
            "score": round(hit.score, 6),
            "relevance": round(hit.relevance, 4),
            "ranks": dict(hit.ranks),
            "snippet": hit.snippet,
        }
        for hit in ranking.hits
    ]
    return {"query": query, "took_ms": round(took_ms, 1), "degraded": ranking.degraded, "hits": hits}


def remember_shape(query: str, context: Context, degraded: bool, took_ms: float) -> Shape:
    passages = [
        {
            "id": p.candidate.id,
            "tier": p.candidate.tier.value,
            "path": p.candidate.path,
            "title": p.candidate.title,
            "tokens": p.tokens,
            "score": round(p.score, 6),
            "signals": {name: round(value, 4) for name, value in asdict(p.signals).items()},
            "ranks": dict(p.candidate.ranks),
            "text": p.block,
            "sources": sources_shape(p.candidate.sources),
        }
        for p in context.passages
    ]
    dropped = [
        {
            "id": d.id,
            "reason": d.reason,
            "title": d.title,
            "score": None if d.score is None else round(d.score, 6),
            "signals": None if d.signals is None else {n: round(v, 4) for n, v in asdict(d.signals).items()},
        }
        for d in context.dropped
    ]
    return {
        "query": query,
        "took_ms": round(took_ms, 1),
        "degraded": degraded,
        "markdown": context.markdown,
        "tokens": context.tokens,
        "budgets": asdict(context.budget),
        "passages": passages,
        "dropped": dropped,
    }


def distill_shape(report: DistillReport) -> Shape:
    notes = [
        {
            "id": written.note.id,
            "path": written.path,
            "tier": written.note.tier.value,
            "type": written.note.type.value,
            "title": written.note.title,
            "sources": sources_shape(written.note.sources),
        }
        for written in report.notes
    ]
    return {
        "sessions": report.sessions,
        "turns": report.turns,
        "notes": notes,
        "skipped": report.skipped,
        "repeated": report.repeated,
        "failures": failures_shape(report.failures),
        "redactions": sum(report.redactions.values()),
        "redacted": dict(report.redactions),
        "commit": report.commit,
        "spent": report.spent,
    }


def consolidate_shape(report: ConsolidateReport) -> Shape:
    plan = report.plan
    return {
        "merge": [
            {
                "ids": list(action.ids),
                "title": action.note.title,
                "evidence": [_evidence_shape(evidence) for evidence in action.evidence],
            }
            for action in plan.merges
        ],
        "supersede": [_pair_shape(action) for action in plan.supersedes],
        "stale": [
            {"ids": list(mark.ids), "evidence": [{"rule": mark.reason}], "archive": mark.archive} for mark in plan.stale
        ],
        "contradictions": [_pair_shape(action) for action in plan.contradictions],
        "rollup": [{"ids": list(rolled.ids), "note": rolled.note.id} for rolled in plan.rollups],
        "propose": [
            {"ids": list(proposal.ids), "note": proposal.note.id, "evidence": [{"rule": proposal.evidence}]}
            for proposal in plan.proposals
        ],
        "repair": [{"ids": list(mended.ids), "evidence": [{"rule": mended.reason}]} for mended in plan.repairs],
        "failures": failures_shape(report.failures),
        "commit": report.commit,
    }


def _pair_shape(action: Supersede | Contradiction) -> Shape:
    return {"ids": list(action.ids), "evidence": [_evidence_shape(action.evidence)]}


def _evidence_shape(evidence: Evidence) -> Shape:
    return {
        "rule": evidence.rule,
        "similarity": round(evidence.similarity, 4),
        "wordings": list(evidence.wordings),
        "dates": list(evidence.dates),
    }


def reindex_shape(report: ReindexReport) -> Shape:
    return {
        "added": report.added,
        "modified": report.modified,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "chunks": report.chunks,
        "rebuilt": report.rebuilt,
        "failures": failures_shape(report.failures),
    }


def note_shape(stored: StoredNote, body: bool = True) -> Shape:
    note = stored.note
    shape: Shape = {
        "id": note.id,
        "path": stored.path,
        "title": note.title,
        "namespace": note.namespace.value,
        "tier": note.tier.value,
        "type": note.type.value,
        "tags": list(note.tags),
        "project": note.project,
        "created": _time(note.created),
        "updated": _time(note.updated),
        "valid_from": note.valid_from.isoformat() if note.valid_from else None,
        "valid_to": note.valid_to.isoformat() if note.valid_to else None,
        "importance": note.importance,
        "confidence": note.confidence,
        "status": note.status.value,
        "sources": sources_shape(note.sources),
        "supersedes": list(note.supersedes),
        "superseded_by": note.superseded_by,
    }
    if body:
        shape["body"] = note.body
    return shape


def turn_shape(turn: Turn) -> Shape:
    return {
        "index": turn.index,
        "role": turn.role.value,
        "speaker": turn.speaker,
        "at": _time(turn.at),
        "text": turn.text,
        "tools": list(turn.tools),
    }


def sources_shape(sources: Iterable[Provenance]) -> list[Shape]:
    return [{"session": source.session, "turns": list(source.turns)} for source in sources]


def failures_shape(failures: Iterable[Failure]) -> list[Shape]:
    return [{"path": failure.path, "reason": failure.reason} for failure in failures]


def _time(moment: datetime | None) -> str | None:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else None

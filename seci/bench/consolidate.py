"""How well pairs of notes are judged: `bench consolidate PAIRS.jsonl`, each pair alone."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from seci.core.court import Court
from seci.core.note import Namespace, Note, NoteType, Provenance, Tier
from seci.core.ports import Embedder, PairReader
from seci.core.verdict import Relation
from seci.errors import UserError


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two notes and how they relate; `b` is the newer where it supersedes `a`. `weight` is what it counts in a fit."""

    id: str
    kind: str
    lang: str
    a: Note
    b: Note
    expect: Relation
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PairScores:
    """`confusion[expected][got]` counts pairs; precision and recall are shares by relation, 1.0 where nothing counts.
    `wrong` names each pair that was judged otherwise, with what came out and by which rule."""

    pairs: int
    confusion: dict[str, dict[str, int]]
    precision: dict[str, float]
    recall: dict[str, float]
    wrong: tuple[tuple[str, str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "confusion": self.confusion,
            "precision": self.precision,
            "recall": self.recall,
        }


def parse_pairs(text: str, subject: str) -> list[LabelledPair]:
    """The pairs of a JSON lines file. Raises UserError naming the line that is none."""
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            pairs.append(
                LabelledPair(
                    id=str(row["id"]),
                    kind=str(row.get("kind", "")),
                    lang=str(row.get("lang", "")),
                    a=_note(row["a"], "A"),
                    b=_note(row["b"], "B"),
                    expect=Relation(row["expect"]),
                    weight=float(row.get("weight", 1.0)),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(f"line {number} is no labelled pair: {error!r}", subject=subject) from error
    return pairs


def read_pairs(path: Path) -> list[LabelledPair]:
    try:
        return parse_pairs(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot be read: {error}", subject=str(path)) from error


def _note(row: dict[str, Any], side: str) -> Note:
    """A note from the fields given. Its id is its side, so that nothing but content and dates tells two apart."""
    return Note(
        id=side,
        title=str(row.get("title", "")),
        body=str(row.get("body", "")),
        namespace=Namespace(row.get("namespace", "docs")),
        tier=Tier(row.get("tier", "memory")),
        type=NoteType(row.get("type", "other")),
        tags=tuple(row.get("tags") or ()),
        project=row.get("project"),
        created=_moment(row.get("created")),
        updated=_moment(row.get("updated")),
        valid_from=_day(row.get("valid_from")),
        valid_to=_day(row.get("valid_to")),
        sources=tuple(Provenance(s["session"], tuple(s.get("turns", ()))) for s in row.get("sources") or ()),
    )


def _moment(value: str | None) -> datetime | None:
    if not value:
        return None
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value[:10]) if value else None


def score_pairs(pairs: Sequence[LabelledPair], embedder: Embedder, reader: PairReader | None = None) -> PairScores:
    """Judges each pair alone, as a plan would with this `reader`. A supersession the wrong way round counts as a
    contradiction."""
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    cosines = measure_cosines(pairs, embedder)
    verdicts = Court([], reader).compare([(p.a, p.b, cosine) for p, cosine in zip(pairs, cosines, strict=True)])
    for pair, verdict in zip(pairs, verdicts, strict=True):
        got = verdict.relation
        if got is Relation.SUPERSEDE and verdict.newer != pair.b.id:
            got = Relation.CONTRADICTION
        confusion[pair.expect.value][got.value] += 1
        if got is not pair.expect:
            wrong.append((pair.id, got.value, verdict.rule))
    return PairScores(
        pairs=len(pairs),
        confusion={expected: dict(sorted(row.items())) for expected, row in sorted(confusion.items())},
        precision={
            r.value: _share(confusion[r.value][r.value], (row[r.value] for row in confusion.values())) for r in Relation
        },
        recall={r.value: _share(confusion[r.value][r.value], confusion[r.value].values()) for r in Relation},
        wrong=tuple(wrong),
    )


def measure_cosines(pairs: Sequence[LabelledPair], embedder: Embedder) -> list[float]:
    """How alike the two notes of each pair are."""
    vectors = embedder.embed([embedded_text(note) for pair in pairs for note in (pair.a, pair.b)])
    return [float(a @ b) for a, b in zip(vectors[::2], vectors[1::2], strict=True)]


def embedded_text(note: Note) -> str:
    """What of a note is embedded: title and body, as in the index."""
    return f"{note.title}\n\n{note.body}".strip()


def _share(right: int, of: Iterable[int]) -> float:
    total = sum(of)
    return round(right / total, 4) if total else 1.0

"""The ranked list: dense and by keyword, raw and distilled, fused by rank with the keyword boost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, Kind
from seci.core.document import Record
from seci.core.ports import Embedder, Index, Shelf
from seci.core.quotation import select_quotation
from seci.core.ranking import (
    Hit,
    Method,
    Query,
    Ranking,
    Unit,
    keyword_boost,
    keyword_overlap,
    reciprocal_rank_fusion,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POOL = 400  # rows of each list that are fused
SNIPPET_WORDS = 40


@dataclass(frozen=True, slots=True)
class Finder:
    """The adapters of a search. `terms` splits text as the index does."""

    index: Index
    embedder: Embedder
    terms: Callable[[str], list[str]]


def search(query: Query, finder: Finder) -> Ranking:
    """The best hits of a question over the shelves it asks for."""
    vector = None if query.method is Method.KEYWORD else finder.embedder.embed_query(query.text)
    hits = [hit for kind in sorted(query.kinds) for hit in _search_shelf(query, finder, kind, vector)]
    hits.sort(key=lambda hit: (-hit.score, hit.id, hit.turns))
    return Ranking(tuple(hits[: query.limit]))


def _search_shelf(query: Query, finder: Finder, kind: Kind, vector: NDArray[np.float32] | None) -> list[Hit]:
    shelf = finder.index.shelf(kind)
    terms = finder.terms(query.text)
    lists: dict[str, list[int]] = {}
    cosine = None
    if vector is not None:
        cosine = shelf.cosine(vector)
        lists["dense"] = shelf.best(cosine, POOL)
    if query.method is not Method.DENSE:
        keyword = shelf.bm25(terms)
        lists["keyword"] = [row for row in shelf.best(keyword, POOL) if keyword[row] > 0]
    fused = reciprocal_rank_fusion([str(row) for row in rows] for rows in lists.values())
    rows = [int(row) for row in fused]
    chunks = dict(zip(rows, shelf.chunks(rows), strict=True))
    words = frozenset(terms)
    scores = {
        row: keyword_boost(fused[str(row)], keyword_overlap(words, frozenset(finder.terms(chunks[row].text))))
        for row in rows
    }
    ranks = {name: {row: rank for rank, row in enumerate(members, start=1)} for name, members in lists.items()}
    return _collapse(query, shelf, scores, chunks, ranks, cosine)


def _collapse(
    query: Query,
    shelf: Shelf,
    scores: dict[int, float],
    chunks: dict[int, Chunk],
    ranks: dict[str, dict[int, int]],
    cosine: NDArray[np.float32] | None,
) -> list[Hit]:
    ordered = sorted(scores, key=lambda row: (-scores[row], chunks[row].id))
    records = dict(zip(ordered, shelf.records(ordered), strict=True))
    hits: dict[tuple[object, ...], Hit] = {}
    for row in ordered:
        record, chunk = records[row], chunks[row]
        if not _wanted(record, query):
            continue
        unit = query.unit or (Unit.NOTE if shelf.kind is Kind.DISTILLED else Unit.TURN)
        key = (record.key, chunk.turns) if unit is Unit.TURN else (record.key,)
        if key in hits:
            continue
        found = {name: rows[row] for name, rows in ranks.items() if row in rows}
        relevance = float(max(0.0, cosine[row])) if cosine is not None else min(1.0, scores[row] * 60)
        hit = render_hit(record, chunk, scores[row], relevance, found, frozenset(query.text.casefold().split()))
        hits[key] = hit if unit is Unit.TURN else replace(hit, turns=chunk.turns)
        if len(hits) == query.limit:
            break
    return list(hits.values())


def render_hit(
    record: Record, chunk: Chunk, score: float, relevance: float, ranks: dict[str, int], words: frozenset[str]
) -> Hit:
    """A hit as callers see it, with a snippet around the question's words."""
    return Hit(
        id=record.id,
        kind=record.kind,
        path=record.path,
        title=record.title,
        score=score,
        snippet=select_quotation(chunk.text, words, SNIPPET_WORDS),
        session=record.key if record.kind is Kind.RAW else None,
        turns=chunk.turns,
        namespace=record.namespace.value if record.namespace else None,
        tier=record.tier.value if record.tier else None,
        relevance=relevance,
        ranks=ranks,
    )


def _wanted(record: Record, query: Query) -> bool:
    if query.project is not None and record.project not in (None, query.project):
        return False
    return _known_by(record.created, query.as_of)


def _known_by(moment: datetime | None, as_of: datetime | None) -> bool:
    return moment is None or as_of is None or moment <= as_of

"""The ranked list: what a question is about, how well each turn or note answers it, the best as hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, Kind
from seci.core.document import Record
from seci.core.inquiry import Inquiry, parse_inquiry, select_topic
from seci.core.ports import Index, Shelf
from seci.core.quotation import select_quotation
from seci.core.ranking import Hit, LateRanks, Method, Query, Ranking, Unit
from seci.core.relevance import (
    DENSE_FEATURES,
    LEXICAL_FEATURES,
    WEIGHTS,
    Weights,
    gather_evidence,
    score_evidence,
    score_relevance,
)
from seci.core.wordmatch import Matches, match_terms
from seci.flows.current import Sighting, lift_current
from seci.flows.together import Work, run_together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SNIPPET_WORDS = 40
_MORE = 4  # times as many turns are looked at next, where a filter took away what was looked at first


@dataclass(frozen=True, slots=True)
class Finder:
    """The adapters of a search. `embed` gives a question's unit vector, `terms` splits text as the index does."""

    index: Index
    embed: Callable[[str], NDArray[np.float32]]
    terms: Callable[[str], list[str]]
    weights: Weights = WEIGHTS


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """What is known of one shelf before turns are weighed."""

    shelf: Shelf
    inquiry: Inquiry
    cosines: NDArray[np.float32] | None
    matches: Matches


def search(query: Query, finder: Finder) -> Ranking:
    """The best hits of a question over the shelves it asks for."""
    return search_each([query], finder)[0]


def search_each(queries: Sequence[Query], finder: Finder) -> list[Ranking]:
    """The rankings of several queries. All large shelves are looked through at the same time."""
    looks = [(n, _prepare(query, finder, kind)) for n, query in enumerate(queries) for kind in sorted(query.kinds)]
    found: list[list[_Search]] = [[] for _ in queries]
    for (number, _), one in zip(looks, run_together([look for _, look in looks]), strict=True):
        found[number].append(one)
    return [_rank(query, own, finder) for query, own in zip(queries, found, strict=True)]


def _rank(query: Query, found: Sequence[_Search], finder: Finder) -> Ranking:
    found = [one for one in found if one.shelf.layout.turns]
    if not found:
        return Ranking(())
    peaks = [max(values) for values in zip(*(one.matches.peaks() for one in found), strict=True)]
    weights = _weights_of(query.method, finder.weights)
    sighted = [one for look in found for one in _weigh(query, look, (peaks[0], peaks[1], peaks[2]), weights)]
    sighted.sort(key=lambda one: (-one.hit.score, one.hit.id, one.hit.turns))
    return Ranking(tuple(lift_current(query, sighted[: query.limit])))


def _prepare(query: Query, finder: Finder, kind: Kind) -> Work[_Search]:
    """What is left to be computed for a shelf once everything that needs the index or the model has been asked."""
    shelf = finder.index.shelf(kind)
    layout = shelf.layout
    now = query.now.date() if query.now else None
    inquiry = parse_inquiry(query.text, shelf.speakers, now, layout.years)
    vector = None if query.method is Method.KEYWORD else finder.embed(inquiry.bare)
    terms = [] if query.method is Method.DENSE else finder.terms(select_topic(inquiry.bare))

    def look() -> _Search:
        cosines = None if vector is None else shelf.cosine(vector)
        return _Search(shelf, inquiry, cosines, match_terms(terms, layout.terms, shelf.find))

    return Work(shelf.size, look)


def read_evidence(query: Query, finder: Finder, kind: Kind) -> tuple[Shelf, Mapping[str, NDArray[np.float64]]]:
    """A shelf, and what each kind of evidence says of each of its turns, (T,) each, before anything is weighed."""
    found = _prepare(query, finder, kind).run()
    return found.shelf, _gather(found, found.matches.peaks())


def _gather(found: _Search, peaks: tuple[float, float, float]) -> dict[str, NDArray[np.float64]]:
    named = [code for code, name in enumerate(found.shelf.speakers) if name in found.inquiry.names]
    return gather_evidence(found.inquiry, found.shelf.layout, found.cosines, found.matches, peaks, named)


def _weigh(query: Query, found: _Search, peaks: tuple[float, float, float], weights: Weights) -> list[Sighting]:
    import numpy as np

    shelf, layout = found.shelf, found.shelf.layout
    evidence = _gather(found, peaks)
    scores = score_evidence(evidence, weights)
    if found.cosines is None:
        scores = np.where(found.matches.turn > 0, scores, -np.inf)
    unit = query.unit or (Unit.NOTE if shelf.kind is Kind.DISTILLED else Unit.TURN)
    if unit is not Unit.TURN and not layout.alone:
        best = np.maximum.reduceat(scores, layout.session_starts)[layout.session_of]
        scores = np.where(scores == best, scores, -np.inf)
    chosen: dict[tuple[object, ...], tuple[int, int, Record]] = {}
    for turn, row, record in _best_turns(found, scores, query.limit):
        if _wanted(record, query):
            key = (record.key, int(shelf.turn[row])) if unit is Unit.TURN else (record.key,)
            chosen.setdefault(key, (turn, row, record))
            if len(chosen) == query.limit:
                break
    return _render_hits(query, found, list(chosen.values()), evidence, scores)


def _render_hits(
    query: Query,
    found: _Search,
    chosen: Sequence[tuple[int, int, Record]],
    evidence: Mapping[str, NDArray[np.float64]],
    scores: NDArray[np.float64],
) -> list[Sighting]:
    """The hits of the chosen (turn, row, record), with where each was seen."""
    if not chosen:
        return []
    turns = [turn for turn, _, _ in chosen]
    top = float(scores.max())
    cosines = evidence[DENSE_FEATURES[0]][turns].tolist() if found.cosines is not None else [None] * len(turns)
    coverage = found.matches.coverage(turns)
    texts = query.snippets or found.shelf.kind is Kind.RAW
    chunks: Sequence[Chunk | None] = (
        found.shelf.chunks([row for _, row, _ in chosen]) if texts else [None] * len(chosen)
    )
    words = frozenset(query.text.casefold().split())
    hits = []
    for number, ((_, row, record), chunk, score) in enumerate(zip(chosen, chunks, scores[turns].tolist(), strict=True)):
        relevance = score_relevance(cosines[number], coverage[number])
        relevance *= max(0.0, score / top) if top > 0 else 1.0  # keeps the order among what is relevant
        text = select_quotation(chunk.text, words, SNIPPET_WORDS) if chunk and query.snippets else ""
        hit = Hit(
            id=record.id,
            kind=record.kind,
            path=record.path,
            title=record.title,
            score=score,
            snippet=text,
            session=record.key if record.kind is Kind.RAW else None,
            turns=chunk.turns if chunk else (),
            namespace=record.namespace.value if record.namespace else None,
            tier=record.tier.value if record.tier else None,
            relevance=relevance,
            ranks=LateRanks(partial(_count_ranks, evidence, turns[number])),
        )
        hits.append(Sighting(hit, found.shelf, row, record, chunk.text if chunk else None))
    return hits


def _best_turns(found: _Search, scores: NDArray[np.float64], limit: int) -> Iterator[tuple[int, int, Record]]:
    """Turns, best first, each with the row of it that is nearest to the question; equal ones in order of chunk id."""
    import numpy as np

    shelf, layout = found.shelf, found.shelf.layout
    by_row = np.full(shelf.size, -np.inf)
    by_row[layout.rows[layout.starts]] = scores
    seen, wanted = 0, max(limit, 1)
    while True:
        turns = [int(layout.turn_of[row]) for row in shelf.best(by_row, wanted)]
        fresh = turns[seen:]
        rows = [_nearest_row(found, turn) for turn in fresh]
        yield from zip(fresh, rows, shelf.records(rows), strict=True)
        if len(turns) < wanted:
            return
        seen, wanted = len(turns), wanted * _MORE


def _nearest_row(found: _Search, turn: int) -> int:
    rows = found.shelf.layout.rows_of(turn)
    if found.cosines is None or len(rows) == 1:
        return int(rows[0])
    return int(rows[int(found.cosines[rows].argmax())])


def _count_ranks(evidence: Mapping[str, NDArray[np.float64]], turn: int) -> dict[str, int]:
    """The rank of a turn from 1 by vectors alone and by words alone; without those of which it has nothing."""
    return {
        name: 1 + int((evidence[feature] > evidence[feature][turn]).sum())
        for name, feature in (("dense", DENSE_FEATURES[0]), ("keyword", LEXICAL_FEATURES[0]))
        if feature in evidence and evidence[feature][turn] > 0
    }


def _weights_of(method: Method, weights: Weights) -> Weights:
    """Keyword search leaves out the vectors, dense search the keywords."""
    left_out = {Method.KEYWORD: DENSE_FEATURES, Method.DENSE: LEXICAL_FEATURES}.get(method, ())
    return replace(weights, **dict.fromkeys(left_out, 0.0))


def _wanted(record: Record, query: Query) -> bool:
    if query.project is not None and record.project not in (None, query.project):
        return False
    return _known_by(record.created, query.as_of)


def _known_by(moment: datetime | None, as_of: datetime | None) -> bool:
    return moment is None or as_of is None or moment <= as_of

"""Queries, hits and the two formulas of the SECI description: reciprocal rank fusion and the keyword boost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from seci.core.chunk import Kind

RRF_K = 60
KEYWORD_BOOST = 0.30


class Unit(StrEnum):
    """What a hit stands for. A session's or note's score is that of its best turn or chunk."""

    TURN = "turn"
    SESSION = "session"
    NOTE = "note"


class Method(StrEnum):
    HYBRID = "hybrid"
    DENSE = "dense"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class Query:
    """A question. `kinds` says where to look, `now` resolves words like "last week", `as_of` looks back in time;
    without `snippets` hits come without their text, which for hundreds of them saves most of the time."""

    text: str
    limit: int = 10
    kinds: frozenset[Kind] = frozenset(Kind)
    unit: Unit | None = None  # None: notes for distilled hits, turns for raw ones
    method: Method = Method.HYBRID
    project: str | None = None
    now: datetime | None = None
    as_of: datetime | None = None
    snippets: bool = True

    def __post_init__(self) -> None:
        """Bytes of a terminal that are no text become question marks: no model and no table takes them."""
        object.__setattr__(self, "text", self.text.encode("utf-8", "replace").decode("utf-8"))


class LateRanks(Mapping[str, int]):
    """Ranks that are counted when somebody looks at them: most contexts are read without."""

    def __init__(self, count: Callable[[], dict[str, int]]) -> None:
        self._count = count

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return self._count()

    def __getitem__(self, name: str) -> int:
        return self._ranks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ranks)

    def __len__(self) -> int:
        return len(self._ranks)

    def __repr__(self) -> str:
        return repr(self._ranks)


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked result. `id` is a note's id, or the session id that the source gave; `relevance` is 0..1 on an
    absolute scale, `score` only orders; `ranks` maps "dense" and "keyword" to its rank from 1 by that alone, "lifted"
    to the place that it has because it tells of a change (`core.currency`)."""

    id: str
    kind: Kind
    path: str
    title: str
    score: float
    snippet: str
    session: str | None = None
    turns: tuple[int, ...] = ()
    namespace: str | None = None
    tier: str | None = None
    relevance: float = 0.0
    ranks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits, best first. `degraded`: answered from keywords alone because no process held the index."""

    hits: tuple[Hit, ...]
    degraded: bool = False


def reciprocal_rank_fusion(rankings: Iterable[Sequence[str]], k: int = RRF_K) -> dict[str, float]:
    """Sum over rankings of 1 / (k + rank), rank from 1 (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (k + rank)
    return scores


def keyword_overlap(query_words: frozenset[str], text_words: frozenset[str]) -> float:
    """Share of the query's words that the text has, 0..1; 0 for a query without words."""
    return len(query_words & text_words) / len(query_words) if query_words else 0.0


def keyword_boost(score: float, overlap: float, boost: float = KEYWORD_BOOST) -> float:
    """The fused score times up to 1 + `boost` (SECI vault, Rankfor.AI 2026)."""
    return score * (1.0 + boost * overlap)

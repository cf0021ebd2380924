"""Reading as the paper reads: dense cosine with BM25 over what is stored, 60 memories for a question."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from seci.router.features import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.router.corpus import Stream

MEMORIES = 60
_RANK_CONSTANT = 60
_K1, _B = 1.2, 0.75


class Search:
    """One conversation that is searched whole or in part, by what was kept of it."""

    def __init__(self, stream: Stream, embedder: Embedder, memories: int = MEMORIES) -> None:
        self.stream = stream
        self.memories = memories
        self.embedder = embedder
        self.words = [split_words(f"{turn.speaker or ''} {turn.text}") for turn in stream.turns]
        self._asked = {question: embedder.embed_query(question) for question, _ in stream.questions}

    def embed(self, question: str) -> NDArray[np.float32]:
        """The conversation's own questions are embedded once."""
        known = self._asked.get(question)
        return self.embedder.embed_query(question) if known is None else known

    def keep(self, kept: NDArray[np.bool_]) -> Store:
        return Store(self, np.flatnonzero(kept))

    def score(self, kept: NDArray[np.bool_]) -> float:
        """Mean over questions of the share of their evidence turns that is found among the kept turns; NaN without any
        question."""
        stored = self.keep(kept)
        shares = [
            len(set(evidence) & set(stored.find(question))) / len(evidence)
            for question, evidence in self.stream.questions
            if evidence
        ]
        return float(np.mean(shares)) if shares else float("nan")


class Store:
    """The kept rows of a conversation."""

    def __init__(self, search: Search, rows: NDArray[np.int64]) -> None:
        self._search = search
        self._rows = rows
        self._vectors = search.stream.vectors[rows]
        self._sparse = BM25([search.words[row] for row in rows])

    def find(self, question: str) -> list[int]:
        """The rows of the best memories, best first."""
        dense = self._vectors @ self._search.embed(question)
        order = fuse_ranks(dense, self._sparse.score(split_words(question)))
        return [int(row) for row in self._rows[order[: self._search.memories]]]


def fuse_ranks(dense: NDArray[np.float32], sparse: NDArray[np.float32]) -> NDArray[np.int64]:
    """Places, best first, by reciprocal rank fusion with constant 60 (Cormack et al. 2009)."""
    fused = np.zeros(len(dense))
    for score in (dense, sparse):
        order = np.argsort(-score, kind="stable")
        fused[order] += 1.0 / (_RANK_CONSTANT + 1 + np.arange(len(order)))
    return np.argsort(-fused, kind="stable")


class BM25:
    """Okapi BM25 (k1 1.2, b 0.75) over documents given as words."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._count = len(documents)
        lengths = np.array([len(document) for document in documents], np.float32)
        self._norm = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))
        self._holders: dict[str, list[tuple[int, int]]] = {}
        for place, document in enumerate(documents):
            for word, count in Counter(document).items():
                self._holders.setdefault(word, []).append((place, count))

    def score(self, query: Sequence[str]) -> NDArray[np.float32]:
        """Each document's score for the words of the query."""
        scores = np.zeros(self._count, np.float32)
        for word in set(query):
            holders = self._holders.get(word, [])
            idf = math.log(1 + (self._count - len(holders) + 0.5) / (len(holders) + 0.5))
            for place, count in holders:
                scores[place] += idf * count * (_K1 + 1) / (count + self._norm[place])
        return scores

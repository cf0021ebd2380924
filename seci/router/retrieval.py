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


def score_retrieval(stream: Stream, kept: NDArray[np.bool_], embedder: Embedder, memories: int = MEMORIES) -> float:
    """Mean over questions of the share of their evidence turns among the `memories` best of the kept turns."""
    rows = np.flatnonzero(kept)
    words = [split_words(f"{stream.turns[row].speaker or ''} {stream.turns[row].text}") for row in rows]
    shares = []
    for question, evidence in stream.questions:
        if evidence:
            dense = stream.vectors[rows] @ embedder.embed_query(question)
            best = rows[fuse_ranks(dense, score_bm25(words, split_words(question)))[:memories]]
            shares.append(len(set(evidence) & set(best.tolist())) / len(evidence))
    return float(np.mean(shares)) if shares else float("nan")


def fuse_ranks(dense: NDArray[np.float32], sparse: NDArray[np.float32]) -> NDArray[np.int64]:
    """Places, best first, by reciprocal rank fusion with constant 60 (Cormack et al. 2009)."""
    fused = np.zeros(len(dense))
    for score in (dense, sparse):
        order = np.argsort(-score, kind="stable")
        fused[order] += 1.0 / (_RANK_CONSTANT + 1 + np.arange(len(order)))
    return np.argsort(-fused, kind="stable")


def score_bm25(documents: Sequence[Sequence[str]], query: Sequence[str]) -> NDArray[np.float32]:
    """Okapi BM25 (k1 1.2, b 0.75) of each document for the words of the query."""
    counts = [Counter(document) for document in documents]
    mean = sum(map(len, documents)) / max(1, len(documents))
    scores = np.zeros(len(documents), np.float32)
    for word in set(query):
        holders = sum(word in count for count in counts)
        idf = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
        for place, count in enumerate(counts):
            if n := count[word]:
                length = 1 - _B + _B * len(documents[place]) / max(1.0, mean)
                scores[place] += idf * n * (_K1 + 1) / (n + _K1 * length)
    return scores

"""BM25 in memory: exact scores of every row for a few terms in well under a millisecond.

FTS5 scores 10,000 rows in 7 ms and 100,000 in 55, and asking it for the scores of given rows takes it ten times as
long; the warm process therefore keeps the terms as arrays, and FTS5 answers where there is no warm process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING

from seci.index.tables import term_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75


class Postings:
    """Which rows hold which terms, how often. Rows are added at the end and never change."""

    def __init__(self, terms: Sequence[bytes]) -> None:
        """`terms[row]` holds the row's term numbers as unsigned 64-bit integers, repeats included."""
        import numpy as np

        lengths = np.fromiter((len(blob) // 8 for blob in terms), np.int64, len(terms))
        flat = np.frombuffer(b"".join(terms), np.uint64)
        rows = np.repeat(np.arange(len(terms), dtype=np.int32), lengths)
        order = np.argsort(flat, kind="stable")  # rows stay in order within a term, so repeats stand side by side
        flat, rows = flat[order], rows[order]
        fresh = np.ones(len(flat), bool)
        fresh[1:] = (flat[1:] != flat[:-1]) | (rows[1:] != rows[:-1])
        starts = np.flatnonzero(fresh)
        self._rows: NDArray[np.int32] = rows[starts]
        self._counts: NDArray[np.float32] = np.diff(starts, append=len(flat)).astype(np.float32)
        held = flat[starts]
        first = np.ones(len(held), bool)
        first[1:] = held[1:] != held[:-1]
        self._bounds: NDArray[np.int64] = np.append(np.flatnonzero(first), len(held))
        self._vocabulary: NDArray[np.uint64] = held[first]
        self._later: dict[int, dict[int, int]] = {}  # term -> row -> count, of rows added since
        self._lengths = [lengths.astype(np.int32)]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Terms of each row, repeats included."""
        import numpy as np

        if len(self._lengths) > 1:
            self._lengths = [np.concatenate(self._lengths)]
        return self._lengths[0]

    def add(self, row: int, terms: bytes) -> None:
        import numpy as np

        numbers, counts = np.unique(np.frombuffer(terms, np.uint64), return_counts=True)
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            self._later.setdefault(number, {})[row] = count
        self._lengths.append(np.array([len(terms) // 8], np.int32))

    def find(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(rows that hold the term, how often each does)."""
        import numpy as np

        number = term_number(term)
        place = int(np.searchsorted(self._vocabulary, np.uint64(number)))
        if place < len(self._vocabulary) and int(self._vocabulary[place]) == number:
            span = slice(self._bounds[place], self._bounds[place + 1])
            rows, counts = self._rows[span], self._counts[span]
        else:
            rows, counts = self._rows[:0], self._counts[:0]
        if later := self._later.get(number):
            rows = np.append(rows, np.fromiter(later, np.int32, len(later)))
            counts = np.append(counts, np.fromiter(later.values(), np.float32, len(later)))
        return rows, counts


def score_bm25(postings: Postings, terms: Iterable[str], live: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(len(live),) Okapi BM25 with k1 1.2 and b 0.75 (Robertson et al., TREC-3, 1994), counted over the live rows.

    The inverse document frequency is log(1 + (N - n + 0.5) / (n + 0.5)), which stays positive for a term that most
    rows hold. Each term counts once. Rows that are not live score minus infinity.
    """
    import numpy as np

    lengths = postings.lengths
    count = int(live.sum())
    mean = float(lengths[live].sum()) / count if count else 1.0
    scores = np.zeros(len(live), np.float64)
    for term in dict.fromkeys(terms):
        rows, frequency = postings.find(term)
        holding = int(live[rows].sum())
        if holding:
            weight = log(1 + (count - holding + 0.5) / (holding + 0.5))
            norm = K1 * (1 - B + B * lengths[rows] / max(mean, 1e-9))
            scores[rows] += weight * frequency * (K1 + 1) / (frequency + norm)
    result: NDArray[np.float32] = np.where(live, scores, -np.inf).astype(np.float32)
    return result

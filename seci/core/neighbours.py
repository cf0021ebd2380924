"""Which notes are worth comparing: near-linear in their number, never every pair.

Two ways find a pair. Vectors that lie near the same centroids are compared with each other (an inverted file: the
number of comparisons grows with the size of a cell, not with the number of notes), and notes that share rare words
are compared however far apart their vectors fell. The result does not depend on the order of the notes.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from seci.core.lexicon import LANGUAGES, lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR = 0.45  # cosine below which nothing is compared; the least that `conflict` would look at
NEAREST = 12  # neighbours kept for each note
CELL = 128  # notes in a cell on average
PROBES = 3  # cells that each note lies in
RARE = 24  # notes that a word may stand in and still be a reason to compare
RAREST = 4  # words of a note that are followed
_BLOCK = 4_096  # rows of one product, so that memory stays flat


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two notes that may say the same or conflict; `similarity` is the cosine of their embeddings."""

    a: str
    b: str
    similarity: float


def content_words(text: str) -> set[str]:
    """The words of a text that may make two notes worth comparing: function words of no known language."""
    return set(re.findall(r"\w+", text.casefold())) - _function_words()


@cache
def _function_words() -> frozenset[str]:
    return frozenset().union(*(lexicon(language).function for language in LANGUAGES))


def select_pairs(
    ids: Sequence[str], vectors: NDArray[np.float32], words: Sequence[Iterable[str]], floor: float = FLOOR
) -> list[CandidatePair]:
    """The candidate pairs among notes, `a` before `b`, in order. `vectors` has a row of length 1 for each id;
    `words` the words of each note, function words left out."""
    import numpy as np

    order = sorted(range(len(ids)), key=lambda i: ids[i])
    ids = [ids[i] for i in order]
    vectors = np.ascontiguousarray(vectors[order], dtype=np.float32)
    found: dict[tuple[int, int], float] = {}
    for i, j, cosine in _near_by_vector(vectors, floor):
        found[(i, j)] = cosine
    lexical = sorted(_near_by_word([words[i] for i in order]) - found.keys())
    for start in range(0, len(lexical), _BLOCK):
        block = np.asarray(lexical[start : start + _BLOCK])
        cosines = np.einsum("ij,ij->i", vectors[block[:, 0]], vectors[block[:, 1]])
        for (i, j), cosine in zip(block.tolist(), cosines.tolist(), strict=True):
            if cosine >= floor:
                found[(i, j)] = cosine
    # Rounded, since the last bits of a product depend on how rows were blocked.
    return [CandidatePair(ids[i], ids[j], round(cosine, 4)) for (i, j), cosine in sorted(found.items())]


def _near_by_vector(vectors: NDArray[np.float32], floor: float) -> Iterable[tuple[int, int, float]]:
    import numpy as np

    count = len(vectors)
    cells = max(1, math.ceil(count / CELL))
    centroids = vectors[np.linspace(0, count - 1, cells).astype(int)] if count else vectors
    members: dict[int, list[int]] = defaultdict(list)
    probes = min(PROBES, cells)
    for start in range(0, count, _BLOCK):
        near = np.argpartition(-(vectors[start : start + _BLOCK] @ centroids.T), probes - 1, axis=1)[:, :probes]
        for row, row_cells in enumerate(near.tolist(), start):
            for cell in row_cells:
                members[cell].append(row)
    best: dict[int, dict[int, float]] = defaultdict(dict)
    for rows in members.values():
        for start in range(0, len(rows), _BLOCK):
            _compare(vectors, rows[start : start + _BLOCK], floor, best)
    for i, near_rows in best.items():
        kept = sorted(near_rows.items(), key=lambda item: (-item[1], item[0]))[:NEAREST]
        for j, cosine in kept:
            yield min(i, j), max(i, j), cosine


def _compare(vectors: NDArray[np.float32], rows: list[int], floor: float, best: dict[int, dict[int, float]]) -> None:
    """Each row of a cell against the others of it, the nearest kept."""
    import numpy as np

    inside = vectors[rows]
    for start in range(0, len(rows), 1024):
        cosines = inside[start : start + 1024] @ inside.T
        width = min(NEAREST + 1, len(rows))
        nearest = np.argpartition(-cosines, width - 1, axis=1)[:, :width]
        for offset, columns in enumerate(nearest.tolist()):
            i = rows[start + offset]
            for column in columns:
                j, cosine = rows[column], float(cosines[offset, column])
                if i != j and cosine >= floor:
                    best[i][j] = cosine


def _near_by_word(words: Sequence[Iterable[str]]) -> set[tuple[int, int]]:
    """Pairs that share one of the rarest words of either."""
    holders: dict[str, list[int]] = defaultdict(list)
    distinct = [sorted(set(note)) for note in words]
    for i, note in enumerate(distinct):
        for word in note:
            holders[word].append(i)
    pairs: set[tuple[int, int]] = set()
    for i, note in enumerate(distinct):
        shared = [word for word in note if 1 < len(holders[word]) <= RARE]
        for word in sorted(shared, key=lambda w: (len(holders[w]), w))[:RAREST]:
            pairs.update((min(i, j), max(i, j)) for j in holders[word] if i != j)
    return pairs

"""Which notes are worth comparing: near-linear in their number, never every pair.

Two ways find a pair. Vectors that lie near the same centroids are compared with each other (an inverted file: the
number of comparisons grows with the size of a cell, not with the number of notes), and notes that share rare words
are compared however far apart their vectors fell. The result does not depend on the order of the notes.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from sys import intern
from typing import TYPE_CHECKING

from seci.core.lexicon import LANGUAGES, lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR = 0.45  # cosine below which nothing is compared: what is less alike is rarely one thing, and there is much of it
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


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that may make two notes worth comparing, sorted: function words of no known language."""
    return tuple(map(intern, sorted(set(re.findall(r"\w+", text.casefold())) - _function_words())))


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
    if order != list(range(len(ids))):
        ids, words, vectors = [ids[i] for i in order], [words[i] for i in order], vectors[order]
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    by_vector, by_word = _near_by_vector(vectors, floor), _near_by_word(words)
    found = np.unique(np.concatenate([np.stack(by_vector, axis=1), np.stack(by_word, axis=1)]), axis=0)
    pairs = []
    for start in range(0, len(found), _BLOCK):
        block = found[start : start + _BLOCK]
        cosines = np.einsum("ij,ij->i", vectors[block[:, 0]], vectors[block[:, 1]])
        # Rounded, since the last bits of a product depend on how rows were blocked.
        pairs += [
            CandidatePair(ids[i], ids[j], round(cosine, 4))
            for (i, j), cosine in zip(block.tolist(), cosines.tolist(), strict=True)
            if cosine >= floor
        ]
    return pairs


Rows = tuple["NDArray[np.int32]", "NDArray[np.int32]"]  # numbers of two notes each, the smaller first


def _near_by_vector(vectors: NDArray[np.float32], floor: float) -> Rows:
    """Each note with its nearest ones among those that share a cell with it."""
    import numpy as np

    near = [np.zeros((3, 0), np.float64)]
    for rows in _cells(vectors):
        near += [_compare(vectors, rows[start : start + _BLOCK], floor) for start in range(0, len(rows), _BLOCK)]
    row, column, cosine = np.concatenate(near, axis=1)
    order = np.lexsort((column, -cosine, row))
    row, column = row[order].astype(np.int32), column[order].astype(np.int32)
    fresh = np.ones(len(row), bool)  # two notes that share several cells were compared in each
    fresh[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    row, column = row[fresh], column[fresh]
    first = np.flatnonzero(np.r_[True, row[1:] != row[:-1]]) if len(row) else np.zeros(0, np.int64)
    rank = np.arange(len(row)) - np.repeat(first, np.diff(np.r_[first, len(row)]))
    row, column = row[rank < NEAREST], column[rank < NEAREST]
    return np.minimum(row, column), np.maximum(row, column)


def _cells(vectors: NDArray[np.float32]) -> Iterable[NDArray[np.int32]]:
    """The notes of each cell; every note lies in the cells of its `PROBES` nearest centroids."""
    import numpy as np

    count = len(vectors)
    cells = max(1, math.ceil(count / CELL))
    probes = min(PROBES, cells)
    if not count:
        return
    centroids = vectors[np.linspace(0, count - 1, cells).astype(int)]
    nearest = np.empty((count, probes), np.int32)
    for start in range(0, count, _BLOCK):
        scores = -(vectors[start : start + _BLOCK] @ centroids.T)
        nearest[start : start + _BLOCK] = np.argpartition(scores, probes - 1, axis=1)[:, :probes]
    cell_of = nearest.ravel()
    order = np.argsort(cell_of, kind="stable")
    members = (order // probes).astype(np.int32)
    yield from np.split(members, np.searchsorted(cell_of[order], np.arange(1, cells)))


def _compare(vectors: NDArray[np.float32], rows: NDArray[np.int32], floor: float) -> NDArray[np.float64]:
    """(3, n) row, row and cosine: each row of a cell with its nearest others in it."""
    import numpy as np

    inside = vectors[rows]
    width = min(NEAREST + 1, len(rows))
    found = [np.zeros((3, 0), np.float64)]
    for start in range(0, len(rows), 1024):
        cosines = inside[start : start + 1024] @ inside.T
        nearest = np.argpartition(-cosines, width - 1, axis=1)[:, :width] if width else np.zeros((0, 0), np.int64)
        row = np.repeat(rows[start : start + 1024], width)
        cosine = np.round(np.take_along_axis(cosines, nearest, axis=1).ravel(), 4)
        column = rows[nearest.ravel()]
        kept = (row != column) & (cosine >= floor)
        found.append(np.stack([row[kept], column[kept], cosine[kept]]).astype(np.float64))
    return np.concatenate(found, axis=1)


def _near_by_word(words: Sequence[Iterable[str]]) -> Rows:
    """Pairs that share one of the rarest words of either."""
    import numpy as np

    holders: dict[str, list[int]] = defaultdict(list)
    for i, note in enumerate(words):
        for word in dict.fromkeys(note):
            holders[word].append(i)
    left, right = array("i"), array("i")
    for i, note in enumerate(words):
        shared = [word for word in set(note) if 1 < len(holders[word]) <= RARE]
        for word in sorted(shared, key=lambda w: (len(holders[w]), w))[:RAREST]:
            for j in holders[word]:
                if i != j:
                    left.append(min(i, j))
                    right.append(max(i, j))
    return np.array(left, np.int32), np.array(right, np.int32)

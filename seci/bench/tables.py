"""What the baselines are made of: a table of vectors, a table of words, and the texts of units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

from seci.bench.datasets import Case, Place
from seci.core.ports import Embedder
from seci.core.ranking import Unit
from seci.core.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75
_WORD = re.compile(r"\w+")


def split_units(sessions: Sequence[Session], unit: Unit) -> Iterator[tuple[Place, Session]]:
    """Each unit as a session of its own: a turn is a session of one turn."""
    for session in sessions:
        if unit is Unit.SESSION:
            yield Place(session.key), session
        else:
            for turn in session.turns:
                yield Place(session.key, turn.index), replace(session, turns=(turn,))


def render_text(session: Session) -> str:
    """The words that were said, a turn a line, speakers' names before them where there are names."""
    return "\n".join(f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text for turn in session.turns)


def select_best(places: Sequence[Place], scores: Sequence[float], depth: int) -> list[Place]:
    """The first `depth` distinct places by their best score; equal scores stand in the order of the haystack."""
    ranked: dict[Place, None] = {}
    for row in sorted(range(len(places)), key=lambda row: (-scores[row], row)):
        ranked.setdefault(places[row])
        if len(ranked) == depth:
            break
    return list(ranked)


class VectorTable:
    """Texts by their embeddings; exact search, so nothing is lost to approximation."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._places: list[Place] = []
        self._vectors: NDArray[np.float32] | None = None

    def fill(self, rows: Iterable[tuple[Place, str]]) -> None:
        """Takes the place of what was there. A text longer than the model's window is cut by the model."""
        rows = list(rows)
        self._places = [place for place, _ in rows]
        self._vectors = self._embedder.embed([text for _, text in rows])

    def rank(self, question: str, depth: int) -> list[Place]:
        if self._vectors is None:
            return []
        return select_best(self._places, (self._vectors @ self._embedder.embed_query(question)).tolist(), depth)

    def size(self) -> int:
        return self._vectors.nbytes if self._vectors is not None else 0


class WordTable:
    """Texts by their words: Okapi BM25 (Robertson et al., TREC-3, 1994) on lower-cased words as they stand, with no
    stemming and no stop words."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}

    def fill(self, rows: Iterable[tuple[Place, str]]) -> None:
        """Takes the place of what was there."""
        self._places, self._lengths, self._postings = [], [], {}
        for row, (place, text) in enumerate(rows):
            counts = Counter(split_words(text))
            self._places.append(place)
            self._lengths.append(counts.total())
            for word, count in counts.items():
                self._postings.setdefault(word, []).append((row, count))

    def rank(self, question: str, depth: int) -> list[Place]:
        rows = len(self._places)
        mean = sum(self._lengths) / rows if rows else 1.0
        scores = [0.0] * rows
        for word in dict.fromkeys(split_words(question)):
            held = self._postings.get(word, ())
            weight = log(1 + (rows - len(held) + 0.5) / (len(held) + 0.5))
            for row, count in held:
                norm = K1 * (1 - B + B * self._lengths[row] / mean)
                scores[row] += weight * count * (K1 + 1) / (count + norm)
        return select_best(self._places, scores, depth)

    def size(self) -> int:
        """As arrays of a row number and a count, four bytes each, beside the words."""
        return sum(len(word.encode()) + 8 * len(held) for word, held in self._postings.items())


class Ranked:
    """A method whose one table ranks."""

    _table: VectorTable | WordTable

    def rank(self, case: Case, depth: int) -> list[Place]:
        return self._table.rank(case.text, depth)

    def size(self) -> int:
        return self._table.size()


def split_words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())

"""Five plain baselines: what one gets from a library without thinking about memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.bench.datasets import Case, Place
from seci.bench.tables import Ranked, VectorTable, WordTable, render_text, select_best, split_units
from seci.core.ports import Embedder, TokenCounter
from seci.core.ranking import Unit
from seci.core.session import Session

_LONG_WORD = re.compile(r"\w{3,}")


def cut_units(sessions: Sequence[Session], unit: Unit, counter: TokenCounter, window: int) -> list[tuple[Place, str]]:
    """The text of every unit in slices that the model reads whole."""
    return [
        (place, piece.strip())
        for place, session in split_units(sessions, unit)
        for piece in counter.windows(render_text(session), window)
    ]


class Bm25Unit(Ranked):
    """Indexes the words of each whole unit, for BM25."""

    def __init__(self, embedder: Embedder) -> None:
        self._table = WordTable()

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill((place, render_text(session)) for place, session in split_units(sessions, unit))


class Bm25Window(Ranked):
    """Indexes the words of windows (as long as the model's) of each unit, for BM25; a unit ranks by its best one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._table = WordTable()

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill(cut_units(sessions, unit, self._embedder.counter, self._embedder.window))


class DenseUnit(Ranked):
    """Indexes one vector for each whole unit; what is beyond the model's window is not in it."""

    def __init__(self, embedder: Embedder) -> None:
        self._table = VectorTable(embedder)

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill((place, render_text(session)) for place, session in split_units(sessions, unit))


class DenseWindow(Ranked):
    """Indexes one vector for each window of a unit, so that nothing is cut off; a unit ranks by its best one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._table = VectorTable(embedder)

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill(cut_units(sessions, unit, self._embedder.counter, self._embedder.window))


class Grep:
    """Indexes nothing: counts, as `grep -i` would, how many of the question's words of three and more letters a unit
    contains anywhere, and among equals how often."""

    def __init__(self, embedder: Embedder) -> None:
        self._texts: list[tuple[Place, str]] = []

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._texts = [(place, render_text(session).lower()) for place, session in split_units(sessions, unit)]

    def rank(self, case: Case, depth: int) -> list[Place]:
        words = dict.fromkeys(_LONG_WORD.findall(case.text.lower()))
        scores = []
        for _, text in self._texts:
            counts = [text.count(word) for word in words]
            often = sum(counts)
            scores.append(sum(count > 0 for count in counts) + often / (often + 1))
        return select_best([place for place, _ in self._texts], scores, depth)

    def size(self) -> int:
        return 0

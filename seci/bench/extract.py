"""The extraction method with any distiller: what it writes down is searched, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from seci.bench.datasets import Place
from seci.bench.tables import Ranked, VectorTable
from seci.core.note import Draft
from seci.core.ports import Embedder
from seci.core.ranking import Unit
from seci.core.session import Session

PREFIX = "extract-"  # and the distiller's name


class Extract(Ranked):
    """Indexes one vector for each note that a distiller writes of the haystack. A unit stands where the best of the
    notes that cite it does; a unit that no note cites is not found."""

    def __init__(self, embedder: Embedder, draft: Callable[[Session], Sequence[Draft]]) -> None:
        self._table = VectorTable(embedder)
        self._draft = draft

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill(row for session in sessions for row in self._rows(session, unit))

    def _rows(self, session: Session, unit: Unit) -> Iterator[tuple[Place, str]]:
        for note in self._draft(session):
            text = f"{note.title}\n{note.body}"
            if unit is Unit.SESSION:
                yield Place(session.key), text
            else:
                yield from ((Place(session.key, turn), text) for turn in note.turns)

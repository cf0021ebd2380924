"""Who opens the index: the process that holds its lock, and nobody else.

A process that does not hold it asks the one that does, or takes the lock for as long as its work lasts. Reading needs
no lock: the tables may be read while another process writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from seci.core.ports import Embedder, Holdings, Index
from seci.errors import IndexBusyError, IndexingError

if TYPE_CHECKING:
    from seci.flows.reindex import ReindexReport
    from seci.index.dual import DualIndex
    from seci.index.keyword import Stamp

APPLY_PATIENCE = 60.0  # seconds that a writer waits for a command that holds the index
RESIDENT_PATIENCE = 600.0  # the same for a resident to read what was written; one that dies is noticed at once


class IndexKeeper:
    """The index of one vault. `embedder` builds the model when it is first needed."""

    def __init__(
        self, vault: Path, holdings: Holdings, embedder: Callable[[], Embedder], environ: Mapping[str, str]
    ) -> None:
        self._vault = vault
        self._state = vault / ".seci"
        self._holdings = holdings
        self._embedder = embedder
        self._environ = environ
        self._held: Index | None = None
        self._reindexing = Lock()  # a resident is asked to by many

    @property
    def held(self) -> bool:
        """Whether this process holds the index."""
        return self._held is not None

    @contextmanager
    def open(self, wait: float = 0.0) -> Iterator[Index]:
        """The index for writing: this process's own where it holds it, otherwise for as long as the block lasts.

        Raises IndexBusyError where another process holds it.
        """
        if self._held is not None:
            yield self._held
            return
        from seci.index.dual import open_index

        with open_index(self._state, self._stamp(), wait) as index:
            yield index

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keeps the index for this process until the block ends: what a resident does."""
        with self.open() as index:
            self._held = index
            try:
                yield
            finally:
                self._held = None

    def _stamp(self) -> Stamp:
        from seci.index.keyword import Stamp

        return Stamp(self._embedder().name, self._embedder().dimensions, self._embedder().window)

    def reindex(self, progress: Callable[..., None] = lambda *_, **__: None, wait: float = 0.0) -> ReindexReport:
        """Makes the index equal to the vault. Raises IndexBusyError where another process holds it."""
        from seci.flows.reindex import reindex

        with self._reindexing, self.open(wait) as index:
            return reindex(self._holdings, index, self._embedder(), self._embedder().counter, progress)

    def check(self) -> list[str]:
        """In which ways the index differs from what a rebuild would give."""
        from seci.flows.reindex import check_index

        with self.open(APPLY_PATIENCE) as index:
            return check_index(self._holdings, index)

    def apply(self, progress: Callable[..., None] = lambda *_, **__: None) -> None:
        """Brings the index up to date after a write: through the resident process where one holds it."""
        if self._held is None and self._ask_resident(["reindex"]):
            return
        self.reindex(progress, wait=APPLY_PATIENCE)

    def _ask_resident(self, arguments: list[str]) -> bool:
        from seci.client.wire import ask, encode_request, forwarded

        variables = forwarded(self._environ.items())
        request = encode_request(
            str(self._vault), "", b"", variables, [*arguments, "--vault", str(self._vault), "--json"]
        )
        answer = ask(str(self._vault), request, RESIDENT_PATIENCE)
        return answer is not None and answer[0] == 0

    def holder(self) -> str | None:
        """Who holds the index, None where nobody does."""
        from seci.index.lock import own_index, read_holder

        try:
            with own_index(self._state):
                return None
        except IndexBusyError:
            return read_holder(self._state)

    @contextmanager
    def read(self) -> Iterator[Index]:
        """The index for reading, brought up to date first where no other process holds it.

        The tables may be read while another process writes; Chroma is not opened, unless files changed.
        """
        if self._held is not None:
            with self._held.reading():
                yield self._held
            return
        from seci.index.dual import DualIndex

        index = self._current_index()
        if index is None:
            with suppress(IndexBusyError):  # whoever holds it keeps it up to date
                self.reindex()
            index = DualIndex(self._state / "index", self._stamp(), read_only=True)
        try:
            with index.reading():
                yield index
        finally:
            index.close()

    def _current_index(self) -> DualIndex | None:
        """The index where it is there and equals the vault, None where somebody has to reindex first."""
        from seci.flows.reindex import plan_difference
        from seci.index.dual import DualIndex

        try:
            index = DualIndex(self._state / "index", self._stamp(), read_only=True)
        except IndexingError:
            return None
        change = plan_difference(self._holdings.listing(), index.listing())
        if change.added or change.modified or change.removed:
            index.close()
            return None
        return index

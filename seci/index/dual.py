"""The index of a vault: Chroma and the SQLite tables kept as one.

The tables hold everything, vectors included, and change in one transaction; Chroma follows. Before Chroma is written
the tables say which chunks are under way, and the transaction that makes the change true takes that back; whatever
a crash leaves announced is put right from the tables at the next opening. A damaged Chroma folder is filled again
from the tables, damaged tables mean an empty index and a reindex.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, Kind
from seci.core.document import Document, Record
from seci.core.note import Tier
from seci.errors import IndexingError
from seci.index.chroma import ChromaIndex, discard_chroma, seal_of
from seci.index.keyword import KeywordTables, Stamp
from seci.index.lock import own_index
from seci.index.shelf import MemoryShelf
from seci.index.tables import DATABASE, FOLDER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OBSTACLES = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
)
_REFILL = 1000  # vectors sent to Chroma at a time when it is filled from the tables


@contextmanager
def open_index(state: Path, stamp: Stamp, wait: float = 0.0) -> Iterator[DualIndex]:
    """The index in a vault's `.seci` folder, for writing. Raises IndexBusyError when another process owns it."""
    with own_index(state, wait):
        index = DualIndex(state / FOLDER, stamp)
        try:
            yield index
        finally:
            index.close()


class DualIndex:
    """Implements `core.ports.Index`. The caller holds the index lock, or asked for `read_only`.

    Chroma is opened by the first call that writes to it or checks it. Safe to share between threads.
    """

    def __init__(self, folder: Path, stamp: Stamp, *, read_only: bool = False) -> None:
        """`read_only` raises IndexingError when there is no such index; otherwise an empty one takes its place and
        `emptied` says why."""
        self.folder = folder
        self.emptied: str | None = None
        self._stamp = stamp
        self._read_only = read_only
        self._writing = RLock()  # taken before the other one
        self._lock = RLock()
        self._chroma: ChromaIndex | None = None
        self._agreed = False  # whether Chroma, since it was opened, was seen to hold what the tables hold
        self._shelves: dict[Kind, MemoryShelf] = {}
        self._tables = self._open_tables()
        self._seen = self._tables.generation

    def close(self) -> None:
        with self._writing, self._lock:
            self._shelves.clear()
            if self._chroma:
                self._chroma.close()
                self._chroma = None
                self._tables.seal = seal_of(self.folder)
            self._tables.close()

    def listing(self) -> list[tuple[str, str]]:
        with self._guard():
            return self._tables.listing()

    def known_vectors(self, digests: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        import numpy as np

        with self._guard():
            found = self._tables.vectors_by_digest(digests)
        return {digest: np.frombuffer(vector, np.float32) for digest, vector in found.items()}

    def shelf(self, kind: Kind) -> MemoryShelf:
        with self._guard():
            self._notice_changes()
            shelf = self._shelves.get(kind)
            if shelf is None or shelf.stale:
                shelf = self._shelves[kind] = MemoryShelf(kind, self._tables, self._stamp.dimensions)
            return shelf

    def records_at(self, paths: Iterable[str]) -> dict[str, Record]:
        with self._guard():
            found: dict[str, Record] = {}
            unknown = list(dict.fromkeys(paths))
            for shelf in self._shelves.values():
                found |= shelf.known_records(unknown)
                unknown = [path for path in unknown if path not in found]
            return found | {record.path: record for record in self._tables.records_at(unknown)}

    def records_of(self, tier: Tier) -> list[Record]:
        with self._guard():
            return self._tables.records_of(tier)

    def chunks_at(self, places: Sequence[tuple[str, Collection[int]]]) -> list[list[Chunk]]:
        with self._guard():
            return self._tables.chunks_at(places)

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._guard(), self._tables.snapshot():
            self._notice_changes()
            yield

    def _notice_changes(self) -> None:
        """Lets go of what was read before another process applied something."""
        if (generation := self._tables.generation) != self._seen:
            self._shelves.clear()
            self._seen = generation

    def apply(self, added: Sequence[tuple[Document, NDArray[np.float32]]] = (), removed: Iterable[str] = ()) -> None:
        with self._writing:  # readers go on while Chroma is written, and wait for the tables alone
            with self._guard():
                paths = {*self._tables.held(removed), *(document.record.path for document, _ in added)}
                if not paths:
                    return
                chroma = self._settled()
                old = self._tables.chunk_ids_of(paths)
                new = {kind: _vectors_of(added, kind) for kind in Kind}
                self._agreed = False
                self._tables.announce({*old, *(id for vectors in new.values() for id in vectors)})
            for kind in Kind:
                chroma.remove(kind, {id for id, was in old.items() if was is kind} - new[kind].keys())
                chroma.put(kind, new[kind])
            with self._guard():
                gone, come = self._tables.replace(paths, added)
                self._agreed = True
                self._seen = self._tables.generation
                self.emptied = None
                for kind, shelf in self._shelves.items():
                    shelf.follow(gone[kind], come[kind])

    def settle(self) -> None:
        """Opens Chroma only when its folder is not as this index left it, or something is pending."""
        with self._writing, self._guard():
            if self._chroma is None and not self._tables.pending and self._tables.seal == seal_of(self.folder):
                return
            self._settled()

    def verify(self) -> list[str]:
        with self._writing, self._guard():
            found = self._tables.complaints()
            try:
                chroma = self._chroma = self._chroma or self._open_chroma()
            except IndexingError as error:
                return [*found, error.reason]
            if pending := self._tables.pending:
                found.append(f"{len(pending)} chunks were being written when a process was stopped")
            for kind in Kind:
                found.extend(_compare(chroma, self._tables, kind))
            return found

    def _settled(self) -> ChromaIndex:
        """Chroma, holding what the tables hold: opened, and repaired where a crash or damage made it differ."""
        if self._read_only:
            raise IndexingError("the index was opened for reading only", subject=str(self.folder))
        if self._chroma is not None and self._agreed and not self._tables.pending:
            return self._chroma
        try:
            if self._chroma is None:
                self._chroma = self._open_chroma()
            self._reconcile(self._chroma)
            chroma = self._chroma
        except IndexingError:
            chroma = self._refill()
        self._tables.withdraw()
        self._agreed = True
        return chroma

    def _open_chroma(self) -> ChromaIndex:
        """Chroma once its collections answered. A folder that brought the last process down is not opened again."""
        if self._tables.opening:
            raise IndexingError("a process ended while it opened Chroma", subject=str(self.folder))
        self._tables.opening = True
        self._tables.seal = None
        chroma = ChromaIndex(self.folder)
        chroma.probe(self._stamp.dimensions)
        self._tables.opening = False
        return chroma

    def _reconcile(self, chroma: ChromaIndex) -> None:
        doubtful = set(self._tables.pending)
        for kind in Kind:
            if chroma.count(kind) != self._tables.count(kind):
                doubtful |= chroma.ids(kind) ^ set(self._tables.chunk_ids(kind))
        self._copy(chroma, doubtful)

    def _refill(self) -> ChromaIndex:
        if self._chroma:
            self._chroma.close()
            self._chroma = None
        discard_chroma(self.folder)
        self._tables.seal = None
        chroma = self._chroma = ChromaIndex(self.folder)
        for kind in Kind:
            self._copy(chroma, self._tables.chunk_ids(kind))
        self._tables.opening = False
        return chroma

    def _copy(self, chroma: ChromaIndex, ids: Iterable[str]) -> None:
        """Makes Chroma hold of these chunks exactly what the tables hold."""
        import numpy as np

        wanted = sorted(ids)
        for start in range(0, len(wanted), _REFILL):
            part = wanted[start : start + _REFILL]
            held = self._tables.vectors_by_id(part)
            for kind in Kind:
                vectors = {id: np.frombuffer(blob, np.float32) for id, (of, blob) in held.items() if of is kind}
                chroma.remove(kind, set(part) - vectors.keys())
                chroma.put(kind, vectors)

    def _open_tables(self) -> KeywordTables:
        if self._read_only:
            return self._open_existing()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            tables = KeywordTables(self.folder)
            reason = tables.damage() or tables.difference(self._stamp)
            if reason is None:
                return tables
            tables.close()
        except (sqlite3.DatabaseError, ValueError) as error:
            if is_obstacle(error):
                raise IndexingError(f"the index cannot be opened: {error}", subject=str(self.folder)) from error
            reason = f"the tables were damaged: {error}"
        except OSError as error:
            raise self._unwritable(error) from error
        self.emptied = reason
        try:
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            tables = KeywordTables(self.folder)
            tables.create(self._stamp)
        except OSError as error:
            raise self._unwritable(error) from error
        except sqlite3.DatabaseError as error:
            raise IndexingError(f"the index cannot be written: {error}", subject=str(self.folder)) from error
        return tables

    def _unwritable(self, error: OSError) -> IndexingError:
        return IndexingError(f"the index cannot be written: {error.strerror or error}", subject=str(self.folder))

    def _open_existing(self) -> KeywordTables:
        hint = "run seci reindex"
        if not (self.folder / DATABASE).is_file():
            raise IndexingError("there is no index", subject=str(self.folder), hint=hint)
        try:
            tables = KeywordTables(self.folder, read_only=True)
            reason = tables.difference(self._stamp)
        except (sqlite3.DatabaseError, ValueError) as error:
            raise IndexingError(f"the index is damaged: {error}", subject=str(self.folder), hint=hint) from error
        if reason:
            tables.close()
            raise IndexingError(f"the index is another one: {reason}", subject=str(self.folder), hint=hint)
        return tables

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.DatabaseError as error:
                what = "cannot be used" if is_obstacle(error) else "is damaged"
                raise IndexingError(
                    f"the index {what}: {error}", subject=str(self.folder), hint="run seci reindex"
                ) from error


def _vectors_of(added: Sequence[tuple[Document, NDArray[np.float32]]], kind: Kind) -> dict[str, NDArray[np.float32]]:
    return {
        chunk.id: vector
        for document, vectors in added
        for chunk, vector in zip(document.chunks, vectors, strict=True)
        if chunk.kind is kind
    }


def is_obstacle(error: Exception) -> bool:
    """Whether SQLite was kept from working (locked, no rights, disk full) rather than found damage."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _OBSTACLES


def _compare(chroma: ChromaIndex, tables: KeywordTables, kind: Kind) -> list[str]:
    import numpy as np

    ours, theirs = set(tables.chunk_ids(kind)), chroma.ids(kind)
    found = []
    if ours != theirs:
        found.append(f"Chroma, {kind.value}: {len(ours - theirs)} missing, {len(theirs - ours)} too many")
    wrong = 0
    both = sorted(ours & theirs)
    for start in range(0, len(both), _REFILL):
        part = both[start : start + _REFILL]
        held = tables.vectors_by_id(part)
        for id, vector in chroma.vectors(kind, part).items():
            wrong += not np.allclose(vector, np.frombuffer(held[id][1], np.float32), atol=1e-6)
    if wrong:
        found.append(f"Chroma, {kind.value}: {wrong} vectors differ")
    return found

"""`.seci/usage.sqlite3`: which notes were put into a context, and when. Local: it never travels with the vault."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from seci.core.scoring import UsageCount
from seci.errors import VaultError
from seci.state.folder import LOCAL, local_folder

PATIENCE = 5.0  # seconds that a writer waits for another one
_BATCH = 500  # variables in one statement; SQLite's oldest limit is 999
# Write-ahead, so that counting what a context used does not wait for the disk.
_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS uses (note TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS uses_by_note ON uses (note, at);
"""


class UsageLog:
    """The usage of one vault's notes; any number of processes and threads may use it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.path = root / LOCAL / "usage.sqlite3"
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None  # kept open: opening and closing cost more than counting
        self._file: tuple[int, int] | None = None

    def record(self, notes: Iterable[str], at: datetime) -> None:
        """Notes (ids) were put into a context at that time. Raises VaultError when that cannot be written down; where
        the vault is read-only nothing is counted."""
        rows = [(note, int(at.timestamp())) for note in notes]
        if rows and self._writable():
            local_folder(self._root)
            with self._open() as database:
                database.executemany("INSERT INTO uses (note, at) VALUES (?, ?)", rows)

    def counts(self, notes: Iterable[str], before: datetime | None = None) -> Mapping[str, UsageCount]:
        """How often each of these notes was used (before that moment), and when last; notes never used are left out."""
        wanted = list(notes)
        found: dict[str, UsageCount] = {}
        if not self.path.exists():
            return found
        end = before.timestamp() if before else math.inf
        with self._open() as database:
            for batch in _batches(wanted):
                marks = ", ".join("?" * len(batch))
                query = (
                    f"SELECT note, count(*), max(at) FROM uses WHERE note IN ({marks}) AND at < ? GROUP BY note"
                )  # fmt: skip
                for note, times, last in database.execute(query, [*batch, end]):
                    found[note] = UsageCount(times, datetime.fromtimestamp(last, UTC))
        return found

    def close(self) -> None:
        with self._lock:
            self._close()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                database = self._connect()
                with database:
                    yield database
            except sqlite3.Error as error:
                self._close()
                hint = "delete it: only the counts of what was used go with it"
                raise VaultError(f"cannot be used: {error}", subject=str(self.path), hint=hint) from error

    def _connect(self) -> sqlite3.Connection:
        """The connection to the file that stands there now: the vault may have been moved, deleted and made anew."""
        if self._database is None or self._file != self._identity():
            self._close()
            if self._writable():
                self._database = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False)
                self._database.executescript(_SCHEMA)
            else:  # nobody writes, so SQLite needs none of the files that it would put beside
                address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
                self._database = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._file = self._identity()
        return self._database

    def _writable(self) -> bool:
        """Whether the vault may be written at all: a mounted snapshot may not."""
        folder = self.path.parent
        return os.access(folder if folder.exists() else self._root, os.W_OK)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


def _batches(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]

"""`.seci/usage.sqlite3`: which notes were put into a context, and when. Local: it never travels with the vault."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
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
    """The usage of one vault's notes; any number of processes may use it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.path = root / LOCAL / "usage.sqlite3"

    def record(self, notes: Iterable[str], at: datetime) -> None:
        """Notes (ids) were put into a context at that time. Raises VaultError when that cannot be written down."""
        rows = [(note, int(at.timestamp())) for note in notes]
        if rows:
            local_folder(self._root)
            with self._open() as database:
                database.executemany("INSERT INTO uses (note, at) VALUES (?, ?)", rows)

    def counts(self, notes: Iterable[str]) -> Mapping[str, UsageCount]:
        """How often each of these notes was used, and when last; notes never used are left out."""
        wanted = list(notes)
        found: dict[str, UsageCount] = {}
        if not self.path.exists():
            return found
        with self._open() as database:
            for batch in _batches(wanted):
                marks = ", ".join("?" * len(batch))
                query = f"SELECT note, count(*), max(at) FROM uses WHERE note IN ({marks}) GROUP BY note"
                for note, times, last in database.execute(query, batch):
                    found[note] = UsageCount(times, datetime.fromtimestamp(last, UTC))
        return found

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as database, database:
                database.executescript(_SCHEMA)
                yield database
        except sqlite3.Error as error:
            hint = "delete it: only the counts of what was used go with it"
            raise VaultError(f"cannot be used: {error}", subject=str(self.path), hint=hint) from error


def _batches(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]

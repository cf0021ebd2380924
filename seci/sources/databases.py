"""Opens other tools' SQLite databases without touching them: a copy, write-ahead log included, read-only."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seci.sources.lines import read_head

_MAGIC = b"SQLite format 3\0"
_SIDE_SUFFIXES = ("-wal", "-shm")


class BrokenDatabase(Exception):
    """A database that cannot be copied, opened or queried; the message says why."""


class Snapshot:
    """A read-only copy of a database. Every query raises BrokenDatabase instead of a driver error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def tables(self) -> dict[str, set[str]]:
        """Column names by table."""
        names = [row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in names if isinstance(name, str)}
        return {name: {row[1] for row in self.rows(f"PRAGMA table_info({q})")} for name, q in quoted.items()}

    def rows(self, query: str, parameters: tuple[object, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows, streamed."""
        try:
            cursor = self._connection.execute(query, parameters)
            while (row := cursor.fetchone()) is not None:
                yield row
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:  # the driver decodes names strictly
            raise BrokenDatabase(str(error)) from error


@contextmanager
def open_snapshot(path: Path) -> Iterator[Snapshot]:
    """A copy of the database as it is now; the original is only read. Raises BrokenDatabase."""
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            shutil.copyfile(path, copy)
            for suffix in _SIDE_SUFFIXES:
                side = path.with_name(path.name + suffix)
                if side.is_file():
                    shutil.copyfile(side, copy.with_name(copy.name + suffix))
            connection = sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)
        except (OSError, sqlite3.Error) as error:
            raise BrokenDatabase(getattr(error, "strerror", None) or str(error)) from error
        try:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            yield Snapshot(connection)
        finally:
            connection.close()


def holds_table(path: Path, *tables: str) -> bool:
    """Whether a file is an SQLite database whose first pages, or whose write-ahead log, create all these tables."""
    head = read_head(path)
    if not head.startswith(_MAGIC):
        return False
    pages = (head + read_head(path.with_name(path.name + "-wal"))).lower()
    return all(re.search(rb"create table [`\"\[]?%s[`\"\]]?\s*\(" % table.lower().encode(), pages) for table in tables)


def database_side_files(path: Path) -> Iterator[Path]:
    """The write-ahead log and its index, which belong to the database."""
    for suffix in _SIDE_SUFFIXES:
        yield path.with_name(path.name + suffix)

"""The SQLite side of the index: documents, chunks, FTS5, and the marker that makes Chroma follow.

One writer (the holder of the index lock), any number of readers: WAL lets them read the last whole state while it is
written.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.core.chunk import CHUNKING, Chunk, Kind, digest_passage, join_heading
from seci.core.document import Document, Record
from seci.core.note import Tier
from seci.index.rows import (
    CHUNK_COLUMNS,
    RECORD_COLUMNS,
    chunk_values,
    parse_chunk,
    parse_record,
    parse_turns,
    record_values,
)
from seci.index.tables import CREATE, DATABASE, SCHEMA, split_terms, term_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE = 500  # parameters in one statement
_STAMP = "stamp"
_GENERATION = "generation"
_PENDING = "pending"
_OPENING = "opening"
_SEAL = "seal"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an index was built with. Any difference means another index."""

    model: str
    dimensions: int
    window: int
    schema: int = SCHEMA
    chunking: int = CHUNKING


class KeywordTables:
    """The open database. sqlite3.DatabaseError passes through: `DualIndex` decides what damage means."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / DATABASE
        self._read_only = read_only
        if read_only:
            self._db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        else:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=30, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
        self._db.row_factory = sqlite3.Row

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """For a reader: what it sees does not change within the block, whatever the writer does meanwhile."""
        if not self._read_only or self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def create(self, stamp: Stamp) -> None:
        with self._transaction():
            for statement in CREATE.strip().split(";\n"):
                self._db.execute(statement)
            self._set(_STAMP, json.dumps(asdict(stamp)))
            self._set(_GENERATION, "0")

    def difference(self, stamp: Stamp) -> str | None:
        """Why this is not the index that `stamp` describes, in words; None where it is."""
        if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            return "there was no index"
        found = json.loads(self._get(_STAMP) or "{}")
        wanted = asdict(stamp)
        changed = [f"{key} was {found.get(key)}, is {wanted[key]}" for key in wanted if found.get(key) != wanted[key]]
        return "; ".join(changed) or None

    def damage(self) -> str | None:
        """What SQLite's own quick check says; None where all is well."""
        (word,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        return None if word == "ok" else str(word)

    @property
    def generation(self) -> int:
        """Counts applies."""
        return int(self._get(_GENERATION) or 0)

    @property
    def pending(self) -> frozenset[str]:
        """Ids of chunks that Chroma may have got, or lost, without the tables."""
        return frozenset(json.loads(self._get(_PENDING) or "[]"))

    @property
    def opening(self) -> bool:
        """Whether Chroma is being opened. True at the start means that it took the last process down with it."""
        return self._get(_OPENING) is not None

    @opening.setter
    def opening(self, value: bool) -> None:
        with self._transaction():
            if value:
                self._set(_OPENING, "yes")
            else:
                self._db.execute("DELETE FROM meta WHERE key = ?", (_OPENING,))

    @property
    def seal(self) -> str | None:
        """What Chroma's folder looked like when it was last closed properly; None while it is open."""
        return self._get(_SEAL)

    @seal.setter
    def seal(self, value: str | None) -> None:
        with self._transaction():
            if value is not None:
                self._set(_SEAL, value)
            else:
                self._db.execute("DELETE FROM meta WHERE key = ?", (_SEAL,))

    def announce(self, ids: Iterable[str]) -> None:
        """Said before Chroma is written; `replace` takes it back in the transaction that makes it true."""
        with self._transaction():
            self._set(_PENDING, json.dumps(sorted(ids)))

    def withdraw(self) -> None:
        with self._transaction():
            self._db.execute("DELETE FROM meta WHERE key = ?", (_PENDING,))

    def listing(self) -> list[tuple[str, str]]:
        return [
            (row["path"], row["digest"]) for row in self._db.execute("SELECT path, digest FROM document ORDER BY path")
        ]

    def held(self, paths: Iterable[str]) -> set[str]:
        """Those of the paths that are indexed."""
        return {row["path"] for row in self._select("SELECT path FROM document WHERE path IN", paths)}

    def chunk_ids(self, kind: Kind) -> list[str]:
        return [row["id"] for row in self._db.execute("SELECT id FROM chunk WHERE kind = ? ORDER BY id", (kind.value,))]

    def count(self, kind: Kind) -> int:
        return int(self._db.execute("SELECT count(*) FROM chunk WHERE kind = ?", (kind.value,)).fetchone()[0])

    def chunk_ids_of(self, paths: Iterable[str]) -> dict[str, Kind]:
        sql = "SELECT chunk.id, chunk.kind FROM chunk JOIN document ON document.number = chunk.document WHERE path IN"
        return {row["id"]: Kind(row["kind"]) for row in self._select(sql, paths)}

    def vectors_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Kind, bytes]]:
        rows = self._select("SELECT id, kind, vector FROM chunk WHERE id IN", ids)
        return {row["id"]: (Kind(row["kind"]), row["vector"]) for row in rows}

    def vectors_by_digest(self, digests: Iterable[str]) -> dict[str, bytes]:
        return {
            row["digest"]: row["vector"]
            for row in self._select("SELECT digest, vector FROM chunk WHERE digest IN", digests)
        }

    def vectors_by_number(self, numbers: Sequence[int]) -> dict[int, bytes]:
        return {
            row["number"]: row["vector"]
            for row in self._select("SELECT number, vector FROM chunk WHERE number IN", numbers)
        }

    def chunks(self, numbers: Iterable[int]) -> dict[int, Chunk]:
        columns = ", ".join(f"chunk.{name}" for name in CHUNK_COLUMNS)
        sql = (
            f"SELECT chunk.number, {columns}, document.path, document.key AS parent "
            "FROM chunk JOIN document ON document.number = chunk.document WHERE chunk.number IN"
        )
        return {row["number"]: parse_chunk(row) for row in self._select(sql, numbers)}

    def records(self, numbers: Iterable[int]) -> dict[int, Record]:
        return {
            row["number"]: parse_record(row) for row in self._select("SELECT * FROM document WHERE number IN", numbers)
        }

    def records_at(self, paths: Iterable[str]) -> list[Record]:
        return [parse_record(row) for row in self._select("SELECT * FROM document WHERE path IN", paths)]

    def records_of(self, tier: Tier) -> list[Record]:
        sql = "SELECT * FROM document WHERE tier = ? ORDER BY path"
        return [parse_record(row) for row in self._db.execute(sql, (tier.value,))]

    def chunks_at(self, places: Sequence[tuple[str, Collection[int]]]) -> list[list[Chunk]]:
        """For each (path, turns) those of the file's chunks that hold one of the turns, in reading order."""
        sql = (
            "SELECT chunk.number, chunk.turns, document.path FROM chunk "
            "JOIN document ON document.number = chunk.document WHERE document.path IN"
        )
        held: dict[tuple[str, int], list[int]] = {}
        for row in self._select(sql, {path for path, _ in places}):
            for turn in parse_turns(row["turns"]):
                held.setdefault((row["path"], turn), []).append(row["number"])
        chosen = [sorted({n for turn in turns for n in held.get((path, turn), ())}) for path, turns in places]
        found = self.chunks({number for numbers in chosen for number in numbers})
        return [[found[number] for number in numbers] for numbers in chosen]

    def rows(self, kind: Kind, numbers: Iterable[int] | None = None) -> Iterator[sqlite3.Row]:
        """What a shelf holds of each chunk, in order of their numbers."""
        sql = "SELECT number, id, document, turns, role, at, heading, tokens, standing, terms, vector FROM chunk WHERE"
        if numbers is None:
            yield from self._db.execute(f"{sql} kind = ? ORDER BY number", (kind.value,))
        else:
            yield from self._select(f"{sql} number IN", sorted(numbers))

    def replace(
        self, removed: Iterable[str], added: Sequence[tuple[Document, NDArray[np.float32]]]
    ) -> tuple[dict[Kind, list[int]], dict[Kind, list[int]]]:
        """One transaction: takes the paths out (those of `added` as well), puts the documents in, withdraws what was
        announced. Returns (numbers of the chunks that went, numbers of those that came) by kind."""
        gone: dict[Kind, list[int]] = {kind: [] for kind in Kind}
        come: dict[Kind, list[int]] = {kind: [] for kind in Kind}
        with self._transaction():
            for path in sorted({*removed, *(document.record.path for document, _ in added)}):
                self._delete(path, gone)
            for document, vectors in added:
                self._insert(document, vectors, come)
            self._set(_GENERATION, str(self.generation + 1))
            self._db.execute("DELETE FROM meta WHERE key = ?", (_PENDING,))
        return gone, come

    def complaints(self) -> list[str]:
        """Every way in which the tables disagree among themselves."""
        found = [f"tables: {word}" for (word,) in self._db.execute("PRAGMA integrity_check(20)") if word != "ok"]
        for kind in Kind:
            chunks = {row[0] for row in self._db.execute("SELECT number FROM chunk WHERE kind = ?", (kind.value,))}
            texts = {row[0] for row in self._db.execute(f"SELECT rowid FROM fts_{kind.value}")}
            if chunks != texts:
                found.append(f"keywords of {kind.value}: {len(chunks - texts)} missing, {len(texts - chunks)} too many")
            try:
                self._db.execute(f"INSERT INTO fts_{kind.value}(fts_{kind.value}) VALUES ('integrity-check')")
            except sqlite3.DatabaseError as error:
                found.append(f"keywords of {kind.value}: {error}")
        altered = 0
        for row in self._db.execute("SELECT kind, heading, text, digest FROM chunk"):
            altered += row["digest"] != digest_passage(join_heading(row["heading"], row["text"], Kind(row["kind"])))
        if altered:
            found.append(f"tables: the text of {altered} chunks was altered")
        orphans = "SELECT count(*) FROM chunk WHERE document NOT IN (SELECT number FROM document)"
        if (count := self._db.execute(orphans).fetchone()[0]) > 0:
            found.append(f"tables: {count} chunks of no document")
        return found

    def _insert(self, document: Document, vectors: NDArray[np.float32], come: Mapping[Kind, list[int]]) -> None:
        places = ", ".join("?" * len(RECORD_COLUMNS))
        number = self._db.execute(
            f"INSERT INTO document({', '.join(RECORD_COLUMNS)}) VALUES ({places})", record_values(document.record)
        ).lastrowid
        places = ", ".join("?" * (len(CHUNK_COLUMNS) + 3))
        for chunk, vector in zip(document.chunks, vectors, strict=True):
            terms = split_terms(chunk.searched)
            row = self._db.execute(
                f"INSERT INTO chunk({', '.join(CHUNK_COLUMNS)}, document, terms, vector) VALUES ({places})",
                (*chunk_values(chunk), number, array("Q", map(term_number, terms)).tobytes(), vector.tobytes()),
            ).lastrowid
            assert row is not None
            self._db.execute(f"INSERT INTO fts_{chunk.kind.value}(rowid, terms) VALUES (?, ?)", (row, " ".join(terms)))
            come[chunk.kind].append(row)

    def _delete(self, path: str, gone: Mapping[Kind, list[int]]) -> None:
        found = self._db.execute("SELECT number FROM document WHERE path = ?", (path,)).fetchone()
        if found is None:
            return
        for row in self._db.execute(
            "SELECT number, kind, heading, text FROM chunk WHERE document = ?", (found["number"],)
        ).fetchall():
            kind = Kind(row["kind"])
            # A contentless FTS table forgets a row only when told what the row said.
            terms = " ".join(split_terms(f"{row['heading']}\n{row['text']}"))
            self._db.execute(
                f"INSERT INTO fts_{kind.value}(fts_{kind.value}, rowid, terms) VALUES ('delete', ?, ?)",
                (row["number"], terms),
            )
            gone[kind].append(row["number"])
        self._db.execute("DELETE FROM chunk WHERE document = ?", (found["number"],))
        self._db.execute("DELETE FROM document WHERE number = ?", (found["number"],))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _select(self, sql: str, values: Iterable[Any]) -> Iterator[sqlite3.Row]:
        wanted = list(dict.fromkeys(values))
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            yield from self._db.execute(f"{sql} ({', '.join('?' * len(part))})", part)

    def _get(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row["value"] if row else None

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", (key, value))

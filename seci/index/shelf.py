"""The chunks of one kind in memory: a matrix of vectors, postings, and the columns that a ranking looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from seci.core.chunk import Chunk, Kind
from seci.core.document import Record
from seci.core.layout import ROLE_CODES, Layout, arrange_layout
from seci.index.keyword import KeywordTables
from seci.index.postings import Postings, score_bm25
from seci.index.rows import parse_time, parse_turns

if TYPE_CHECKING:
    from sqlite3 import Row

    import numpy as np
    from numpy.typing import NDArray

BLOCK = 64  # rows are kept in multiples: BLAS adds up the last few of an odd number in another order
KEPT_RECORDS = 20_000
STALE_SHARE = 0.25  # of rows that came or went since loading; beyond it the shelf is worth loading again
STALE_ROWS = 2000


class MemoryShelf:
    """Implements `core.ports.Shelf`. Exact in everything: no score depends on the order in which rows came, so an
    index that grew and one that was rebuilt answer alike."""

    def __init__(self, kind: Kind, tables: KeywordTables, dimensions: int) -> None:
        self.kind = kind
        self._tables = tables
        self._ids: list[str] = []
        self._numbers: list[int] = []
        self._row_of: dict[int, int] = {}
        self._speakers: dict[str, int] = {}
        self._layout: Layout | None = None
        self._records: dict[int, Record] = {}  # what was asked for, kept: the same files come up again and again
        self._by_path: dict[str, Record] = {}
        self._changed = 0
        expected = tables.count(kind)
        self._columns = _Columns(expected, dimensions)
        terms = []
        for row in tables.rows(kind):
            self._append(row)
            terms.append(row["terms"])
        self._postings = Postings(terms)
        self._loaded = max(len(terms), 1)

    @property
    def size(self) -> int:
        return len(self._ids)

    @property
    def stale(self) -> bool:
        """Whether so much changed that loading the shelf again pays."""
        return self._changed > max(STALE_ROWS, self._loaded * STALE_SHARE)

    @property
    def live(self) -> NDArray[np.bool_]:
        return self._columns.live[: self.size]

    @property
    def document(self) -> NDArray[np.int64]:
        return self._columns.document[: self.size]

    @property
    def turn(self) -> NDArray[np.int32]:
        return self._columns.turn[: self.size]

    @property
    def role(self) -> NDArray[np.int8]:
        return self._columns.role[: self.size]

    @property
    def at(self) -> NDArray[np.float64]:
        return self._columns.at[: self.size]

    @property
    def tokens(self) -> NDArray[np.int32]:
        return self._columns.tokens[: self.size]

    @property
    def standing(self) -> NDArray[np.bool_]:
        return self._columns.standing[: self.size]

    @property
    def speaker(self) -> NDArray[np.int32]:
        return self._columns.speaker[: self.size]

    @property
    def speakers(self) -> tuple[str, ...]:
        return tuple(self._speakers)

    @property
    def terms(self) -> NDArray[np.int32]:
        return self._postings.lengths

    @property
    def layout(self) -> Layout:
        if self._layout is None:
            self._layout = arrange_layout(self)
        return self._layout

    def ids(self, rows: Iterable[int]) -> list[str]:
        return [self._ids[row] for row in rows]

    def cosine(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        filled = -(-self.size // BLOCK) * BLOCK
        scores: NDArray[np.float32] = (self._columns.vectors[:filled] @ vector)[: self.size]
        return np.where(self.live, scores, np.float32(-np.inf))

    def find(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        return self._postings.find(term)

    def bm25(self, terms: Iterable[str]) -> NDArray[np.float32]:
        return score_bm25(self._postings, terms, self.live)

    def best(self, scores: NDArray[np.float32], limit: int) -> list[int]:
        import numpy as np

        if limit < 1 or not len(scores):
            return []
        if limit < len(scores):
            bar = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            rows = np.flatnonzero((scores >= bar) & np.isfinite(scores))
        else:
            rows = np.flatnonzero(np.isfinite(scores))
        ids = self._ids
        order = sorted((-score, ids[row], row) for score, row in zip(scores[rows].tolist(), rows.tolist(), strict=True))
        return [row for _, _, row in order[:limit]]

    def vectors(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        import numpy as np

        chosen: NDArray[np.float32] = self._columns.vectors[np.asarray(rows, np.int64)]
        return chosen

    def chunks(self, rows: Sequence[int]) -> list[Chunk]:
        found = self._tables.chunks(self._numbers[row] for row in rows)
        return [found[self._numbers[row]] for row in rows]

    def records(self, rows: Sequence[int]) -> list[Record]:
        numbers = [int(self._columns.document[row]) for row in rows]
        unread = {number for number in numbers if number not in self._records}
        if len(self._records) + len(unread) > KEPT_RECORDS:
            self._forget_records()
            unread = set(numbers)
        if unread:
            read = self._tables.records(unread)
            self._records.update(read)
            self._by_path.update({record.path: record for record in read.values()})
        return [self._records[number] for number in numbers]

    def known_records(self, paths: Iterable[str]) -> dict[str, Record]:
        """Those that `records` has given lately, by path."""
        known = self._by_path
        return {path: known[path] for path in paths if path in known}

    def follow(self, gone: Sequence[int], come: Sequence[int]) -> None:
        """Takes over what an apply changed, by the chunks' numbers in the tables."""
        self._forget_records()
        self._layout = None
        for number in gone:
            self._columns.live[self._row_of.pop(number)] = False
        for row in self._tables.rows(self.kind, come):
            self._postings.add(self.size, row["terms"])
            self._append(row)
        self._changed += len(gone) + len(come)

    def _forget_records(self) -> None:
        self._records.clear()
        self._by_path.clear()

    def _append(self, row: Row) -> None:
        place = len(self._ids)
        name = row["heading"] if self.kind is Kind.RAW else ""
        speaker = self._speakers.setdefault(name, len(self._speakers)) if name else -1
        self._columns.put(place, row, speaker)
        self._ids.append(row["id"])
        self._numbers.append(row["number"])
        self._row_of[row["number"]] = place


class _Columns:
    """Arrays with room to grow."""

    def __init__(self, expected: int, dimensions: int) -> None:
        self._room = 0
        self._dimensions = dimensions
        self._grow(expected)

    def put(self, place: int, row: Row, speaker: int) -> None:
        import numpy as np

        if place >= self._room:
            self._grow(self._room + max(BLOCK, self._room // 4))
        self.vectors[place] = np.frombuffer(row["vector"], np.float32)
        self.live[place] = True
        self.document[place] = row["document"]
        turns = parse_turns(row["turns"])
        self.turn[place] = turns[0] if turns else -1
        self.role[place] = ROLE_CODES[row["role"]]
        at = parse_time(row["at"])
        self.at[place] = at.timestamp() if at else np.nan
        self.tokens[place] = row["tokens"]
        self.standing[place] = row["standing"]
        self.speaker[place] = speaker

    def _grow(self, room: int) -> None:
        import numpy as np

        old = self._room
        self._room = -(-max(room, 1) // BLOCK) * BLOCK
        shapes = {
            "vectors": ((self._room, self._dimensions), np.float32),
            "live": ((self._room,), np.bool_),
            "document": ((self._room,), np.int64),
            "turn": ((self._room,), np.int32),
            "role": ((self._room,), np.int8),
            "at": ((self._room,), np.float64),
            "tokens": ((self._room,), np.int32),
            "standing": ((self._room,), np.bool_),
            "speaker": ((self._room,), np.int32),
        }
        for name, (shape, kind) in shapes.items():
            grown: NDArray[Any] = np.zeros(shape, kind)
            if old:
                grown[:old] = getattr(self, name)
            setattr(self, name, grown)

    if TYPE_CHECKING:
        vectors: NDArray[np.float32]
        live: NDArray[np.bool_]
        document: NDArray[np.int64]
        turn: NDArray[np.int32]
        role: NDArray[np.int8]
        at: NDArray[np.float64]
        tokens: NDArray[np.int32]
        standing: NDArray[np.bool_]
        speaker: NDArray[np.int32]

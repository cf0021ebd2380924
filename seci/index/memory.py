"""An index without files, written for plainness: what the real one is tested against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import inf, log
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, Kind
from seci.core.document import Document, Record
from seci.core.layout import ROLE_CODES, Layout, arrange_layout
from seci.core.note import Tier
from seci.index.postings import K1, B
from seci.index.tables import split_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MemoryIndex:
    """Implements `core.ports.Index`."""

    emptied: str | None = None

    def __init__(self) -> None:
        self._documents: dict[str, tuple[Document, NDArray[np.float32]]] = {}

    def listing(self) -> list[tuple[str, str]]:
        return [(path, document.record.digest) for path, (document, _) in sorted(self._documents.items())]

    def known_vectors(self, digests: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        wanted = set(digests)
        return {
            chunk.digest: vector
            for document, vectors in self._documents.values()
            for chunk, vector in zip(document.chunks, vectors, strict=True)
            if chunk.digest in wanted
        }

    def apply(self, added: Sequence[tuple[Document, NDArray[np.float32]]] = (), removed: Iterable[str] = ()) -> None:
        for path in removed:
            self._documents.pop(path, None)
        for document, vectors in added:
            self._documents[document.record.path] = (document, vectors)

    def shelf(self, kind: Kind) -> PlainShelf:
        return PlainShelf(
            kind,
            [
                (chunk, document.record, vector, number)
                for number, (_, (document, vectors)) in enumerate(sorted(self._documents.items()))
                for chunk, vector in zip(document.chunks, vectors, strict=True)
                if chunk.kind is kind
            ],
        )

    def records_at(self, paths: Iterable[str]) -> dict[str, Record]:
        return {path: self._documents[path][0].record for path in paths if path in self._documents}

    def records_of(self, tier: Tier) -> list[Record]:
        found = (document.record for _, (document, _) in sorted(self._documents.items()))
        return [record for record in found if record.tier is tier]

    def chunks_at(self, places: Sequence[tuple[str, Collection[int]]]) -> list[list[Chunk]]:
        return [
            [chunk for chunk in self._chunks(path) if not set(turns).isdisjoint(chunk.turns)] for path, turns in places
        ]

    def _chunks(self, path: str) -> Sequence[Chunk]:
        return self._documents[path][0].chunks if path in self._documents else ()

    def reading(self) -> AbstractContextManager[None]:
        return nullcontext()

    def settle(self) -> None:
        """Nothing can have gone wrong."""

    def verify(self) -> list[str]:
        return []


class PlainShelf:
    """Implements `core.ports.Shelf` one row at a time."""

    def __init__(self, kind: Kind, rows: list[tuple[Chunk, Record, NDArray[np.float32], int]]) -> None:
        import numpy as np

        self.kind = kind
        self.size = len(rows)
        self._chunks = [chunk for chunk, _, _, _ in rows]
        self._records = [record for _, record, _, _ in rows]
        self._vectors = [vector for _, _, vector, _ in rows]
        self._terms = [Counter(split_terms(chunk.searched)) for chunk in self._chunks]
        self.live = np.ones(self.size, np.bool_)
        self.document = np.array([number for _, _, _, number in rows], np.int64)
        self.turn = np.array([chunk.turns[0] if chunk.turns else -1 for chunk in self._chunks], np.int32)
        self.role = np.array([ROLE_CODES[chunk.role] for chunk in self._chunks], np.int8)
        self.at = np.array([c.at.timestamp() if c.at else np.nan for c in self._chunks], np.float64)
        self.tokens = np.array([chunk.tokens for chunk in self._chunks], np.int32)
        self.standing = np.array([chunk.standing for chunk in self._chunks], np.bool_)
        names = [chunk.heading if kind is Kind.RAW else "" for chunk in self._chunks]
        self.speakers = tuple(dict.fromkeys(name for name in names if name))
        self.speaker = np.array([self.speakers.index(name) if name else -1 for name in names], np.int32)
        self.terms = np.array([terms.total() for terms in self._terms], np.int32)

    def cosine(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        return np.array([float(vector.astype(float) @ row.astype(float)) for row in self._vectors], np.float32)

    @property
    def layout(self) -> Layout:
        return arrange_layout(self)

    def find(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        import numpy as np

        rows = [row for row in range(self.size) if self._terms[row][term]]
        return np.array(rows, np.int32), np.array([self._terms[row][term] for row in rows], np.float32)

    def bm25(self, terms: Iterable[str]) -> NDArray[np.float32]:
        import numpy as np

        wanted = list(dict.fromkeys(terms))
        return np.array([sum(self._weight(term, row) for term in wanted) for row in self._terms], np.float32)

    def best(self, scores: NDArray[np.float32], limit: int) -> list[int]:
        rows = [row for row in range(self.size) if scores[row] > -inf]
        return sorted(rows, key=lambda row: (-scores[row], self._chunks[row].id))[: max(0, limit)]

    def vectors(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        import numpy as np

        return np.array([self._vectors[int(row)] for row in rows], np.float32)

    def chunks(self, rows: Sequence[int]) -> list[Chunk]:
        return [self._chunks[row] for row in rows]

    def records(self, rows: Sequence[int]) -> list[Record]:
        return [self._records[row] for row in rows]

    def _weight(self, term: str, row: Counter[str]) -> float:
        holding = sum(term in terms for terms in self._terms)
        rarity = log(1 + (self.size - holding + 0.5) / (holding + 0.5))
        mean = sum(terms.total() for terms in self._terms) / self.size
        count = row[term]
        return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * row.total() / mean)) if count else 0.0

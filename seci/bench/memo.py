"""An embedder that remembers: a text is embedded once, also across runs, and its cost is charged every time.

Nine baselines embed the same texts again and again. What is remembered is the vector and the time that it took, so that
index and query times stay those of a method that embeds its own texts.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seci.core.ports import Embedder, TokenCounter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "vectors.sqlite3"
_AT_ONCE = 256  # texts embedded, timed and stored together
_CREATE = (
    "CREATE TABLE IF NOT EXISTS vector("
    "model TEXT, query INTEGER, digest TEXT, wall REAL, cpu REAL, vector BLOB, "
    "PRIMARY KEY(model, query, digest)) WITHOUT ROWID"
)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and seconds of processor time over all threads."""

    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.cpu + other.cpu)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall - other.wall, self.cpu - other.cpu)


class MemoEmbedder:
    """Implements `core.ports.Embedder` over another one. `spared` adds up what remembered vectors took when they were
    made: what a clock around `embed` did not see."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        """`folder` None remembers for this run only."""
        self.spared = Spent()
        self._embedder = embedder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / FILE if folder else ":memory:", isolation_level=None, timeout=60)
        self._db.execute(_CREATE)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def window(self) -> int:
        return self._embedder.window

    @property
    def counter(self) -> TokenCounter:
        return self._embedder.counter

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        digests = [_digest(text) for text in texts]
        wanted = dict(zip(digests, texts, strict=True))
        vectors = self._recall(list(wanted), query=False)
        missing = [digest for digest in wanted if digest not in vectors]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            began = read_clocks()
            made = self._embedder.embed([wanted[digest] for digest in part])
            vectors.update(zip(part, made, strict=True))
            self._keep(part, made, read_clocks() - began, query=False)
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return np.stack([vectors[digest] for digest in digests])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        digest = _digest(text)
        known = self._recall([digest], query=True)
        if digest in known:
            return known[digest]
        began = read_clocks()
        vector = self._embedder.embed_query(text)
        self._keep([digest], [vector], read_clocks() - began, query=True)
        return vector

    def _recall(self, digests: Sequence[str], *, query: bool) -> dict[str, NDArray[np.float32]]:
        import numpy as np

        found = {}
        for start in range(0, len(digests), _AT_ONCE):
            part = digests[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT digest, wall, cpu, vector FROM vector WHERE model = ? AND query = ? AND digest IN ({marks})"
            for digest, wall, cpu, blob in self._db.execute(sql, (self.name, int(query), *part)):
                found[digest] = np.frombuffer(blob, np.float32)
                self.spared += Spent(wall, cpu)
        return found

    def _keep(
        self, digests: Sequence[str], vectors: Iterable[NDArray[np.float32]], took: Spent, *, query: bool
    ) -> None:
        wall, cpu = took.wall / len(digests), took.cpu / len(digests)
        rows = [(self.name, int(query), d, wall, cpu, v.tobytes()) for d, v in zip(digests, vectors, strict=True)]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._db.execute("COMMIT")


def read_clocks() -> Spent:
    """What has passed since some moment in the past; only differences mean anything."""
    return Spent(time.perf_counter(), time.process_time())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

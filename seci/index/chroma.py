"""The two Chroma collections. Opened only by the holder of the index lock (seci.index.lock)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.core.chunk import Kind
from seci.errors import IndexingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = "chroma"
_GET_AT_ONCE = 2000  # SQLite inside Chroma counts the ids of one request as parameters


class ChromaIndex:
    """Chunk ids and vectors. Texts and everything else stand in the tables, so a damaged folder costs no embedding.

    Any failure inside Chroma becomes an IndexingError.
    """

    def __init__(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        self.folder = folder / FOLDER
        if not folder.is_dir():  # Chroma would make it, and the vault above it, anew
            raise IndexingError("the index's folder is gone", subject=str(folder), hint="run seci reindex")
        with _translated(self.folder):
            settings = Settings(anonymized_telemetry=False, allow_reset=False)
            try:
                self._client = chromadb.PersistentClient(str(self.folder), settings=settings)
            except BaseException:
                _forget_system(self.folder)
                raise
            self._batch = self._client.get_max_batch_size()
            self._collections = {kind: self._collection(kind) for kind in Kind}

    def close(self) -> None:
        self._client.close()  # type: ignore[attr-defined]  # of Client, not of its interface

    def probe(self, dimensions: int) -> None:
        """Reads from both graphs, so that damage shows now."""
        import numpy as np

        for kind in Kind:
            if self.count(kind):
                self.nearest(kind, np.full(dimensions, dimensions**-0.5, np.float32), 1)

    def count(self, kind: Kind) -> int:
        with _translated(self.folder):
            return int(self._collections[kind].count())

    def ids(self, kind: Kind) -> set[str]:
        with _translated(self.folder):
            return set(self._collections[kind].get(include=[])["ids"])

    def vectors(self, kind: Kind, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Those of the ids that are there."""
        found: dict[str, NDArray[np.float32]] = {}
        with _translated(self.folder):
            for part in _parts(ids, _GET_AT_ONCE):
                answer = self._collections[kind].get(ids=part, include=["embeddings"])
                found.update(zip(answer["ids"], answer["embeddings"], strict=True))
        return found

    def nearest(self, kind: Kind, vector: NDArray[np.float32], limit: int) -> list[str]:
        """Ids of about the nearest chunks, nearest first: the graph that finds them is an approximation."""
        with _translated(self.folder):
            answer = self._collections[kind].query(query_embeddings=[vector], n_results=limit, include=[])
            return list(answer["ids"][0])

    def put(self, kind: Kind, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        with _translated(self.folder):
            for part in _parts(list(vectors), self._batch):
                self._collections[kind].upsert(ids=part, embeddings=[vectors[id] for id in part])

    def remove(self, kind: Kind, ids: Iterable[str]) -> None:
        with _translated(self.folder):
            for part in _parts(sorted(ids), min(self._batch, _GET_AT_ONCE)):
                self._collections[kind].delete(ids=part)

    def _collection(self, kind: Kind) -> Any:
        return self._client.get_or_create_collection(
            kind.value, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )


def _forget_system(folder: Path) -> None:
    """Chroma keeps one system for each folder and hands out a broken one again, even when the folder is new."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient._identifier_to_system.pop(str(folder), None)
    SharedSystemClient._identifier_to_refcount.pop(str(folder), None)


def seal_of(folder: Path) -> str:
    """Names, sizes and times of the files that Chroma keeps below an index's folder: changes whenever they do."""
    entries = []
    for path in sorted((folder / FOLDER).rglob("*")):
        if path.is_file():
            status = path.stat()
            entries.append([path.relative_to(folder).as_posix(), status.st_size, status.st_mtime_ns])
    return json.dumps(entries)


def discard_chroma(folder: Path) -> None:
    """Deletes the collections of an index that is not open."""
    shutil.rmtree(folder / FOLDER, ignore_errors=True)


def _parts(items: Sequence[str], size: int) -> list[list[str]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


class _translated:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # Chroma's Rust side raises bare Exception subclasses, pyo3's panics are BaseException of their own.
        if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit | MemoryError | IndexingError):
            raise IndexingError(f"Chroma failed: {error}", subject=str(self._folder)) from error

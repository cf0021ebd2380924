"""What stands in the Chroma folder, seen with Chroma's own client."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from seci.core.chunk import Kind
from seci.index.chroma import ChromaIndex
from seci.index.dual import open_index
from seci.index.keyword import Stamp
from seci.index.tables import FOLDER


def test_two_cosine_collections_hold_the_chunks_and_no_texts(
    tmp_path: Path, stamp: Stamp, entry: Callable[..., object]
) -> None:
    import chromadb
    from chromadb.config import Settings

    with open_index(tmp_path, stamp) as index:
        index.apply([entry("sessions/a.md", "one", "two"), entry("docs/n.md", "three")])
    settings = Settings(anonymized_telemetry=False, allow_reset=False)
    client = chromadb.PersistentClient(str(tmp_path / FOLDER / "chroma"), settings=settings)
    try:
        assert sorted(collection.name for collection in client.list_collections()) == ["distilled", "raw"]
        raw = client.get_collection("raw", embedding_function=None)
        assert raw.configuration["hnsw"]["space"] == "cosine"
        assert sorted(raw.get()["ids"]) == ["sessions/a.md#0", "sessions/a.md#1"]
        assert raw.get()["documents"] == [None, None]
        assert client.get_collection("distilled", embedding_function=None).count() == 1
    finally:
        client.close()


def test_more_vectors_than_one_batch_takes_go_in_and_out(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).normal(size=(6000, 8)).astype(np.float32)
    vectors = {f"id{number}": row / np.linalg.norm(row) for number, row in enumerate(rows)}
    chroma = ChromaIndex(tmp_path)
    try:
        assert len(vectors) > chroma._batch
        chroma.put(Kind.RAW, vectors)
        assert chroma.count(Kind.RAW) == 6000
        assert chroma.nearest(Kind.RAW, vectors["id4711"], 1) == ["id4711"]
        assert len(chroma.vectors(Kind.RAW, list(vectors))) == 6000
        chroma.remove(Kind.RAW, list(vectors)[1:])
        assert chroma.ids(Kind.RAW) == {"id0"}
    finally:
        chroma.close()

"""The router and the index ask for the same passages; each is embedded once."""

from __future__ import annotations

import numpy as np

from seci.core.chunk import chunk_session
from seci.embedding.shared import SharedEmbedder
from seci.router.vectors import embed_turns

from .conftest import HashedWords, make_session


def test_what_the_router_embedded_the_index_gets_from_memory(embedder: HashedWords) -> None:
    shared = SharedEmbedder(embedder)
    session, _ = make_session("s", 3)
    embed_turns(session, shared)
    count = len(embedder.embedded)
    passages = [chunk.passage for chunk in chunk_session(session, "x.md", shared.counter, shared.window)]
    assert np.array_equal(shared.embed(passages), HashedWords().embed(passages))
    assert len(embedder.embedded) == count <= len(passages)


def test_the_oldest_is_forgotten_first(embedder: HashedWords) -> None:
    shared = SharedEmbedder(embedder, capacity=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        shared.embed([text])
    assert embedder.embedded == ["a", "b", "c", "b"]
    assert shared.embed([]).shape == (0, embedder.dimensions)

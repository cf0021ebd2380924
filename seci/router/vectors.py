"""A turn's vector: from the very passages that the index embeds, so that one embedding serves both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seci.core.chunk import chunk_session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.core.session import Session


def embed_turns(session: Session, embedder: Embedder) -> NDArray[np.float32]:
    """(turns, dimensions) unit vectors; a turn longer than the model's window is the mean of its windows."""
    place = {turn.index: row for row, turn in enumerate(session.turns)}
    chunks = chunk_session(session, "", embedder.counter, embedder.window)
    vectors = np.zeros((len(session.turns), embedder.dimensions), np.float32)
    if chunks:
        np.add.at(vectors, [place[chunk.turns[0]] for chunk in chunks], embedder.embed([c.passage for c in chunks]))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    length[length == 0.0] = 1.0
    vectors /= length
    return vectors

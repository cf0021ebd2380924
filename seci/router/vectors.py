"""A turn's vector: from the very passages that the index embeds, so that one embedding serves both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seci.core.chunk import chunk_session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.core.session import Session


def turn_passages(session: Session, embedder: Embedder) -> list[tuple[int, str]]:
    """(row of the turn, passage) for each passage that the index embeds of this session."""
    place = {turn.index: row for row, turn in enumerate(session.turns)}
    chunks = chunk_session(session, "", embedder.counter, embedder.window)
    return [(place[chunk.turns[0]], chunk.passage) for chunk in chunks]


def embed_turns(session: Session, embedder: Embedder) -> NDArray[np.float32]:
    """(turns, dimensions) unit vectors; a turn longer than the model's window is the mean of its windows."""
    passages = turn_passages(session, embedder)
    vectors = np.zeros((len(session.turns), embedder.dimensions), np.float32)
    if passages:
        np.add.at(vectors, [row for row, _ in passages], embedder.embed([passage for _, passage in passages]))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    length[length == 0.0] = 1.0
    vectors /= length
    return vectors

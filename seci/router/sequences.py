"""What the transformer reads for each turn: the recent history in chunks, and the turn alone as the last element.

A chunk is up to `chunk_turns` turns counted from the session's start, so that a stream only ever changes the last one.
Its embedding is the normalised mean of its turns' embeddings, which are the ones the index keeps: for an encoder that
averages over tokens this is close to embedding the joined text, and nothing is embedded twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assemble_sequences(
    vectors: NDArray[np.float32], chunks: int, chunk_turns: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """(n, chunks + 1, d) embeddings and (n, chunks + 1) mask for the n turns of one session, from their (n, d) unit
    vectors. Aligned right: the current turn is always last, and what a short history leaves free is masked."""
    count, width = vectors.shape
    sequences = np.zeros((count, chunks + 1, width), np.float32)
    mask = np.zeros((count, chunks + 1), np.int64)
    for turn in range(count):
        sequences[turn, -1] = vectors[turn]
        mask[turn, -1] = 1
        history = recent_chunks(list(vectors[:turn]), chunks, chunk_turns)
        for place, chunk in enumerate(history, start=chunks - len(history)):
            sequences[turn, place] = chunk
            mask[turn, place] = 1
    return sequences, mask


def recent_chunks(history: Sequence[NDArray[np.float32]], chunks: int, chunk_turns: int) -> list[NDArray[np.float32]]:
    """The unit vectors of the last `chunks` chunks of a history, oldest first."""
    if not chunks or not len(history):
        return []
    first = max(0, (len(history) - 1) // chunk_turns - chunks + 1) * chunk_turns
    parts = [np.asarray(history[at : at + chunk_turns]) for at in range(first, len(history), chunk_turns)]
    return [_unit(part.mean(axis=0)) for part in parts]


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector if length == 0.0 else vector / np.float32(length)

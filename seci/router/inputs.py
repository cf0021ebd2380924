"""What a router reads of a conversation: in one place, so that training and work see the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from seci.router.features import score_features
from seci.router.vectors import embed_turns, turn_passages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.core.session import Session

_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Inputs:
    """`vectors` (turns, d) unit vectors; `features` (turns, len(feature_names())) as they are before scaling."""

    vectors: NDArray[np.float32]
    features: NDArray[np.float32]


def read_inputs(sessions: Sequence[Session], embedder: Embedder) -> Inputs:
    """All turns in order, sessions of one conversation as one."""
    vectors = np.concatenate([embed_turns(session, embedder) for session in sessions])
    return Inputs(vectors, score_features([turn for session in sessions for turn in session.turns]))


def digest_inputs(sessions: Sequence[Session], embedder: Embedder) -> str:
    """sha256 over what is embedded of these sessions and over their features: weights that were trained while it was
    another have to be trained again."""
    digest = hashlib.sha256(embedder.name.encode())
    for session in sessions:
        for row, passage in turn_passages(session, embedder):
            digest.update(f"{row}\0{passage}\0".encode("utf-8", "replace"))
        rounded = np.round(score_features(session.turns).astype(np.float64), _DECIMALS) + 0.0
        digest.update(rounded.tobytes())
    return digest.hexdigest()

"""Labelled turns as arrays: what training and evaluation read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from seci.core.note import NoteType
from seci.router.sequences import assemble_sequences
from seci.router.settings import TYPES, RouterSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPE_NUMBER = {kind: number for number, kind in enumerate(TYPES)}


@dataclass(frozen=True, slots=True)
class Examples:
    """n turns. `add` is the target in 0..1 (a teacher may be of two minds), `types` an index into TYPES or -1."""

    sequences: NDArray[np.float32]  # (n, chunks + 1, d)
    mask: NDArray[np.int64]  # (n, chunks + 1)
    features: NDArray[np.float32]  # (n, f)
    add: NDArray[np.float32]  # (n,)
    types: NDArray[np.int64]  # (n,)
    weight: NDArray[np.float32]  # (n,)

    def __len__(self) -> int:
        return len(self.add)

    def take(self, rows: Any) -> Examples:
        return Examples(
            self.sequences[rows],
            self.mask[rows],
            self.features[rows],
            self.add[rows],
            self.types[rows],
            self.weight[rows],
        )


def assemble_examples(
    settings: RouterSettings,
    vectors: NDArray[np.float32],
    features: NDArray[np.float32],
    add: Sequence[float | None],
    types: Sequence[NoteType | None],
    weight: float = 1.0,
) -> Examples:
    """The labelled turns of one session (None is unlabelled and only serves as history)."""
    sequences, mask = assemble_sequences(vectors, settings.chunks if settings.history else 0, settings.chunk_turns)
    labelled = [row for row, target in enumerate(add) if target is not None]
    return Examples(
        sequences[labelled],
        mask[labelled],
        features[labelled],
        np.asarray([add[row] for row in labelled], np.float32),
        np.asarray([_type_number(types[row]) for row in labelled], np.int64),
        np.full(len(labelled), weight, np.float32),
    )


def _type_number(kind: NoteType | None) -> int:
    return -1 if kind is None else _TYPE_NUMBER[kind]


def join_examples(parts: Sequence[Examples]) -> Examples:
    """All of them, in order. Raises ValueError for none."""
    return Examples(
        np.concatenate([p.sequences for p in parts]),
        np.concatenate([p.mask for p in parts]),
        np.concatenate([p.features for p in parts]),
        np.concatenate([p.add for p in parts]),
        np.concatenate([p.types for p in parts]),
        np.concatenate([p.weight for p in parts]),
    )

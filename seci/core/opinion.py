"""What a model that reads both notes of a pair at once thinks of how they relate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opinion:
    """Probabilities, 0..1, that add up to 1: the two notes say the same, the newer replaces the older, they contradict,
    or they speak of different things."""

    merge: float
    supersede: float
    contradiction: float
    keep: float

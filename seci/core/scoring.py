"""The five signals that order what goes into a context, and their published weights (context-assembly seed, 2026)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from seci.core.note import Tier

SECONDS_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Signals:
    """All in 0..1."""

    relevance: float
    importance: float
    confidence: float
    recency: float
    frequency: float


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """Shares that sum to 1. The defaults are invariants: they change only after `seci bench context` compares two
    mixes."""

    relevance: float = 0.50
    importance: float = 0.15
    confidence: float = 0.15
    recency: float = 0.10
    frequency: float = 0.10

    def __post_init__(self) -> None:
        values = [getattr(self, f.name) for f in fields(self)]
        if any(not 0.0 <= v <= 1.0 for v in values) or not math.isclose(sum(values), 1.0, abs_tol=1e-6):
            raise ValueError(f"signal weights must lie in 0..1 and sum to 1, not {values}")

    def override(self, **given: float) -> SignalWeights:
        """The given weights as they are, the others scaled so that all sum to 1.

        Raises ValueError for an unknown signal or given weights outside 0..1 or summing over 1.
        """
        names = [f.name for f in fields(self)]
        if unknown := sorted(set(given) - set(names)):
            raise ValueError(f"no signal is called {', '.join(unknown)}; there are {', '.join(names)}")
        left = 1.0 - sum(given.values())
        if left < -1e-9 or any(not 0.0 <= v <= 1.0 for v in given.values()):
            raise ValueError("weights must lie in 0..1 and sum to at most 1")
        others = {n: getattr(self, n) for n in names if n not in given}
        total = sum(others.values())
        if not others or total == 0.0:
            if left > 1e-9:
                raise ValueError("the given weights leave nothing for the others to share, and sum to less than 1")
            return SignalWeights(**dict.fromkeys(names, 0.0) | given)
        return SignalWeights(**{n: v * max(left, 0.0) / total for n, v in others.items()} | given)


@dataclass(frozen=True, slots=True)
class HalfLives:
    """Days after which the recency of a note of that tier has halved. Identity does not age."""

    memory: float = 90.0
    episode: float = 14.0
    procedure: float = 180.0
    soul: float = math.inf

    def of(self, tier: Tier) -> float:
        return float(getattr(self, tier.value))

    def override(self, given: Mapping[str, float]) -> HalfLives:
        """Raises ValueError for an unknown tier or a half-life that is not positive."""
        names = [f.name for f in fields(self)]
        for name, days in given.items():
            if name not in names:
                raise ValueError(f"no tier is called {name}; there are {', '.join(names)}")
            if not days > 0:
                raise ValueError(f"the half-life of {name} must be more than 0 days")
        return replace(self, **given)


@dataclass(frozen=True, slots=True)
class UsageCount:
    """How often a note was put into a context, and when last."""

    times: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """The weighted sum, with what went into it."""

    score: float
    signals: Signals = field(compare=False)


def score_recency(created: datetime | None, now: datetime, half_life_days: float) -> float:
    """0.5 ** (age / half-life); 0.5 where no time is known, 1 for the future and for an infinite half-life."""
    if math.isinf(half_life_days):
        return 1.0
    if created is None:
        return 0.5
    age = max(0.0, (now - created).total_seconds() / SECONDS_A_DAY)
    return float(0.5 ** (age / half_life_days))


FREQUENCY_SATURATION = 20
FREQUENCY_HALF_LIFE_DAYS = 30.0


def score_frequency(usage: UsageCount, now: datetime) -> float:
    """log(1 + n) / log(1 + 20), at most 1, halved for every 30 days since the last use."""
    if usage.times <= 0:
        return 0.0
    often = min(1.0, math.log1p(usage.times) / math.log1p(FREQUENCY_SATURATION))
    lately = 1.0 if usage.last is None else score_recency(usage.last, now, FREQUENCY_HALF_LIFE_DAYS)
    return often * lately


def score_signals(signals: Signals, weights: SignalWeights, boost: float = 1.0) -> float:
    """The weighted sum of the signals, times a category boost (1 changes nothing)."""
    total = (
        signals.relevance * weights.relevance
        + signals.importance * weights.importance
        + signals.confidence * weights.confidence
        + signals.recency * weights.recency
        + signals.frequency * weights.frequency
    )
    return total * boost

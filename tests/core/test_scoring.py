"""The five signals stay in 0..1 and move the way their names say."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.core.note import Tier
from seci.core.scoring import (
    HalfLives,
    Signals,
    SignalWeights,
    UsageCount,
    score_frequency,
    score_recency,
    score_signals,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
share = st.floats(0, 1)


@given(share, share, share, share, share)
def test_a_score_is_a_weighted_mean(a: float, b: float, c: float, d: float, e: float) -> None:
    signals = Signals(a, b, c, d, e)
    assert min(a, b, c, d, e) - 1e-9 <= score_signals(signals, SignalWeights()) <= max(a, b, c, d, e) + 1e-9


@given(share)
def test_an_overridden_weight_stands_and_the_others_share_the_rest(recency: float) -> None:
    weights = SignalWeights().override(recency=recency)
    assert weights.recency == recency
    total = sum((weights.relevance, weights.importance, weights.confidence, weights.recency, weights.frequency))
    assert math.isclose(total, 1.0)
    if recency < 0.99:
        assert math.isclose(weights.relevance / weights.importance, 0.50 / 0.15)


def test_wrong_weights_are_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match="no signal is called recent; there are relevance"):
        SignalWeights().override(recent=0.2)
    with pytest.raises(ValueError, match="at most 1"):
        SignalWeights().override(recency=0.7, relevance=0.7)
    with pytest.raises(ValueError, match="sum to 1"):
        SignalWeights(relevance=0.9)


def test_recency_halves_with_the_half_life_of_the_tier() -> None:
    lives = HalfLives()
    old = NOW - timedelta(days=lives.episode)
    assert score_recency(old, NOW, lives.of(Tier.EPISODE)) == pytest.approx(0.5)
    assert score_recency(old, NOW, lives.of(Tier.SOUL)) == 1.0
    assert score_recency(NOW + timedelta(days=3), NOW, 10) == 1.0
    assert score_recency(None, NOW, 10) == 0.5


def test_frequency_grows_with_use_and_fades_without() -> None:
    once, often = (score_frequency(UsageCount(n, NOW), NOW) for n in (1, 20))
    assert 0 < once < often == 1.0
    assert score_frequency(UsageCount(20, NOW - timedelta(days=30)), NOW) == pytest.approx(0.5)
    assert score_frequency(UsageCount(), NOW) == 0.0

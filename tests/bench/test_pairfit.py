"""Fitting the odds of merging and superseding on labelled pairs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from seci.bench.consolidate import LabelledPair, embedded_text, read_pairs
from seci.bench.pairfit import UNUSED, fit_pairs
from seci.core.conflict import read_pair
from seci.core.odds import MERGED, REPLACED, Odds, known_odds
from seci.core.weighing import LIKELY_SAME
from seci.errors import UserError

PAIRS = Path(__file__).parent.parent / "consolidation"
COSINES: dict[str, float] = json.loads((PAIRS / "cosines.json").read_text())


class PairEmbedder:
    """Gives the two notes of a pair vectors with the cosine that the pair is known to have."""

    name, dimensions, window = "pairs", 2, 256

    def __init__(self, pairs: list[LabelledPair]) -> None:
        self._texts = [embedded_text(note) for pair in pairs for note in (pair.a, pair.b)]
        self._cosines = [COSINES[pair.id] for pair in pairs]

    def embed(self, texts: list[str]) -> np.ndarray:
        assert texts == self._texts
        rows = []
        for cosine in self._cosines:
            rows += [(1.0, 0.0), (cosine, (1.0 - min(1.0, cosine) ** 2) ** 0.5)]
        return np.array(rows, np.float32)


def test_a_fit_tells_pairs_apart_that_it_did_not_see() -> None:
    pairs = read_pairs(PAIRS / "training.jsonl")
    report = fit_pairs(pairs, PairEmbedder(pairs))
    assert report.precision[MERGED] >= 0.9
    assert report.recall[MERGED] >= 0.6
    assert report.precision[REPLACED] >= 0.85
    assert set(report.odds) == {MERGED, REPLACED}
    assert not UNUSED & set(report.odds[MERGED].weights)


def test_odds_of_one_kind_of_pair_cannot_be_fitted() -> None:
    pairs = [pair for pair in read_pairs(PAIRS / "training.jsonl") if pair.kind == "look-alike"]
    with pytest.raises(UserError, match="merge"):
        fit_pairs(pairs, PairEmbedder(pairs))


def test_the_published_odds_read_traits_by_name() -> None:
    pair = next(p for p in read_pairs(PAIRS / "training.jsonl") if p.id == "t-005")
    reading = read_pair(pair.a, pair.b, COSINES[pair.id])
    assert reading is not None
    for relation in (MERGED, REPLACED):
        assert set(known_odds(relation).weights) <= set(reading.traits)
    assert known_odds(MERGED).probability(reading.traits) >= LIKELY_SAME
    assert known_odds(REPLACED).probability(reading.traits) < 0.5


def test_a_trait_without_a_weight_does_not_count() -> None:
    odds = Odds(0.0, {"similarity": 2.0})
    assert odds.probability({"similarity": 0.0, "foreign": 9.0}) == 0.5
    assert odds.probability({"similarity": 1.0}) > 0.85

"""Pairs that neither rules nor odds nor the cross-encoder ever saw: what `seci bench consolidate` measures, live.

`unseen.jsonl` holds three batches of 240 pairs, forty of each kind, by three writers who knew neither the code nor
other pairs. The thresholds of `core.weighing` were chosen on them; nothing is trained on them, and no rule written for
one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.bench.consolidate import PairScores, read_pairs, score_pairs
from seci.embedding.cache import open_embedder
from seci.embedding.crossencoder.inference import open_reader

PAIRS = Path(__file__).parent / "unseen.jsonl"


@pytest.fixture(scope="module")
def scores(model_cache: Path) -> PairScores:
    return score_pairs(read_pairs(PAIRS), open_embedder(model_cache), open_reader(model_cache))


@pytest.mark.model
@pytest.mark.parametrize(("relation", "precision", "recall"), [("merge", 0.98, 0.85), ("supersede", 0.95, 0.75)])
def test_precision_and_recall_of_pairs_that_nothing_saw(
    scores: PairScores, relation: str, precision: float, recall: float
) -> None:
    assert scores.precision[relation] >= precision, scores.wrong
    assert scores.recall[relation] >= recall, scores.wrong


@pytest.mark.model
def test_what_contradicts_is_rarely_said_to_be_something_else(scores: PairScores) -> None:
    got = scores.confusion["contradiction"]
    assert got.get("merge", 0) + got.get("supersede", 0) <= 0.05 * sum(got.values()), scores.wrong

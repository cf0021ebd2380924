"""Weights found by search: better than where it starts, and scored as a search ranks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from seci.bench.fit import Pool, fit_weights, score_set
from seci.core.relevance import FEATURES, WEIGHTS, Weights
from tests.bench.files import write_locomo
from tests.conftest import Result

Seci = Callable[..., Result]
CLUE = FEATURES.index("date")


def pool(*, answer: int, turns: int = 20, seed: int = 0) -> Pool:
    """Similarities that say nothing, and one feature that marks the answer."""
    evidence = np.random.default_rng(seed).random((turns, len(FEATURES)), np.float32)
    evidence[:, CLUE] = 0.0
    evidence[answer, CLUE] = 0.5
    return Pool(evidence, None, np.array([answer]))


def test_the_search_finds_what_tells_answers_apart() -> None:
    pools = [pool(answer=number, seed=number) for number in range(12)]
    equal = Weights(**{name: 1 / 6 if index < 6 else 0.0 for index, name in enumerate(FEATURES)})
    fitted = fit_weights([pools])
    assert fitted.date > 0.2
    assert score_set(pools, fitted)["ndcg@10"] > score_set(pools, equal)["ndcg@10"] + 0.3


def test_units_with_equal_scores_do_not_share_a_place() -> None:
    even = Pool(np.zeros((12, len(FEATURES)), np.float32), None, np.arange(12))
    assert score_set([even], WEIGHTS)["recall@5"] == pytest.approx(5 / 12)


def test_the_command_scores_as_the_benchmark_does(seci: Seci, tmp_path: Path) -> None:
    file = write_locomo(tmp_path)
    told = seci("bench", "fit", "--locomo", file, "--out", tmp_path / "out", "--json")
    assert told.code == 0, told.err
    shape = json.loads(told.out)
    assert [fit["fitted_on"] for fit in shape["fits"]] == ["locomo", "shipped"]
    bench = json.loads(seci("bench", "locomo", file, "--methods", "hybrid", "--json").out)
    shipped = shape["fits"][-1]["metrics"]["locomo"]
    for metric in ("recall@5", "ndcg@10"):
        assert shipped[metric] == pytest.approx(bench["methods"]["hybrid"][metric], abs=1e-4)
    assert json.loads((tmp_path / "out" / "fit.json").read_text()) == shape


def test_half_of_a_data_set_is_refused(seci: Seci, tmp_path: Path) -> None:
    assert seci("bench", "fit").code == 2
    assert "--transcripts" in seci("bench", "fit", "--gold", tmp_path).err

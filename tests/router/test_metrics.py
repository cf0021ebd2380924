from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.router.metrics import (
    score_auc,
    score_confusion,
    score_interval,
    score_kappa,
    score_kept,
    select_budget,
)
from seci.router.retrieval import BM25, fuse_ranks


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_order(items: list[tuple[bool, int]]) -> None:
    truth = np.array([t for t, _ in items])
    score = np.array([s for _, s in items], np.float32)
    pairs = [(p > n) + 0.5 * (p == n) for p in score[truth] for n in score[~truth]]
    if pairs:
        assert score_auc(truth, score) == pytest.approx(float(np.mean(pairs)))
    else:
        assert np.isnan(score_auc(truth, score))


def test_a_budget_keeps_the_best_and_the_earlier_of_equals() -> None:
    kept = select_budget(np.array([0.5, 0.9, 0.5, 0.1], np.float32), 0.5)
    assert kept.tolist() == [True, True, False, False]
    assert score_kept(np.array([True, False, True, False]), kept) == 0.5


def test_precision_and_recall_of_decisions() -> None:
    counts = score_confusion(np.array([True, True, False, False]), np.array([True, False, True, False]))
    assert (counts.precision, counts.recall, counts.f1) == (0.5, 0.5, 0.5)


def test_kappa_of_cohens_own_kind_of_table() -> None:
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert score_kappa(first, second) == pytest.approx(0.4)
    assert score_kappa(["a", "a"], ["a", "a"]) == 1.0


def test_the_interval_of_five_runs_uses_students_t() -> None:
    mean, low, high = score_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean == 3.0
    assert high - mean == pytest.approx(2.776 * np.std([1, 2, 3, 4, 5], ddof=1) / 5**0.5)
    assert low == pytest.approx(6.0 - high)


def test_bm25_prefers_the_rare_word_and_fusion_needs_both_lists() -> None:
    documents = [["the", "red", "boat"], ["the", "blue", "boat"], ["the", "car"]]
    scores = BM25(documents).score(["red", "the"])
    assert scores.argmax() == 0
    assert scores[2] > 0.0
    order = fuse_ranks(np.array([0.9, 0.8, 0.1], np.float32), np.array([0.0, 2.0, 1.0], np.float32))
    assert order.tolist()[0] == 1

"""The metrics against figures worked out by hand, and against what the SECI seed published."""

from __future__ import annotations

import json
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.bench.metrics import (
    score_difference,
    score_intervals,
    score_means,
    score_ndcg,
    score_question,
    score_recall,
    score_recall_all,
    score_recall_any,
    score_reciprocal_rank,
)
from tests.bench.data import real

RANKED = ["a", "b", "c", "d", "e", "f"]


def test_recall_in_its_three_meanings() -> None:
    gold = frozenset({"b", "f", "z"})
    assert score_recall(RANKED, gold, 5) == pytest.approx(1 / 3)
    assert score_recall(RANKED, gold, 6) == pytest.approx(2 / 3)
    assert score_recall_any(RANKED, gold, 1) == 0
    assert score_recall_any(RANKED, gold, 2) == 1
    assert score_recall_all(RANKED, gold, 6) == 0
    assert score_recall_all(RANKED, frozenset("ac"), 3) == 1
    assert score_recall_all(RANKED, frozenset("ac"), 2) == 0


def test_ndcg_takes_the_ideal_over_what_fits() -> None:
    assert score_ndcg(RANKED, frozenset("abc"), 2) == 1, "two of three fit into two places"
    assert score_ndcg(RANKED, frozenset("c"), 5) == pytest.approx(1 / log2(4))
    assert score_ndcg(RANKED, frozenset("ad"), 5) == pytest.approx((1 + 1 / log2(5)) / (1 + 1 / log2(3)))


def test_reciprocal_rank() -> None:
    assert score_reciprocal_rank(RANKED, frozenset("ce")) == pytest.approx(1 / 3)
    assert score_reciprocal_rank(RANKED, frozenset("z")) == 0


def test_a_question_that_nothing_answers_is_not_scored() -> None:
    with pytest.raises(ValueError, match="cannot be scored"):
        score_question(RANKED, frozenset(), (5,))


@given(
    ranked=st.lists(st.integers(0, 30), unique=True, max_size=20),
    gold=st.frozensets(st.integers(0, 30), min_size=1, max_size=8),
)
def test_how_the_metrics_relate(ranked: list[int], gold: frozenset[int]) -> None:
    scores = score_question(ranked, gold, (5, 10))
    for k in (5, 10):
        every, share, one = (scores[f"{name}@{k}"] for name in ("recall_all", "recall", "recall_any"))
        assert every <= share <= one
        assert (scores[f"ndcg@{k}"] > 0) == (one > 0)
    assert scores["recall@5"] <= scores["recall@10"]
    assert all(0 <= value <= 1 for value in scores.values())


def test_intervals_hold_the_mean_narrow_with_questions_and_repeat() -> None:
    few = [{"recall@5": float(i % 4 > 0)} for i in range(40)]
    many = few * 25
    low, high = score_intervals(few)["recall@5"]
    assert low < 0.75 < high
    narrow = score_intervals(many)["recall@5"]
    assert narrow[1] - narrow[0] < (high - low) / 3
    assert score_intervals(few) == score_intervals(few)
    assert score_means(few) == {"recall@5": 0.75}


def test_the_paired_test_tells_a_steady_gain_from_noise() -> None:
    base = [float(i % 3 == 0) for i in range(90)]
    better = [1.0 if i % 5 == 0 else value for i, value in enumerate(base)]
    steady = score_difference(better, base)
    assert steady.difference == pytest.approx(12 / 90)
    assert steady.low > 0 and steady.p < 0.001
    shuffled = base[1:] + base[:1]
    noise = score_difference(shuffled, base)
    assert noise.low <= 0 <= noise.high and noise.p > 0.5
    with pytest.raises(ValueError, match="paired"):
        score_difference(base, base[1:])


SEED_TABLE = {
    # file of the seed's results -> its published R@5, R@10, NDCG@5, NDCG@10 in percent
    "s_raw_all_turns_retrieval.jsonl": (85.9, 92.8, 80.3, 83.0),
    "s_mempalace_faithful_retrieval.jsonl": (92.1, 96.3, 86.8, 88.5),
    "s_seci_extracted_retrieval.jsonl": (93.7, 96.7, 89.1, 90.3),
    "s_seci_hybrid_kw_retrieval.jsonl": (93.9, 96.6, 89.7, 90.8),
}


@pytest.mark.parametrize("name", SEED_TABLE)
def test_the_seeds_table_to_the_digit(name: str) -> None:
    rows = [json.loads(line) for line in real(f"longmemeval/seed_results/{name}").read_text().splitlines()]
    assert len(rows) == 470
    scores = [score_question(row["retrieved_ids"], frozenset(row["gold_ids"]), (5, 10)) for row in rows]
    means = score_means(scores)
    got = tuple(round(100 * means[metric], 1) for metric in ("recall@5", "recall@10", "ndcg@5", "ndcg@10"))
    assert got == SEED_TABLE[name]
    for row, ours in zip(rows, scores, strict=True):
        theirs = row["metrics"]["session"]
        assert ours["recall@5"] == pytest.approx(theirs["recall_all@5"]), row["question_id"]
        assert ours["ndcg@10"] == pytest.approx(theirs["ndcg_any@10"]), row["question_id"]


def test_two_published_figures_are_one_run_in_two_metrics() -> None:
    rows = [
        json.loads(line)
        for line in real("longmemeval/seed_results/s_mempalace_faithful_retrieval.jsonl").read_text().splitlines()
    ]
    means = score_means([score_question(row["retrieved_ids"], frozenset(row["gold_ids"]), (5,)) for row in rows])
    assert round(100 * means["recall@5"], 1) == 92.1
    assert round(100 * means["recall_any@5"], 1) == 96.6

"""The two formulas of the SECI description, as published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.core.ranking import keyword_boost, keyword_overlap, reciprocal_rank_fusion

lists = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


def test_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b", "c"]])
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)
    assert max(fused, key=fused.__getitem__) == "b"


@given(lists)
def test_being_in_one_more_list_never_lowers_a_score(rankings: list[list[str]]) -> None:
    before = reciprocal_rank_fusion(rankings)
    after = reciprocal_rank_fusion([*rankings, ["a"]])
    assert after["a"] > before.get("a", 0.0)
    assert all(after[item] == before[item] for item in before if item != "a")


def test_the_keyword_boost_is_at_most_thirty_percent() -> None:
    words = frozenset({"why", "onnx"})
    assert keyword_overlap(words, frozenset({"onnx"})) == 0.5
    assert keyword_overlap(frozenset(), words) == 0.0
    assert keyword_boost(2.0, 1.0) == pytest.approx(2.6)
    assert keyword_boost(2.0, 0.0) == 2.0

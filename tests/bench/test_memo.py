"""What is remembered is not embedded again, and still paid for."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seci.bench.memo import MemoEmbedder, read_clocks
from tests.bench.words import WordEmbedder

TEXTS = ["a red boat", "fresh yeast", "a red boat"]


def test_the_same_vectors_without_embedding_again(tmp_path: Path) -> None:
    first = WordEmbedder()
    vectors = MemoEmbedder(first, tmp_path).embed(TEXTS)
    np.testing.assert_array_equal(vectors, WordEmbedder().embed(TEXTS))
    assert first.embedded == ["a red boat", "fresh yeast"]
    second = WordEmbedder()
    memo = MemoEmbedder(second, tmp_path)
    np.testing.assert_array_equal(memo.embed(TEXTS), vectors)
    assert second.embedded == []
    assert memo.spared.wall > 0
    assert memo.embed([]).shape == (0, second.dimensions)


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    MemoEmbedder(WordEmbedder(), tmp_path).embed(TEXTS)
    other = WordEmbedder(name="other")
    MemoEmbedder(other, tmp_path).embed(TEXTS)
    assert other.embedded == ["a red boat", "fresh yeast"]


def test_a_question_is_no_passage_and_is_charged_each_time() -> None:
    inner = WordEmbedder()
    memo = MemoEmbedder(inner, None)
    before = read_clocks()
    asked = memo.embed_query("a red boat")
    assert memo.spared.wall == 0
    np.testing.assert_array_equal(memo.embed_query("a red boat"), asked)
    assert 0 < memo.spared.wall < (read_clocks() - before).wall
    memo.embed(["a red boat"])
    assert inner.embedded == ["a red boat"]

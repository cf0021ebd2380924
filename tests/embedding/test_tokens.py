"""Counting and cutting by tokens: nothing is lost, nothing is too long."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seci.embedding.cache import packaged_weights
from seci.embedding.export import TOKENIZER_FILE
from seci.embedding.onnx import load_tokenizer
from seci.embedding.tokens import TokenizerCounter, best_break

COUNTER = TokenizerCounter(load_tokenizer(packaged_weights() / TOKENIZER_FILE))
PIECES = st.sampled_from(
    [
        "word ",
        "unbelievably ",
        "Sentence. ",
        "\n\n",
        "\n",
        "naïve ",
        "東京都。",
        "😀",
        "x" * 150,
        "a/b-c_d ",
        "  ",
        "1234567 ",
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=300))


def test_special_tokens_are_not_counted(counter: TokenizerCounter) -> None:
    assert counter.count("") == 0
    assert counter.count("hello world") == 2
    assert counter.count("hello " * 5000) == 5000  # not cut at the window


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(1, 20))
def test_slices_join_to_the_text_and_keep_to_the_limit(text: str, limit: int) -> None:
    slices = COUNTER.windows(text, limit)
    assert "".join(slices) == text
    assert all(slices)
    assert all(COUNTER.count(piece) <= limit for piece in slices)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["", " ", "\n", "\n\n"]), max_size=80), st.integers(6, 20), st.integers(1, 3))
def test_with_overlap_nothing_is_lost_either(separators: list[str], limit: int, overlap: int) -> None:
    text = "".join(f"{chr(0x4E00 + number)}{gap}" for number, gap in enumerate(separators))  # no part stands twice
    slices = COUNTER.windows(text, limit, overlap)
    assert all(piece and COUNTER.count(piece) <= limit for piece in slices)
    covered = 0
    for piece in slices:
        place = text.find(piece)
        assert 0 <= place <= covered < place + len(piece)
        covered = place + len(piece)
    assert covered == len(text)


def test_overlap_repeats_the_last_words(counter: TokenizerCounter) -> None:
    words = " ".join(f"w{n}" for n in range(10))
    first, second, *_ = counter.windows(words, 8, overlap=4)
    assert second.startswith(first.split()[-2])


def test_cuts_fall_after_paragraphs_then_sentences_then_words(counter: TokenizerCounter) -> None:
    assert counter.windows("one two three\n\nfour five six seven", 5) == ["one two three\n\n", "four five six seven"]
    assert counter.windows("one two to. three four five six", 6) == ["one two to. ", "three four five six"]
    assert counter.windows("one two three four five six", 4) == ["one two three four ", "five six"]


def test_an_early_break_does_not_make_a_tiny_window(counter: TokenizerCounter) -> None:
    assert counter.windows("a.\n\n" + "word " * 20, 10)[0] == "a.\n\n" + "word " * 8


def test_a_huge_text_without_a_blank_is_cut_all_the_same(counter: TokenizerCounter) -> None:
    text = "x1+" * 30_000
    slices = counter.windows(text, 254)
    assert "".join(slices) == text
    assert max(map(counter.count, slices)) <= 254


def test_a_window_that_cannot_cover_is_refused(counter: TokenizerCounter) -> None:
    with pytest.raises(ValueError, match="overlap of 5"):
        counter.windows("text", 5, overlap=5)
    with pytest.raises(ValueError, match="0 tokens"):
        counter.windows("text", 0)


def test_a_break_never_lies_beyond_what_fits() -> None:
    assert best_break("aaaa bbbb", 6) == 5
    assert best_break("aaaabbbb", 6) == 6

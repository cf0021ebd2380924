"""Where sentences end, and how they are mended."""

from __future__ import annotations

import pytest

from seci.distillers.sentences import Casing, capitalise, count_words, finish_sentence, is_balanced, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It uses v1.2.3 of lib.c, e.g. for tests. Done.", ["It uses v1.2.3 of lib.c, e.g. for tests.", "Done."]),
        ("Run `a. b` (see c. d) now. Then stop.", ["Run `a. b` (see c. d) now.", "Then stop."]),
        ('He asked "why?" and left.', ['He asked "why?" and left.']),
        ("これは一つ。これは二つ。", ["これは一つ。", "これは二つ。"]),
        ("no end mark", ["no end mark"]),
        ("", []),
    ],
)
def test_split(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_words_of_dense_scripts_count_by_twos() -> None:
    assert count_words("設定を変更") == 3
    assert count_words("three plain words") == 3


def test_balance_finds_what_was_cut_off() -> None:
    assert is_balanced("a (b) `c(` d")
    assert not is_balanced("a (b")
    assert not is_balanced('say "x')


def test_capitals_keep_names_and_code() -> None:
    assert capitalise("the end") == "The end"
    assert capitalise("iPhone sells") == "iPhone sells"
    assert capitalise("`x` is set") == "`x` is set"


def test_lower_first_keeps_the_names_of_a_session() -> None:
    casing = Casing.of(["We asked Marlene about it. The server is up; a server may fall."])
    assert casing.lower_first("Marlene agreed") == "Marlene agreed"
    assert casing.lower_first("Server restarts help") == "server restarts help"
    assert casing.lower_first("HTTP is slow") == "HTTP is slow"


def test_finish_adds_one_end_mark() -> None:
    assert finish_sentence("the port is 80 ,") == "The port is 80."
    assert finish_sentence('She said "no."') == 'She said "no."'

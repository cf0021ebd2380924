"""English word forms that a question and a text may differ in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.index.stemming import stem
from seci.index.tables import split_terms


@pytest.mark.parametrize(
    "family",
    [
        "run runs running ran",
        "study studies studied studying",
        "write writes wrote written writing",
        "rebuild rebuilt rebuilding",
        "child children",
        "hope hoped hoping",
        "hop hopped hopping",
        "relational relation relations",
        "quick quickly",
        "commit commits committed committing",
        "generous generously",
        "add added adding adds",
    ],
)
def test_forms_of_one_word_are_one_term(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "apart",
    ["news new", "hope hop", "organ organize", "inter internal", "bus busy", "universe university"],
)
def test_words_that_only_look_alike_stay_apart(apart: str) -> None:
    one, other = apart.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["", "a", "is", "v1", "42", "e2e", "straße", "日本"])
def test_what_is_no_english_word_passes_through(word: str) -> None:
    assert stem(word) == word


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=40))
def test_any_word_gives_a_stem_no_longer_than_it(word: str) -> None:
    assert 1 <= len(stem(word)) <= max(len(word), 8)  # an irregular form may be shorter than its base
    assert stem(word) == stem(word).lower()


def test_identifiers_are_found_whole_and_by_their_parts() -> None:
    terms = split_terms("GetGitAuthorFromRepo fails in HTTPServer")
    assert {"getgitauthorfromrepo", "git", "author", "repo", "httpserver", "http", "server"} <= set(terms)
    assert set(split_terms("which author does the repo have")) <= set(terms) | {"doe"}


def test_ordinary_capitals_make_no_parts() -> None:
    assert split_terms("Redis LRU Cache") == ["redi", "lru", "cach"]

"""BM25 over turns, neighbourhoods and sessions against a plain count, by both ways of spreading a term."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from seci.core import wordmatch
from seci.core.wordmatch import AROUND_TERMS, K1, B, Matches, arrange_terms, match_terms

Sessions = list[list[list[str]]]  # the terms of each turn of each session

TERMS = ["a", "b", "c", "missing"]
TURNS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=9)


@given(st.lists(TURNS, min_size=1, max_size=5), st.integers(0, 3))
def test_both_ways_agree_with_a_plain_count(sessions: Sessions, gone: int) -> None:
    found = []
    for share in (0.0, 1.0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wordmatch, "_DENSE_SHARE", share)
            found.append(matches_of(sessions, gone))
    dense, sparse = found
    for name in ("turn", "near", "session"):
        assert np.array_equal(getattr(dense, name), getattr(sparse, name)), name
    turns = [turn for session in sessions for turn in session]
    assert dense.coverage(range(len(turns))) == pytest.approx(plain_coverage(turns))
    around = [
        join(session[max(0, place - AROUND_TERMS) : place + AROUND_TERMS + 1])
        for session in sessions
        for place in range(len(session))
    ]
    whole = [join(session) for session in sessions]
    assert dense.turn == pytest.approx(plain_bm25(turns))
    assert dense.near == pytest.approx(plain_bm25(around))
    of_session = plain_bm25(whole)
    expected = [of_session[number] for number, session in enumerate(sessions) for _ in session]
    assert dense.session == pytest.approx(expected)


def plain_coverage(turns: list[list[str]]) -> list[float]:
    rarity = {}
    for term in TERMS:
        holding = sum(term in turn for turn in turns)
        rarity[term] = log(1 + (len(turns) - holding + 0.5) / (holding + 0.5))
    return [sum(rarity[term] for term in TERMS if term in turn) / sum(rarity.values()) for turn in turns]


def join(turns: list[list[str]]) -> list[str]:
    return [term for turn in turns for term in turn]


def matches_of(sessions: Sessions, gone: int) -> Matches:
    """Rows of two terms each, after `gone` rows that are no longer live and hold every term."""
    rows: list[list[str]] = [["a", "b", "c"]] * gone
    turn_of = [-1] * gone
    number = 0
    for session in sessions:
        for turn in session:
            pieces = [turn[start : start + 2] for start in range(0, len(turn), 2)]
            rows += pieces
            turn_of += [number] * len(pieces)
            number += 1
    session_of = np.array([place for place, session in enumerate(sessions) for _ in session])
    starts = np.flatnonzero(np.append(True, session_of[1:] != session_of[:-1]))
    lengths = np.array([float(len(turn)) for session in sessions for turn in session])
    around = np.array(
        [
            float(len(join(session[max(0, place - AROUND_TERMS) : place + AROUND_TERMS + 1])))
            for session in sessions
            for place in range(len(session))
        ]
    )
    line = arrange_terms(np.array(turn_of), session_of, starts, lengths, around)

    def find(term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        holding = [row for row, terms in enumerate(rows) if term in terms]
        return np.array(holding, np.int32), np.array([rows[row].count(term) for row in holding], np.float32)

    return match_terms(TERMS, line, find)


def plain_bm25(texts: list[list[str]]) -> list[float]:
    mean = sum(map(len, texts)) / len(texts)
    scores = [0.0] * len(texts)
    for term in TERMS:
        holding = sum(term in text for text in texts)
        rarity = log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for place, text in enumerate(texts):
            count = text.count(term)
            scores[place] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(text) / mean))
    return scores

"""Turns weighed by named evidence: coarser granularities follow from the chunks, and every kind of evidence counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from seci.core.inquiry import Inquiry
from seci.core.layout import Layout, arrange_layout
from seci.core.relevance import (
    FEATURES,
    WEIGHTS,
    gather_evidence,
    score_evidence,
    score_relevance,
)
from seci.core.temporal import Interval
from seci.core.wordmatch import K1, B, match_terms

NO_PEAKS = (0.0, 0.0, 0.0)
ASKED = Inquiry("q", "q", "q")


@dataclass
class Rows:
    """A shelf of (file, turn, words) rows."""

    rows: list[tuple[int, int, str]]
    roles: list[int] = field(default_factory=list)
    speakers: list[int] = field(default_factory=list)
    gone: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        size = len(self.rows)
        self.live = np.array([row not in self.gone for row in range(size)], np.bool_)
        self.document = np.array([file for file, _, _ in self.rows], np.int64)
        self.turn = np.array([turn for _, turn, _ in self.rows], np.int32)
        self.role = np.array(self.roles or [1] * size, np.int8)
        self.speaker = np.array(self.speakers or [-1] * size, np.int32)
        self.at = np.array([86_400.0 * 100 * file for file in self.document], np.float64)
        self.standing = np.array(["always" in words for _, _, words in self.rows], np.bool_)
        self.counts = [Counter(words.split()) for _, _, words in self.rows]
        self.terms = np.array([count.total() for count in self.counts], np.int32)
        unit = np.random.default_rng(7).normal(size=(size, 8)).astype(np.float32)
        self.matrix: NDArray[np.float32] = unit / np.linalg.norm(unit, axis=1, keepdims=True)

    def vectors(self, rows: object) -> NDArray[np.float32]:
        return self.matrix[np.asarray(rows, np.int64)]

    def find(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        held = [row for row, count in enumerate(self.counts) if count[term]]
        return np.array(held, np.int32), np.array([self.counts[row][term] for row in held], np.float32)


TWO_FILES = [
    (1, 0, "hook registry"),
    (1, 1, "rebuild hook hook"),
    (1, 1, "always rebuild"),
    (1, 2, "thanks"),
    (1, 3, "bye"),
    (2, 0, "registry of births"),
    (2, 1, "births"),
]


def test_rows_make_turns_and_turns_sessions() -> None:
    layout = arrange_layout(Rows(TWO_FILES))
    assert layout.windows.tolist() == [1, 2, 1, 1, 1, 1]
    assert layout.session_of.tolist() == [0, 0, 0, 0, 1, 1]
    assert layout.turn_of.tolist() == [0, 1, 1, 2, 3, 4, 5]
    assert layout.standing.tolist() == [False, False, False, False, False, False]  # as the turn's first window says
    assert layout.rows_of(1).tolist() == [1, 2]
    assert layout.years == (1970,)


def test_a_removed_row_belongs_to_no_turn() -> None:
    layout = arrange_layout(Rows(TWO_FILES, gone=frozenset({0, 5, 6})))
    assert layout.turn_of.tolist() == [-1, 0, 0, 1, 2, -1, -1]
    assert len(layout.session_starts) == 1


def test_an_empty_shelf_has_no_turns() -> None:
    layout = arrange_layout(Rows([]))
    assert layout.turns == 0
    assert match_terms(["hook"], layout.terms, Rows([]).find).peaks() == NO_PEAKS


def test_coarser_cosines_are_those_of_averaged_vectors() -> None:
    shelf = Rows(TWO_FILES)
    layout = arrange_layout(shelf)
    question = shelf.matrix[3]
    evidence = gather_evidence(ASKED, layout, shelf.matrix @ question, None, NO_PEAKS)
    units = [unit(shelf.matrix[layout.rows_of(turn)].sum(0)) for turn in range(layout.turns)]
    spans = [(0, 2), (0, 3), (1, 4), (2, 4), (4, 6), (4, 6)]
    near = [np.sum(units[first:last], axis=0) for first, last in spans]
    session = [np.sum(units[:4], axis=0)] * 4 + [np.sum(units[4:], axis=0)] * 2
    assert evidence["turn_cosine"][1] == pytest.approx(max(shelf.matrix[1:3] @ question), abs=1e-6)
    assert evidence["near_cosine"] == pytest.approx([unit(v) @ question for v in near], abs=1e-6)
    assert evidence["session_cosine"] == pytest.approx([unit(v) @ question for v in session], abs=1e-6)


def test_bm25_counts_turns_neighbourhoods_and_sessions() -> None:
    shelf = Rows(TWO_FILES)
    layout = arrange_layout(shelf)
    matches = match_terms(["hook", "unheard"], layout.terms, shelf.find)
    lengths = [2, 5, 1, 1, 3, 1]
    assert matches.turn[1] == pytest.approx(bm25(2, 5, lengths, holding=2))
    around = [8, 9, 9, 7, 4, 4]
    assert matches.near[3] == pytest.approx(bm25(2, 7, around, holding=4))
    assert matches.near[4] == 0  # the other session
    assert matches.session[0] == matches.session[3] == pytest.approx(bm25(3, 9, [9, 4], holding=1))
    assert matches.coverage([1])[0] == pytest.approx(log(1 + 4.5 / 2.5) / (log(1 + 4.5 / 2.5) + log(1 + 6.5 / 0.5)))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.text("ab ", max_size=6)), max_size=12).map(
        lambda rows: sorted(rows, key=lambda row: row[:2])
    )
)
def test_no_arrangement_of_rows_breaks_it(rows: list[tuple[int, int, str]]) -> None:
    shelf = Rows(rows)
    layout = arrange_layout(shelf)
    assert layout.turns == len({row[:2] for row in rows})
    if rows:
        matches = match_terms(["a", "b", "aa"], layout.terms, shelf.find)
        evidence = gather_evidence(ASKED, layout, shelf.matrix @ shelf.matrix[0], matches, matches.peaks())
        assert np.isfinite(score_evidence(evidence)).all()
        assert max(evidence["near_cosine"].max(), evidence["session_cosine"].max()) <= 1 + 1e-6
        assert evidence["near_terms"].max() <= 1


def test_each_kind_of_evidence_moves_the_score_its_way() -> None:
    speakers = [0, 1, 1, 0, 1, -1, -1]
    shelf = Rows(TWO_FILES, roles=[1, 2, 2, 1, 2, 1, 2], speakers=speakers)
    layout = replace_standing(arrange_layout(shelf), 0)
    inquiry = replace(
        ASKED, first_person=True, request=True, intervals=(Interval(date(1970, 4, 11), date(1970, 4, 11)),)
    )
    matches = match_terms(["hook"], layout.terms, shelf.find)
    evidence = gather_evidence(inquiry, layout, shelf.matrix @ shelf.matrix[0], matches, matches.peaks(), named=[1])
    assert set(evidence) == set(FEATURES)
    assert evidence["date"].tolist() == [1, 1, 1, 1, pytest.approx(0, abs=0.01), pytest.approx(0, abs=0.01)]
    assert evidence["present"].tolist() == [1, 1, 1, 1, 0, 0]
    assert evidence["speaker"].tolist() == [0, 1, 0, 1, 0, 0]
    assert evidence["assistant"].tolist() == [0, 1, 0, 1, 0, 1]
    whole = score_evidence(evidence)
    for name in FEATURES:
        without = score_evidence(evidence, replace(WEIGHTS, **{name: 0.0}))
        assert np.array_equal(whole != without, evidence[name] != 0), name


def test_a_summary_wants_both_sides() -> None:
    layout = arrange_layout(Rows(TWO_FILES, roles=[2] * 7))
    evidence = gather_evidence(replace(ASKED, first_person=True, summary=True), layout, None, None, NO_PEAKS)
    assert "assistant" not in evidence
    assert "windows" not in evidence


def test_relevance_is_absolute() -> None:
    assert score_relevance(0.05, 0.1) < 0.05 < 0.5 < score_relevance(0.5, 0.5) < score_relevance(0.7, 0.8) < 1
    assert score_relevance(None, 0.4) == 0.4


def bm25(frequency: float, length: float, lengths: list[int], holding: int) -> float:
    rarity = log(1 + (len(lengths) - holding + 0.5) / (holding + 0.5))
    mean = sum(lengths) / len(lengths)
    return rarity * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean))


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return scaled


def replace_standing(layout: Layout, turn: int) -> Layout:
    standing = layout.standing.copy()
    standing[turn] = True
    return replace(layout, standing=standing)

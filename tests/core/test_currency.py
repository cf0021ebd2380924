"""A turn that tells of a change stands above the older one that it changes."""

from __future__ import annotations

from math import nan

import pytest

from seci.core.currency import LEAST_ALIKE, LEAST_SCORE, Statement, asks_for_now, lift_changes, states_change

QUESTION = "How many days does the migration project take?"
OLDER = Statement("The migration project takes 30 days.", False, (100.0, 1), 0.8)
OTHER = Statement("The kitchen is painted green.", False, (100.0, 2), 0.7)


def newer(at: float = 200.0, score: float = 0.7, text: str = "The migration project now takes 45 days.") -> Statement:
    return Statement(text, states_change(text), (at, 1), score)


def alike(_a: int, _b: int) -> float:
    return LEAST_ALIKE


def test_a_change_is_lifted_above_the_older_statement() -> None:
    assert lift_changes(QUESTION, [OLDER, OTHER, newer()], alike) == {2: 0}


def test_what_stands_first_already_stays() -> None:
    assert lift_changes(QUESTION, [newer(score=0.9), OLDER], alike) == {}


@pytest.mark.parametrize(
    "statement",
    [
        newer(at=50.0),
        newer(at=nan),
        newer(score=LEAST_SCORE * OLDER.score - 0.01),
        newer(text="The migration project takes 45 days."),
        newer(text="The rent was increased to 900 euros."),
    ],
    ids=["older", "of no known time", "much less relevant", "no word of change", "another subject"],
)
def test_nothing_else_is_lifted(statement: Statement) -> None:
    assert lift_changes(QUESTION, [OLDER, statement], alike) == {}


def test_statements_that_are_not_alike_stay() -> None:
    assert lift_changes(QUESTION, [OLDER, newer()], lambda _a, _b: LEAST_ALIKE - 0.01) == {}


@pytest.mark.parametrize(
    "question",
    [
        "How long was the migration project originally planned to take?",
        "How has the length of the migration project changed over time?",
        "In which order did the length of the migration project come up?",
        "Why does the migration project take so many days?",
        "How do I plan the days of the migration project?",
    ],
)
def test_a_question_about_something_else_than_now_is_left_as_it_is(question: str) -> None:
    assert not asks_for_now(question)
    assert lift_changes(question, [OLDER, newer()], alike) == {}

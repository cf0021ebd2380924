"""What tells how things are now stands above the older statement that it outdates."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest

from seci.core.currency import (
    FIGURE_ALIKE,
    FIGURE_SCORE,
    LEAST_ALIKE,
    LEAST_SCORE,
    Statement,
    asks_for_now,
    find_lifts,
    states_change,
)

QUESTION = "For how long does the migration project run?"
OLDER = Statement("The migration project takes 30 days.", False, True, (100.0, 1), 0.8)
OTHER = Statement("The kitchen is painted green.", False, True, (100.0, 2), 0.7)


def newer(at: float = 200.0, score: float = 0.7, text: str = "The migration project now takes 45 days.") -> Statement:
    return Statement(text, states_change(text), True, (at, 1), score)


def alike(_a: int, _b: int) -> float:
    return LEAST_ALIKE


def test_a_change_is_lifted_above_the_older_statement() -> None:
    assert find_lifts(QUESTION, [OLDER, OTHER, newer()], alike) == [(2, 0)]


def test_what_stands_first_already_stays() -> None:
    assert find_lifts(QUESTION, [newer(score=0.9), OLDER], alike) == []


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
    assert find_lifts(QUESTION, [OLDER, statement], alike) == []


def test_statements_that_are_not_alike_stay() -> None:
    assert find_lifts(QUESTION, [OLDER, newer()], lambda _a, _b: LEAST_ALIKE - 0.01) == []


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
    assert find_lifts(question, [OLDER, newer()], alike) == []


RUNS = "How many kilometres do I run every week?"
FEW = Statement("I run 20 kilometres every week, mostly in the park.", False, True, (100.0, 1), 0.8)
MANY = Statement("With 35 kilometres every week I run too much for my knee.", False, True, (200.0, 1), 0.5)
MORE = Statement("I run 50 kilometres every week since spring.", False, True, (300.0, 1), 0.45)


def test_another_figure_is_lifted_without_a_word_of_change() -> None:
    assert find_lifts(RUNS, [FEW, OTHER, MANY], lambda _a, _b: FIGURE_ALIKE) == [(2, 0)]


def test_of_three_figures_the_newest_comes_to_stand_first() -> None:
    said = [FEW, MORE, MANY]
    order = [0, 1, 2]
    for number, above in find_lifts(RUNS, said, alike):
        order.remove(number)
        order.insert(order.index(above), number)
    assert [said[number] for number in order] == [MORE, MANY, FEW]


@pytest.mark.parametrize(
    "statement",
    [
        replace(MANY, at=(50.0, 1)),
        replace(MANY, at=(nan, 1)),
        replace(MANY, told=False),
        replace(MANY, score=FIGURE_SCORE * FEW.score - 0.01),
        replace(MANY, text="I run 20 kilometres every week, as ever."),
        replace(MANY, text="I run every week."),
        replace(MANY, text="I slept 35 hours last week."),
    ],
    ids=["older", "of no known time", "said by the assistant", "less relevant", "same figure", "no figure", "else"],
)
def test_no_other_figure_of_the_same_is_not_lifted(statement: Statement) -> None:
    assert find_lifts(RUNS, [FEW, statement], alike) == []


def test_the_figure_that_was_at_first_is_left_in_its_place() -> None:
    assert find_lifts("How many kilometres did I run every week at first?", [FEW, MANY], alike) == []

"""Figures that answer a question, compared by their units."""

from __future__ import annotations

import pytest

from seci.core.figures import asks_for_figure, figures_differ, find_figures


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("How much is my rent?", "My rent is $900.", "They raised my rent, it is $1,050 now."),
        ("What is my record in the Berlin marathon?", "My Berlin record is 4:52.", "Berlin marathon in 4:35!"),
        (
            "How many chapters have I finished?",
            "Of the chapters I have finished four so far.",
            "7 chapters are finished.",
        ),
        ("How long does the export take?", "The export takes 3 minutes.", "An export takes about 11 minutes."),
        (
            "What was the share of failed builds?",
            "The share of failed builds was 4%.",
            "Failed builds: a share of 9 percent",
        ),
        ("How many plants do I own?", "I own twelve plants.", "I bought soil. I own 15 plants, all green."),
    ],
)
def test_other_figures_of_one_unit(question: str, text: str, other: str) -> None:
    assert asks_for_figure(question)
    assert figures_differ(question, text, other) and figures_differ(question, other, text)
    assert not figures_differ(question, text, text)


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("How much is my rent?", "My rent is $900.", "My rent is due in 3 days."),
        ("How long does the export take?", "The export takes 3 minutes.", "The export takes 2 workers."),
        ("How many plants do I own?", "I own twelve plants.", "I own 12 plants."),
        ("How many plants do I own?", "I own twelve plants.", "My sister has 15 hamsters."),
        ("How many plants do I own?", "I own plants.", "I own 15 plants."),
    ],
    ids=["other unit", "of something else", "the same in letters", "other subject", "no figure"],
)
def test_nothing_to_compare(question: str, text: str, other: str) -> None:
    assert not figures_differ(question, text, other) and not figures_differ(question, other, text)


@pytest.mark.parametrize(
    "question",
    [
        "How many days passed between the two visits?",
        "How many plants did I say that I own?",
        "How many plants did I own at first?",
        "Why do I own so many plants?",
        "Which plants do I own?",
    ],
)
def test_what_asks_for_no_figure_of_now(question: str) -> None:
    assert not asks_for_figure(question)


def test_the_sentence_that_answers_is_read_and_no_other() -> None:
    text = "I turned 40 in May. My rent went up to $1,050 in June. The fridge cost $300."
    assert find_figures("How much is my rent in June?", text) == {"$": {"1050"}}
    assert find_figures("How much is my salary?", text) == {}

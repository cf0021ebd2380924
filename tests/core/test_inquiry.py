"""What a question is about, apart from how it asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.core.inquiry import drop_names, parse_inquiry, select_subject, select_topic


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Can you give me a comprehensive summary of how my budget grew over time?", "how my budget grew?"),
        (
            "Can you list the order in which I brought up different aspects of my essay drafts throughout our "
            "conversations, in order? Mention ONLY and ONLY five items.",
            "my essay drafts?",
        ),
        ("Could you show me how to implement a login feature?", "how to implement a login feature?"),
        ("How did you recommend organizing my drafts?", "How did you recommend organizing my drafts?"),
        ("Why was the hook registry rebuilt?", "Why was the hook registry rebuilt?"),
    ],
)
def test_framing_goes_and_the_subject_stays(text: str, subject: str) -> None:
    assert select_subject(text) == subject


@pytest.mark.parametrize("text", ["", "?", "Can you help me?", "Give me a summary", "hooks", "東京はどこですか"])
def test_a_question_that_is_all_framing_is_its_own_subject(text: str) -> None:
    inquiry = parse_inquiry(text)
    assert inquiry.subject == inquiry.bare == text


def test_names_of_speakers_are_told_apart_from_the_subject() -> None:
    inquiry = parse_inquiry("What did Caroline's kids give Anna Lee?", {"Caroline", "Anna Lee", "Mel"})
    assert inquiry.names == {"Caroline", "Anna Lee"}
    assert inquiry.bare == "What did kids give?"
    assert "Caroline" in inquiry.subject


def test_a_name_counts_only_as_it_is_written() -> None:
    assert parse_inquiry("Will the mark scheme change?", {"Mark"}).names == frozenset()
    assert parse_inquiry("Marketing plans", {"Mark"}).names == frozenset()


def test_a_question_that_is_only_a_name_keeps_it() -> None:
    assert drop_names("Caroline?", {"Caroline"}) == "Caroline?"


def test_who_and_what_is_asked_for() -> None:
    mine = parse_inquiry("Have I ever used Flask?")
    assert mine.first_person and not mine.request and not mine.summary
    asked = parse_inquiry("How should the pages be laid out?")
    assert asked.request and not asked.first_person
    assert parse_inquiry("Can you summarize what we did?").summary


def test_words_that_count_are_no_topic() -> None:
    assert select_topic("How many different shoe sizes have I mentioned?") == "How many shoe sizes have I?"
    assert select_topic("different") == "different"


@given(st.text(max_size=3000), st.sets(st.text(min_size=1, max_size=8), max_size=3))
def test_any_text_is_taken_apart_without_losing_it(text: str, names: set[str]) -> None:
    inquiry = parse_inquiry(text, names)
    assert inquiry.text == text
    assert bool(inquiry.bare) == bool(text)
    assert inquiry.names <= names

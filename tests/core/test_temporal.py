"""Days that a question names."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.core.temporal import Interval, parse_intervals, score_nearness

NOW = date(2026, 12, 1)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 25 May, 2022", "2022-05-25", "2022-05-25"),
        ("October 13, 2023", "2023-10-13", "2023-10-13"),
        ("the 3rd of March 2024", "2024-03-03", "2024-03-03"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("in November 2022", "2022-11-01", "2022-11-30"),
        ("at the beginning of November 2022", "2022-11-01", "2022-11-12"),
        ("the first weekend of August 2023", "2023-08-01", "2023-08-08"),
        ("late February 2024", "2024-02-19", "2024-02-29"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("during 2021", "2021-01-01", "2021-12-31"),
        ("yesterday", "2026-11-30", "2026-11-30"),
        ("last Tuesday", "2026-11-24", "2026-11-24"),
        ("last Monday", "2026-11-30", "2026-11-30"),
        ("last week", "2026-11-17", "2026-11-30"),
        ("last month", "2026-11-01", "2026-11-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("two weeks ago", "2026-11-14", "2026-11-20"),
        ("a couple of days ago", "2026-11-29", "2026-11-29"),
    ],
)
def test_reads(text: str, first: str, last: str) -> None:
    assert parse_intervals(f"What did we decide {text}?", NOW) == [
        Interval(date.fromisoformat(first), date.fromisoformat(last))
    ]


@pytest.mark.parametrize(
    "text", ["may I ask", "march on", "the second attempt", "2024-02-31", "version 2024-13-45", "sat down", ""]
)
def test_leaves_alone_what_names_no_day(text: str) -> None:
    assert parse_intervals(text, NOW) == []


def test_a_date_without_a_year_is_read_in_every_year_that_has_sessions() -> None:
    found = parse_intervals("When did she go camping in June?", None, [2022, 2023])
    assert [interval.first for interval in found] == [date(2022, 6, 1), date(2023, 6, 1)]


def test_words_that_need_a_now_are_nothing_without_one() -> None:
    assert parse_intervals("last week") == []


def test_a_day_is_not_read_as_its_month_too() -> None:
    assert parse_intervals("on 25 May 2022", NOW) == [Interval(date(2022, 5, 25), date(2022, 5, 25))]


def test_what_is_told_soon_after_a_day_is_nearer_than_what_was_told_before_it() -> None:
    day = date(2023, 5, 10).toordinal()
    days = np.array([day - 5, day, day + 5, day + 60, np.nan])
    before, on, after, late, unknown = score_nearness(days, [Interval(date(2023, 5, 10), date(2023, 5, 10))])
    assert on == 1 > after > before > 0
    assert late < 0.02
    assert unknown == 0


def test_a_whole_year_says_little() -> None:
    days = np.array([date(2023, 5, 10).toordinal(), date(2024, 1, 2).toordinal()], float)
    inside, outside = score_nearness(days, parse_intervals("in 2023"))
    assert 0 < inside < 0.5
    assert outside == 0


@given(st.text(max_size=200), st.dates(), st.lists(st.integers(1, 9998), max_size=3))
def test_any_text_on_any_day_is_read_without_error(text: str, now: date, years: list[int]) -> None:
    for interval in parse_intervals(text, now, years):
        assert interval.first <= interval.last


@given(
    st.sampled_from(["{n} days ago", "{n} years ago", "last month", "last weekend", "last week", "last year"]),
    st.integers(1, 9999),
    st.dates(date(2, 1, 1)),
)
def test_any_stretch_back_from_any_day_ends_before_it(form: str, count: int, now: date) -> None:
    for interval in parse_intervals(form.format(n=count), now):
        assert interval.first <= interval.last <= now or "weekend" in form

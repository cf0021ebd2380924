"""Uniting what is archived with what a file says now loses no turn and changes no number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from seci.core.session import Role, Session, Turn, unite_sessions

START = datetime(2026, 1, 1, tzinfo=UTC)


def session(*turns: Turn) -> Session:
    return Session("claude-code", "s", tuple(turns))


def turn(index: int, text: str = "", minute: int | None = None) -> Turn:
    at = None if minute is None else START + timedelta(minutes=minute)
    return Turn(index, Role.USER if index % 2 == 0 else Role.ASSISTANT, text or f"turn {index}", at)


def test_a_session_that_grew_gives_its_new_turns() -> None:
    known = session(turn(0, minute=0), turn(1, minute=1))
    grown = session(turn(0, minute=0), turn(1, minute=1), turn(2, minute=2))
    assert unite_sessions(known, grown).turns == grown.turns


def test_text_that_was_redacted_since_is_still_the_same_turn() -> None:
    known = session(turn(0, "the key is [redacted:key]", 0))
    assert unite_sessions(known, session(turn(0, "the key is abc", 0))).turns == known.turns


def test_a_second_file_of_the_session_goes_behind_the_first() -> None:
    first = session(turn(0, "a", 0), turn(1, "b", 1))
    second = session(turn(0, "c", 2), turn(1, "d", 3))
    united = unite_sessions(first, second)
    assert [(t.index, t.text) for t in united.turns] == [(0, "a"), (1, "b"), (2, "c"), (3, "d")]


turns = st.lists(st.text(max_size=3), max_size=8).map(
    lambda texts: tuple(turn(i, text or "x", i) for i, text in enumerate(texts))
)


@given(turns, turns)
def test_nothing_known_changes_and_nothing_new_is_lost(a: tuple[Turn, ...], b: tuple[Turn, ...]) -> None:
    united = unite_sessions(session(*a), session(*b))
    assert [t for t in united.turns if t.index < len(a)] == list(a)
    known = {(t.role, t.at) for t in united.turns}
    assert {(t.role, t.at) for t in b} <= known
    assert len({t.index for t in united.turns}) == len(united.turns)
    assert unite_sessions(united, session(*b)).turns == united.turns


@given(turns)
def test_uniting_a_session_with_itself_changes_nothing(a: tuple[Turn, ...]) -> None:
    assert unite_sessions(session(*a), session(*a)).turns == a

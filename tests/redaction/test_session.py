"""Every part of a session that is written somewhere."""

from __future__ import annotations

from datetime import UTC, datetime

from seci.core.session import Role, Session, Turn
from seci.redaction import SecretRedactor, redact_session

TOKEN = "gh" + "p_" + "aB3dE5" * 6
AT = datetime(2026, 1, 21, tzinfo=UTC)


def session(*turns: Turn, **parts: str) -> Session:
    return Session(source="test", id="s1", turns=turns, **parts)  # type: ignore[arg-type]


def test_texts_tools_title_speaker_project_and_cwd_are_covered() -> None:
    dirty = session(
        Turn(0, Role.USER, f"use {TOKEN}", AT, speaker=f"bob {TOKEN}", tools=(f"Bash: curl -H 'X: {TOKEN}'",)),
        title=f"why {TOKEN}?",
        cwd=f"/tmp/{TOKEN}",
        project=f"x/{TOKEN}",
    )
    clean, counts = redact_session(dirty, SecretRedactor())
    assert TOKEN not in repr(clean)
    assert counts == {"github-token": 6}
    assert clean.key == dirty.key


def test_numbers_and_times_of_the_turns_stay() -> None:
    turns = (Turn(0, Role.USER, "hi", AT), Turn(3, Role.ASSISTANT, f"it is {TOKEN}", AT))
    clean, _ = redact_session(session(*turns), SecretRedactor())
    assert [(t.index, t.at) for t in clean.turns] == [(0, AT), (3, AT)]
    assert clean.turns[0] is turns[0]


def test_a_turn_that_was_all_private_is_dropped_and_the_others_keep_their_numbers() -> None:
    turns = (Turn(0, Role.USER, "<private>x</private>"), Turn(1, Role.ASSISTANT, "yes"), Turn(2, Role.ASSISTANT, ""))
    clean, counts = redact_session(session(*turns), SecretRedactor())
    assert [t.index for t in clean.turns] == [1, 2]
    assert counts == {"private": 1}


def test_a_clean_session_comes_back_equal() -> None:
    clean = session(Turn(0, Role.USER, "hello"), title="t", cwd="/x")
    assert redact_session(clean, SecretRedactor()) == (clean, {})


def test_redacting_a_session_twice_changes_nothing() -> None:
    dirty = session(Turn(0, Role.USER, f"<private>a</private> {TOKEN} b", tools=(f"x --password {TOKEN}",)))
    once, _ = redact_session(dirty, SecretRedactor())
    assert redact_session(once, SecretRedactor()) == (once, {})

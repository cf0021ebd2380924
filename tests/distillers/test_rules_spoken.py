"""What a user says in passing: standing orders, agreements, choices by name, questions for a command."""

from __future__ import annotations

import pytest

from seci.core.note import Draft, Namespace, NoteType, Tier
from tests.distillers.sessions import distill, session_of


def notes(*turns: tuple[str, str]) -> list[Draft]:
    return [draft for draft in distill(session_of(*turns)) if draft.tier is not Tier.EPISODE]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Great. From now on never deploy on a Friday afternoon.", "Never deploy on a Friday afternoon"),
        ("btw please never run the import against production.", "Never run the import against production"),
        ("In our SQL we write keywords in lower case.", "SQL: write keywords in lower case"),
        ("rule for the move: no host is switched before its backup was read.", "No host is switched before its backup"),
        ("ok. We don't use unwrap outside of tests.", "Don't use unwrap outside of tests"),
    ],
)
def test_a_standing_order_is_a_note_of_its_own(said: str, title: str) -> None:
    note = notes(("user", "write the script please"), ("assistant", "Done."), ("user", said), ("assistant", "Noted."))[
        0
    ]
    assert note.title.startswith(title)
    assert note.type is NoteType.PREFERENCE
    assert note.turns == (2,)


def test_what_the_user_never_writes_belongs_to_the_voice() -> None:
    note = notes(("user", 'Keep that tone: plain words, no jargon. We never write "synergy".'), ("assistant", "Yes."))[
        0
    ]
    assert note.namespace is Namespace.VOICE
    assert note.title == "Tone: plain words, no jargon"
    assert "synergy" in note.body


def test_a_decision_says_what_was_chosen_over_what_and_why() -> None:
    decision = notes(
        ("user", "We need a queue for the mails. RabbitMQ or Redis?"),
        (
            "assistant",
            "Redis is already in use and is fast enough. RabbitMQ has better retries, but is one more server.",
        ),
        ("user", "Agreed, let's go with Redis. Nobody wants to run one more server."),
        ("assistant", "I'll set it up."),
    )[0]
    assert decision.title == "Redis chosen over RabbitMQ for a queue for the mails"
    assert decision.type is NoteType.DECISION
    assert "Nobody wants to run one more server." in decision.body
    assert {1, 2} <= set(decision.turns)


def test_an_option_is_chosen_by_its_name() -> None:
    decisions = [
        note
        for note in notes(
            ("user", "the error type is large, what can we do?"),
            (
                "assistant",
                "Two options:\n\n- **Box it**: one allocation on the error path\n- **Store offsets**: keep `a..b` and "
                "look the text up when it is printed\n",
            ),
            ("user", "offsets."),
            ("assistant", "`ParseError` now stores a byte range."),
        )
        if note.type is NoteType.DECISION
    ]
    assert any('chose "Store offsets" over "Box it"' in note.body for note in decisions)


def test_a_question_for_a_command_is_answered_by_a_reference() -> None:
    note = notes(
        ("user", "How do I run the migrations against staging again?"),
        ("assistant", "Use `make migrate ENV=staging`. It needs the VPN."),
    )[0]
    assert (note.namespace, note.type) == (Namespace.QUICK_REFERENCE, NoteType.COMMAND)
    assert note.title == "Run the migrations against staging"
    assert note.body == "To run the migrations against staging, use `make migrate ENV=staging`. It needs the VPN."


def test_a_correction_is_told_with_what_was_wanted_and_done() -> None:
    note = notes(
        ("user", "validate the birth date"),
        ("assistant", "I added a regular expression to `parseBirthDate()`."),
        ("user", "don't use a regex, we have date-fns everywhere. use parseISO instead"),
        ("assistant", "`parseBirthDate()` now uses `parseISO` from date-fns."),
    )[-1]
    assert note.turns == (2, 3)
    assert "not to use a regex, because we have date-fns everywhere" in note.body
    assert "now uses `parseISO`" in note.body


def test_ports_and_times_of_day_are_no_line_numbers() -> None:
    told = " ".join(
        note.body
        for note in notes(
            ("user", "why does the job fail?"),
            (
                "assistant",
                "The job fails because the rates come out at 16:15 CET and the proxy at `db.local:5432` closes first.",
            ),
        )
    )
    assert "16:15" in told and "db.local:5432" in told


def test_a_rename_is_nothing_to_remember() -> None:
    session = session_of(
        ("user", "rename getCwd to getWorkingDirectory in utils.ts"),
        ("assistant", "Renamed `getCwd` to `getWorkingDirectory` and updated the 7 call sites. All tests pass."),
        ("user", "thanks"),
    )
    assert distill(session) == []

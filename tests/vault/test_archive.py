"""The archive: whatever was said comes back exactly, and the file reads well."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.session import Role, Session, Turn
from seci.errors import NoteFormatError
from seci.vault.archive import archive_path, parse_ledger_head, parse_session, render_session

AWKWARD = [
    "", "\n", "\n\n", "a\n", "\na", "## 0 · user", "\\## 0 · user",
    "## 1 · assistant · 2026-01-21T14:36:09Z", "- ⚙ Bash: ls", "\\\\- ⚙ Bash: ls", "a\r\nb", "\r", "\x00",
    "&#13;", "&#38;#13;", "&#38;#38;#0;", "&#10;", "&#38;", "&#39;", "---", "```\n## 2 · user\n```",
    "\x1b[31mred\x1b[0m", "\u2028", "\x85", "\x7f", "text\n- ⚙ x", "# heading", "<!-- x -->",
]  # fmt: skip
plain = st.characters(exclude_categories=("Cs",))
line = st.text(plain, max_size=30) | st.sampled_from(AWKWARD)
text = st.lists(line, max_size=5).map("\n".join)
name = (
    st.none()
    | st.text(plain, max_size=12)
    | st.sampled_from(["2026-01-21T14:36:09Z", "a · b", "--> x", '"', "Mel B.", "", "a--"])
)
times = st.none() | st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
parts = st.tuples(st.sampled_from(Role), text, times, name, st.lists(line, max_size=3).map(tuple), name)


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    numbers = sorted(draw(st.sets(st.integers(0, 500), max_size=6)))
    turns = []
    for number in numbers:
        role, words, at, speaker, tools, message = draw(parts)
        turns.append(Turn(number, role, words, at, speaker, tools, message))
    source, id_ = draw(st.sampled_from(["claude-code", "codex"])), draw(st.text(plain, min_size=1, max_size=40))
    return Session(source, id_, tuple(turns), draw(name), draw(name), draw(name), draw(name))


@given(sessions())
@settings(max_examples=200, deadline=None)
def test_a_session_is_read_back_exactly(session: Session) -> None:
    text = render_session(session)
    path = archive_path(session)
    assert parse_session(text, path) == session
    assert parse_ledger_head(text, path) == (session.key, frozenset(turn.index for turn in session.turns))
    assert "\r" not in text and "\0" not in text


def at(minute: int) -> datetime:
    return datetime(2026, 1, 21, 14, minute, 9, tzinfo=UTC)


SESSION = Session(
    "claude-code",
    "de1ed521-f8fc",
    (
        Turn(0, Role.USER, "<tag>\nFix the hook registry, please!\n\nIt fails.", at(36)),
        Turn(
            1, Role.ASSISTANT, "I looked:\n\n```sh\n## 3 · user\n```", at(37), tools=("Bash: git status", "Read: a.py")
        ),
        Turn(3, Role.USER, "Thanks", at(38), speaker="Mel", message_id="D1:3"),
    ),
    project="entireio/cli",
)


def test_the_file_reads_well() -> None:
    assert render_session(SESSION) == (
        "---\n"
        'session: "claude-code:de1ed521-f8fc"\n'
        "source: claude-code\n"
        "id: de1ed521-f8fc\n"
        "turns: [0-1, 3]\n"
        "project: entireio/cli\n"
        "started: 2026-01-21T14:36:09Z\n"
        "ended: 2026-01-21T14:38:09Z\n"
        "---\n"
        "\n"
        "## 0 · user · 2026-01-21T14:36:09Z\n"
        "\n"
        "<tag>\nFix the hook registry, please!\n\nIt fails.\n"
        "\n"
        "## 1 · assistant · 2026-01-21T14:37:09Z\n"
        "\n"
        "I looked:\n\n```sh\n\\## 3 · user\n```\n"
        "\n"
        "- ⚙ Bash: git status\n"
        "- ⚙ Read: a.py\n"
        "\n"
        "## 3 · user · Mel · 2026-01-21T14:38:09Z <!-- D1:3 -->\n"
        "\n"
        "Thanks\n"
    )


def test_the_path_tells_the_day_and_the_first_words_and_stays_when_the_session_grows() -> None:
    path = archive_path(SESSION)
    assert path.startswith("sessions/2026/01/2026-01-21-tag-")
    assert archive_path(Session(SESSION.source, SESSION.id, SESSION.turns[:1], title="Later title")) == path


def test_a_session_without_times_or_words_has_a_place_too() -> None:
    assert archive_path(Session("text", "a", (Turn(0, Role.USER, "???"),))).startswith("sessions/undated/session-")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("## 0 · user\n\nhi\n", "has no frontmatter"),
        ("---\nsession: a:b\nid: b\n---\n", "source: is missing"),
        ("---\nsession: [a]\nsource: a\nid: b\nproject: [x]\n---\n", "project: is missing or not a text"),
    ],
)
def test_a_damaged_archive_is_named(text: str, reason: str) -> None:
    with pytest.raises(NoteFormatError, match=reason) as caught:
        parse_session(text, "sessions/undated/a.md")
    assert caught.value.subject == "sessions/undated/a.md"
    with pytest.raises(NoteFormatError, match="turns"):
        parse_ledger_head("---\nsession: a\nturns: [x]\n---\n", "sessions/undated/a.md")

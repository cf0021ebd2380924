"""`seci list` in a large vault: a page on a terminal, everything for a file or a program."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seci.app.listing import list_newest
from seci.cli.invocation import Invocation, answer_as
from seci.cli.main import run
from seci.cli.show import PAGE
from seci.core.note import Namespace, Note, Provenance
from seci.vault.store import FileNoteStore
from tests.conftest import Result

NOTES = 120
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def many(tmp_path: Path, seci: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> Path:
    vault = tmp_path / "vault"
    seci("init", vault)
    monkeypatch.setenv("SECI_VAULT", str(vault))
    store = FileNoteStore(vault)
    for i in range(NOTES):
        created = FIRST + timedelta(hours=i)
        note = Note(
            f"01KE{i:022d}",
            f"Note {i}",
            "It is.",
            (Namespace.DOCS, Namespace.BRAIN)[i % 2],
            project="acme/app" if i % 3 else None,
            created=created,
            sources=(Provenance("x:1", (i,)),),
        )
        path, text = store.render(note)
        (vault / path).write_text(text)
    (vault / "docs" / "by-hand.md").write_text("---\ncreated: 2026-03-01 10:00:00+02:00\n---\n\n# By hand\n")
    (vault / "docs" / "undated.md").write_text("# Undated\n\ncreated: 2027-01-01T00:00:00Z\n")
    return vault


def on_terminal(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    answer_as(Invocation(Path.cwd(), os.environ, stdout=out, stderr=err, width=100), lambda: run(list(arguments)))
    return out.getvalue(), err.getvalue()


def test_a_terminal_gets_a_page_and_is_told_how_many_there_are(many: Path) -> None:
    out, err = on_terminal("list")
    assert out.count("Note ") == PAGE - 1 and out.index("By hand") < out.index("Note 119") < out.index("Note 100")
    assert f"and {NOTES + 2 - PAGE} older ones" in err
    out, err = on_terminal("list", "--limit", "200")
    assert out.count("Note ") == NOTES and err == ""
    out, err = on_terminal("list", "--namespace", "brain", "-n", "10")
    assert out.count("Note ") == 10 and "and 50 older ones" in err
    out, err = on_terminal("list", "--project", "acme/app", "-n", "10")
    assert out.count("Note ") == 10 and "and 70 older ones" in err


def test_a_file_or_a_program_gets_everything(many: Path, seci: Callable[..., Result]) -> None:
    told = seci("list")
    assert len(told.out.splitlines()) == 1 + NOTES + 2 and told.err == ""
    titles = [note["title"] for note in json.loads(seci("list", "--json").out)["notes"]]
    assert titles == ["By hand", *(f"Note {i}" for i in reversed(range(NOTES))), "Undated"]
    assert len(json.loads(seci("list", "--json", "--limit", "7").out)["notes"]) == 7


def test_a_page_parses_no_more_than_it_shows(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FileNoteStore(many)
    parsed: list[str] = []
    load = store.load
    monkeypatch.setattr(store, "load", lambda path: parsed.append(path) or load(path))
    found = list_newest(store, limit=5)
    assert (len(found.notes), found.more) == (5, NOTES + 2 - 5)
    assert len(parsed) <= 5 + 2, "and the two that somebody else wrote"


def test_what_is_no_note_is_named(many: Path, seci: Callable[..., Result]) -> None:
    (many / "docs" / "broken.md").write_text("---\ntitle: [unclosed\n---\nx\n")
    again = next((many / "docs").glob("note-0-*.md"))
    (many / "docs" / "copy.md").write_text(again.read_text())
    err = seci("list").err
    assert "left out  docs/broken.md" in err and "has the same id as docs/copy.md" in err


def test_a_namespace_that_cannot_be_followed_is_named_and_the_rest_is_listed(many: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (many / "voice").rename(elsewhere)
    (many / "voice").symlink_to(elsewhere)
    for arguments in (("list",), ("list", "--namespace", "docs", "--limit", "3")):
        out, err = on_terminal(*arguments)
        assert "Note 118" in out
        assert "left out  voice: is a symbolic link" in err

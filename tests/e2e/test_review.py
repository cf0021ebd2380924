"""Walking through proposals at a terminal: every answer takes effect at once, and breaking off loses nothing."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_consolidate import NOTES as ALL_NOTES
from tests.cli.test_consolidate import NOW, Seci

CTRL_C, CTRL_D = "\x03", "\x04"
NOTES = ALL_NOTES[:5]


class Terminal:
    """`seci review` at a pseudo-terminal."""

    def __init__(self) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "seci.entry", "review"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=take_terminal,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(slave)
        self.said = ""

    def wait_for(self, text: str, seconds: float = 30) -> None:
        """Reads until the text has been said since the last answer."""
        until = time.monotonic() + seconds
        while text not in self.said:
            assert time.monotonic() < until, f"never said {text!r}: {self.said}"
            if not self._read():
                break
        assert text in self.said, self.said

    def answer(self, keys: str) -> None:
        """At the next question."""
        self.wait_for("[q]uit")
        self.said = ""
        os.write(self._master, keys.encode())

    def end(self) -> int:
        """The exit code, once it has ended."""
        while self._read():
            pass
        code = self._process.wait(30)
        os.close(self._master)
        return code

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 30)
        try:
            got = os.read(self._master, 65536) if ready else b""
        except OSError:  # the other end is closed: the process is gone
            return False
        self.said += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", got.decode("utf-8", "replace"))
        return bool(got)


def take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def place(seci: Seci, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A vault with three proposals on a branch: a merge, an update and a mark of age, in this order."""
    monkeypatch.setenv("SECI_VAULT", str(tmp_path / "vault"))
    seci("init", tmp_path / "vault")
    rows = [
        {"title": t, "body": b, "namespace": n, "tier": "memory", "type": k, "created": f"{day}T10:00:00Z"}
        for t, b, n, k, day in NOTES
    ]
    (tmp_path / "notes.json").write_text(json.dumps(rows))
    seci("distill", "--notes", tmp_path / "notes.json", "--now", "2026-03-01")
    seci("consolidate", "--review", *NOW)
    yield tmp_path / "vault"


def statuses(seci: Seci) -> dict[str, str]:
    return {note["title"]: note["status"] for note in json.loads(seci("list", "--json").out)["notes"]}


def waiting(seci: Seci) -> int:
    return len(json.loads(seci("review", "--json").out)["pending"])


def is_whole(seci: Seci, vault: Path) -> bool:
    """Nothing half written: git sees no change, and the index equals what a rebuild would give."""
    done = subprocess.run(
        ["git", "-C", str(vault), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    return done.stdout == "" and seci("reindex", "--check").code == 0


def test_accept_reject_and_skip(seci: Seci, place: Path) -> None:
    terminal = Terminal()
    terminal.wait_for("1 of 3")
    terminal.wait_for("+++ /dev/null")
    terminal.answer("a\n")
    terminal.wait_for("accepted")
    terminal.answer("what?\n")
    terminal.answer("r\n")
    terminal.wait_for("rejected")
    terminal.answer("\n")
    assert terminal.end() == 0
    assert len(statuses(seci)) == 4 and set(statuses(seci).values()) == {"active"}
    assert waiting(seci) == 1 and is_whole(seci, place)
    plan = json.loads(seci("consolidate", "--json", *NOW).out)
    assert [len(plan[key]) for key in ("merge", "supersede", "stale")] == [0, 0, 1], "what was turned down stays so"


def test_an_edited_proposal_is_taken_as_edited(
    seci: Seci, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text().replace('is 10 March', 'was 10 March'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor}")
    terminal = Terminal()
    terminal.answer("s\n")
    terminal.answer("e\n")
    terminal.wait_for("accepted")
    terminal.answer("q\n")
    assert terminal.end() == 0
    assert statuses(seci)["Beta deadline"] == "superseded"
    assert "The beta deadline was 10 March." in next((place / "projects").glob("beta-deadline-[!m]*.md")).read_text()
    assert waiting(seci) == 2 and is_whole(seci, place)


def test_an_editor_that_fails_changes_nothing(seci: Seci, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "false")
    terminal = Terminal()
    terminal.answer("e\n")
    assert terminal.end() == 2
    assert "false" in terminal.said and "nothing was committed" in terminal.said
    assert waiting(seci) == 3 and len(statuses(seci)) == 5 and is_whole(seci, place)


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "end of input"])
def test_breaking_off_keeps_what_was_decided_and_what_was_not(seci: Seci, place: Path, key: str) -> None:
    terminal = Terminal()
    terminal.answer("a\n")
    terminal.wait_for("accepted")
    terminal.answer(key)
    assert terminal.end() != 0
    assert "Traceback" not in terminal.said
    assert "Where the API listens" not in statuses(seci), "what was accepted is written"
    assert statuses(seci)["Beta deadline"] == "active"
    assert waiting(seci) == 2 and is_whole(seci, place)


def test_input_that_is_no_terminal_is_told_what_waits(seci: Seci, place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "seci.entry", "review"], input="a\na\na\n", capture_output=True, text=True, check=True
    )
    assert "Beta deadline" in done.stdout
    assert waiting(seci) == 3, "a pipe decides nothing"


def test_after_the_proposals_it_asks_which_of_two_notes_holds(seci: Seci, place: Path, tmp_path: Path) -> None:
    rows = [
        {"title": t, "body": b, "namespace": n, "tier": "memory", "type": k, "created": f"{day}T10:00:00Z"}
        for t, b, n, k, day in ALL_NOTES[5:]
    ]
    (tmp_path / "more.json").write_text(json.dumps(rows))
    seci("distill", "--notes", tmp_path / "more.json", "--now", "2026-03-01")
    seci("review", "--accept", "all")
    terminal = Terminal()
    terminal.wait_for("contradict each other")
    terminal.wait_for("Backups run at 03:30.")
    terminal.answer("1\n")
    terminal.wait_for("settled")
    assert terminal.end() == 0 and is_whole(seci, place)
    notes = json.loads(seci("list", "--json").out)["notes"]
    backups = [note for note in notes if note["title"] == "Backups"]
    assert sorted(note["status"] for note in backups) == ["active", "superseded"]
    (held,) = (note["id"] for note in backups if note["status"] == "active")
    assert json.loads(seci("show", held, "--json").out)["body"].strip() == "Backups run at 02:00."
    assert json.loads(seci("consolidate", "--json", *NOW).out)["contradictions"] == []

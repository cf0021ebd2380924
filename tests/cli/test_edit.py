"""`seci edit` where there is no terminal: it says so, and never waits for a person who is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import Result


@pytest.fixture
def note(vault: Path) -> str:
    return next(path for path in sorted((vault / "docs").glob("*-*.md"))).relative_to(vault).as_posix()


def edit(note: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """With a standard input that stays open and never says anything."""
    environ = {name: value for name, value in os.environ.items() if name not in ("EDITOR", "VISUAL")}
    silent, held = os.pipe()
    try:
        return subprocess.run(
            [sys.executable, "-m", "seci.entry", "edit", note],
            env=environ | variables, stdin=silent, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(silent)
        os.close(held)


def test_without_a_terminal_and_an_editor_it_says_what_to_do(note: str) -> None:
    done = edit(note)
    assert done.returncode == 2
    assert "no terminal" in done.stderr and "set EDITOR" in done.stderr


def test_an_editor_that_waits_for_words_gets_none(note: str, vault: Path) -> None:
    program = f"{sys.executable} -c \"import sys; sys.exit(3 if sys.stdin.read() == '' else 0)\""
    done = edit(note, EDITOR=program)
    assert done.returncode == 2 and "ended with 3" in done.stderr


def test_an_editor_that_ends_by_itself_is_run(seci: Callable[..., Result], note: str, vault: Path) -> None:
    program = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'a').write('Ultramarine.')\""
    done = edit(note, EDITOR=program, SECI_CACHE=os.environ["SECI_CACHE"])
    assert done.returncode == 0 and "commit" in done.stdout, done.stderr
    assert (vault / note).read_text().endswith("Ultramarine.")


def test_an_edit_says_when_it_was_made_unless_the_user_does(
    seci: Callable[..., Result], note: str, vault: Path
) -> None:
    """By it `seci sync` tells which of two edits was the later."""

    def updated() -> str:
        return next(line for line in (vault / note).read_text().splitlines() if line.startswith("updated:"))

    program = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'a').write('Ultramarine.')\""
    start = f"updated: {datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"
    assert edit(note, EDITOR=program, SECI_CACHE=os.environ["SECI_CACHE"]).returncode == 0
    assert start <= updated() <= f"updated: {datetime.now(UTC):%Y-%m-%dT%H:%M:%S}~"
    place = vault / note
    own = "p.write_text(re.sub('updated: .*', 'updated: 2030-01-02T03:04:05Z', p.read_text()))"
    program = f'{sys.executable} -c "import re, sys, pathlib; p = pathlib.Path(sys.argv[1]); {own}"'
    assert edit(note, EDITOR=program, SECI_CACHE=os.environ["SECI_CACHE"]).returncode == 0
    assert updated() == "updated: 2030-01-02T03:04:05Z"
    stands = place.read_text()
    assert edit(note, EDITOR="true").stdout.strip() == "nothing changed"
    assert place.read_text() == stands

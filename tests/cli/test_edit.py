"""`seci edit` where there is no terminal: it says so, and never waits for a person who is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
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

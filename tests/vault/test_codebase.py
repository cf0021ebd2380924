"""What a project's repository had and has no more."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from seci.vault.codebase import Codebase

from .conftest import Git, write

SPRING = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def code(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Codebase:
    """Has `src/app.py` with `load_config`; in May `src/old.py` with `parse_legacy` was deleted."""
    repo = tmp_path / "code"
    write(repo, "src/app.py", "def load_config(): ...\n")
    write(repo, "src/old.py", "def parse_legacy(): ...\n")
    git(repo, "init")
    commit_at(repo, git, monkeypatch, "2026-02-01T00:00:00Z")
    (repo / "src" / "old.py").unlink()
    commit_at(repo, git, monkeypatch, "2026-05-01T00:00:00Z")
    found = Codebase.at(str(repo / "src"))
    assert found is not None
    return found


def commit_at(repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    monkeypatch.setenv("GIT_AUTHOR_DATE", moment)
    monkeypatch.setenv("GIT_COMMITTER_DATE", moment)
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "work")


def test_a_file_and_a_symbol_that_went_are_gone(code: Codebase) -> None:
    assert code.gone(["src/old.py", "src/app.py"], ["parse_legacy", "load_config"], SPRING) == (
        "parse_legacy",
        "src/old.py",
    )
    assert code.gone(["old.py"], [], SPRING) == ("old.py",)


def test_what_was_never_there_belongs_to_something_else(code: Codebase) -> None:
    assert code.gone(["package.json", "next.js"], ["useEffect"], SPRING) == ()


def test_a_note_from_after_the_deletion_speaks_of_the_past_on_purpose(code: Codebase) -> None:
    assert code.gone(["src/old.py"], [], datetime(2026, 6, 1, tzinfo=UTC)) == ()
    assert code.gone(["src/old.py"], [], None) == ()


def test_a_folder_that_is_not_here_or_in_no_repository_has_none(tmp_path: Path) -> None:
    assert Codebase.at("/nowhere/at/all") is None
    assert Codebase.at(str(tmp_path)) is None

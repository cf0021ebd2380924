"""Proposals on a branch leave the checkout alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.errors import UserError, VaultError
from seci.vault.branch import drop_branch, list_branches, write_branch
from seci.vault.history import GitHistory

from .conftest import Git, write

CHANGES = {"docs/a.md": "changed\n", "docs/b.md": None, "docs/c.md": "new\n"}


@pytest.fixture
def vault(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "code" / "vault"
    write(root, "docs/a.md", "a\n")
    write(root, "docs/b.md", "b\n")
    git(root.parent, "init")
    git(root.parent, "add", "-A")
    git(root.parent, "commit", "-m", "begin")
    return root


def test_a_proposal_is_a_branch_and_nothing_else(vault: Path, git: Git) -> None:
    history = GitHistory(vault)
    head = history.head()
    write(vault, "docs/a.md", "being edited\n")
    proposed = write_branch(
        history, "seci/consolidate-2026-01-21", [(CHANGES, "Consolidate\n\nSeci-Verb: consolidate\n")]
    )
    assert (history.head(), history.branch()) == (head, "main")
    assert git(vault, "status", "--porcelain", ".").split() == ["M", "vault/docs/a.md"]
    assert history.changed_in(proposed.commit) == {"docs/a.md": "M", "docs/b.md": "D", "docs/c.md": "A"}
    assert history.read(proposed.commit, "docs/c.md") == b"new\n"
    assert git(vault, "rev-parse", f"{proposed.branch}^") == head
    again = write_branch(history, "seci/consolidate-2026-01-21", [(CHANGES, "Consolidate")])
    assert again.branch == "seci/consolidate-2026-01-21-2"
    assert {found.branch for found in list_branches(history, "seci/")} == {proposed.branch, again.branch}
    drop_branch(history, proposed)
    assert [found.branch for found in list_branches(history, "seci/")] == [again.branch]


def test_in_a_repository_without_commits(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "new")
    proposed = write_branch(GitHistory(tmp_path / "new"), "seci/x", [({"docs/a.md": "a"}, "First")])
    assert git(tmp_path / "new", "ls-tree", "-r", "--name-only", proposed.branch) == "docs/a.md"


def test_a_bad_name_or_path_is_refused(vault: Path) -> None:
    with pytest.raises(UserError, match="not a name for a branch"):
        write_branch(GitHistory(vault), "a..b", [(CHANGES, "x")])
    with pytest.raises(VaultError):
        write_branch(GitHistory(vault), "seci/x", [({"../main.py": "evil"}, "x")])

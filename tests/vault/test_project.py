"""Which project a directory belongs to, while it exists and afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.vault.project import parse_remote, project_of

from .conftest import Git


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@github.com:entireio/cli.git", "entireio/cli"),
        ("https://github.com/entireio/cli", "entireio/cli"),
        ("https://github.com/entireio/cli.git/", "entireio/cli"),
        ("https://user:token@gitlab.com/group/sub/tool.git", "sub/tool"),
        ("ssh://git@example.org:2222/team/tool.git", "team/tool"),
        ("https://dev.azure.com/org/project/_git/repo", "project/repo"),
        ("work:team/tool", "team/tool"),
        ("/srv/git/tool.git", "tool"),
        ("../tool", "tool"),
        ("file:///srv/git/tool.git", "tool"),
        ("C:\\repos\\tool", "tool"),
        ("C:/repos/tool.git", "tool"),
        ("", None),
    ],
)
def test_a_remote_names_owner_and_repository(url: str, name: str | None) -> None:
    assert parse_remote(url) == name


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/Users/me/src/cli", "cli"),
        ("/Users/me/src/cli/", "cli"),
        ("C:\\Users\\me\\src\\cli", "cli"),
        ("c:/Users/me/src/cli", "cli"),
        ("\\\\server\\share\\cli", "cli"),
        ("/Users/dev/workspace/cli/.worktrees/2", "cli"),
        ("/Users/dev/cli/.claude/worktrees/agent-a1/cmd", "cli"),
        ("/home/me", None),
        ("/Users/me", None),
        ("C:\\Users\\me", None),
        ("/", None),
        ("C:\\", None),
        ("/tmp", None),
        ("", None),
        ("/a\0b", "a\0b"),
    ],
)
def test_a_recorded_path_that_is_not_here(cwd: str, name: str | None) -> None:
    assert project_of(cwd) == name


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    git(root, "init")
    git(root, "commit", "--allow-empty", "-m", "begin")
    (root / "deep" / "down").mkdir(parents=True)
    return root


def test_every_folder_worktree_and_clone_is_the_same_project(repo: Path, tmp_path: Path, git: Git) -> None:
    git(repo, "worktree", "add", "-b", "side", str(tmp_path / "side"))
    assert {project_of(str(path)) for path in (repo, repo / "deep/down", tmp_path / "side")} == {"checkout"}
    git(repo, "remote", "add", "fork", "git@github.com:me/cli.git")
    git(repo, "remote", "add", "origin", "https://github.com/entireio/cli.git")
    assert {project_of(str(path)) for path in (repo, repo / "deep/down", tmp_path / "side")} == {"entireio/cli"}


def test_a_submodule_is_a_project_of_its_own(repo: Path, tmp_path: Path, git: Git) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init")
    git(outer, "remote", "add", "origin", "https://github.com/org/outer.git")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(repo), "sub")
    assert project_of(str(outer / "sub")) == "checkout"
    git(outer / "sub", "remote", "set-url", "origin", "git@host:team/inner")
    assert project_of(str(outer / "sub")) == "team/inner"


def test_the_folder_of_a_deleted_repository_is_judged_by_its_path(repo: Path) -> None:
    assert project_of(str(repo.parent / "gone" / "tool")) == "tool"


def test_aliases_join_names_and_do_not_run_in_circles() -> None:
    aliases = {"cli": "entireio/cli", "a": "b", "b": "a"}
    assert project_of("/Users/me/src/cli", aliases) == "entireio/cli"
    assert project_of("/Users/me/src/a", aliases) in {"a", "b"}

"""Commits by plumbing: exactly the vault's files, whatever state the repository is in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from seci.errors import RepositoryStateError, UserError
from seci.vault.files import digest_of
from seci.vault.history import GitHistory

from .conftest import Git, write

MESSAGE = "Distill 1 note: a\n\n- brain: a\n\nSeci-Verb: distill\nSeci-Session: x:1\nSeci-Session: x:2\n"


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    git(root, "init")
    return root


def test_the_first_commit_of_a_repository(repo: Path, git: Git) -> None:
    history = GitHistory(repo)
    assert history.head() is None and history.log() == [] and history.branch() == "main"
    assert history.commit(["brain/none.md"], MESSAGE) is None
    write(repo, "brain/a.md", "a")
    commit = history.commit(["brain/a.md"], MESSAGE)
    history.refresh_index(["brain/a.md"])
    assert commit and git(repo, "rev-list", "--count", "HEAD") == "1"
    assert history.changed_in(commit) == {"brain/a.md": "A"}
    assert git(repo, "status", "--porcelain") == ""


def test_a_message_with_characters_that_git_cannot_take(repo: Path, git: Git) -> None:
    write(repo, "brain/a.md", "a")
    assert GitHistory(repo).commit(["brain/a.md"], "Write\0 the \ud800bell\n")
    assert git(repo, "log", "-1", "--format=%s") == "Write the ?bell"


def test_without_an_identity_seci_signs(repo: Path, git: Git) -> None:
    write(repo, "brain/a.md", "a")
    GitHistory(repo).commit(["brain/a.md"], MESSAGE)
    assert git(repo, "log", "-1", "--format=%an <%ae> %cn <%ce>") == "seci <seci@localhost> seci <seci@localhost>"


def test_the_users_identity_is_used(repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repo, "config", "user.name", "Grace")
    write(repo, "brain/a.md", "a")
    GitHistory(repo).commit(["brain/a.md"], MESSAGE)
    assert git(repo, "log", "-1", "--format=%an <%ae>") == "Grace <seci@localhost>"
    git(repo, "config", "user.email", "grace@example.org")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Bot")
    write(repo, "brain/a.md", "b")
    GitHistory(repo).commit(["brain/a.md"], MESSAGE)
    assert git(repo, "log", "-1", "--format=%an <%ae> %cn <%ce>") == "Grace <grace@example.org> Bot <grace@example.org>"


def test_no_hook_runs_and_nothing_is_signed(repo: Path, git: Git) -> None:
    for hook in ("pre-commit", "commit-msg", "post-commit", "post-index-change", "reference-transaction", "update"):
        place = repo / ".git" / "hooks" / hook
        place.write_text(f"#!/bin/sh\ntouch {repo}/hook-ran\nexit 1\n")
        place.chmod(0o755)
    git(repo, "config", "commit.gpgSign", "true")
    git(repo, "config", "gpg.program", "/bin/false")
    write(repo, "brain/a.md", "a")
    history = GitHistory(repo)
    assert history.commit(["brain/a.md"], MESSAGE)
    history.refresh_index(["brain/a.md"])
    assert not (repo / "hook-ran").exists()


@pytest.mark.parametrize(
    ("state", "what"),
    [("merge", "a merge"), ("rebase", "a rebase"), ("cherry-pick", "a cherry-pick"), ("revert", "a revert")],
)
def test_in_the_middle_of_something_nothing_is_written(repo: Path, git: Git, state: str, what: str) -> None:
    write(repo, "code", "0\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "zero")
    git(repo, "checkout", "-b", "other")
    write(repo, "code", "1\n")
    git(repo, "commit", "-am", "one")
    git(repo, "checkout", "main")
    write(repo, "code", "2\n")
    git(repo, "commit", "-am", "two")
    write(repo, "code", "3\n")
    git(repo, "commit", "-am", "three")
    arguments = {"merge": ["other"], "rebase": ["other"], "cherry-pick": ["other"], "revert": ["--no-edit", "HEAD^"]}
    git(repo, state, *arguments[state], check=False)
    head = git(repo, "rev-parse", "HEAD")
    write(repo, "brain/a.md", "a")
    with pytest.raises(RepositoryStateError, match=what) as caught:
        GitHistory(repo).commit(["brain/a.md"], MESSAGE)
    assert f"git {state} --abort" in (caught.value.hint or "")
    assert git(repo, "rev-parse", "HEAD") == head


def test_without_a_repository_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(RepositoryStateError, match="no git repository") as caught:
        GitHistory(tmp_path).check()
    assert caught.value.exit_code == 3


def test_the_variables_of_a_git_hook_do_not_leak_in(
    repo: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init")
    write(other, "x", "x")
    git(other, "add", "x")
    git(other, "commit", "-m", "x")
    head = git(other, "rev-parse", "HEAD")
    write(repo, "brain/a.md", "a")
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_PREFIX": "deep/",
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_CONFIG_PARAMETERS": "'user.name=Hook'",
    }.items():
        monkeypatch.setenv(name, value)
    commit = GitHistory(repo).commit(["brain/a.md"], MESSAGE)
    assert os.environ["GIT_DIR"] == str(other / ".git")
    for name in [name for name in os.environ if name.startswith("GIT_") and name != "GIT_CONFIG_NOSYSTEM"]:
        monkeypatch.delenv(name)
    assert git(repo, "rev-parse", "HEAD") == commit
    assert git(other, "rev-parse", "HEAD") == head and git(other, "status", "--porcelain") == ""
    assert git(repo, "log", "-1", "--format=%an %ad", "--date=format:%Y") != "Hook 2001"
    assert "2001" not in git(repo, "log", "-1", "--format=%ad")


def test_what_the_repository_ignores_stays_out_unless_it_is_tracked(repo: Path, git: Git) -> None:
    write(repo, "clients/known.md", "1")
    history = GitHistory(repo)
    history.commit(["clients/known.md"], MESSAGE)
    write(repo, ".gitignore", "clients/\n")
    write(repo, "clients/secret.md", "x")
    write(repo, "clients/known.md", "2")
    write(repo, "brain/a.md", "a")
    history.refresh_index(["clients/known.md"])
    commit = history.commit(["clients/secret.md", "clients/known.md", "brain/a.md"], MESSAGE)
    assert commit and history.changed_in(commit) == {"clients/known.md": "M", "brain/a.md": "A"}


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_line_ends_are_lf_in_git_and_status_is_clean(repo: Path, git: Git, autocrlf: str) -> None:
    git(repo, "config", "core.autocrlf", autocrlf)
    write(repo, ".gitattributes", "*.md text eol=lf\n")
    write(repo, "brain/lf.md", "a\nb\n")
    write(repo, "brain/crlf.md", "a\r\nb\r\n")
    paths = [".gitattributes", "brain/lf.md", "brain/crlf.md"]
    history = GitHistory(repo)
    history.commit(paths, MESSAGE)
    history.refresh_index(paths)
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "rev-parse", "HEAD:brain/lf.md") == git(repo, "rev-parse", "HEAD:brain/crlf.md")
    assert history.read("HEAD", "brain/crlf.md") == b"a\nb\n"


def test_a_filter_of_the_repository_is_applied_both_ways(repo: Path, git: Git) -> None:
    """A repository that encrypts its files must not get them in plain text."""
    git(repo, "config", "filter.rot.clean", "tr a-z n-za-m")
    git(repo, "config", "filter.rot.smudge", "tr a-z n-za-m")
    write(repo, ".gitattributes", "*.md filter=rot\n")
    write(repo, "brain/a.md", "secret\n")
    history = GitHistory(repo)
    history.commit(["brain/a.md"], MESSAGE)
    assert git(repo, "cat-file", "blob", "HEAD:brain/a.md") == "frperg"
    assert history.read("HEAD", "brain/a.md") == b"secret\n"


def test_a_file_that_was_saved_meanwhile_is_left_to_the_user(repo: Path, git: Git) -> None:
    write(repo, "brain/a.md", "mine")
    write(repo, "brain/b.md", "ours")
    history = GitHistory(repo)
    expected = {"brain/a.md": digest_of(b"ours"), "brain/b.md": digest_of(b"ours"), "brain/c.md": None}
    commit = history.commit(expected, MESSAGE, expected)
    assert commit and history.changed_in(commit) == {"brain/b.md": "A"}


def test_odd_file_names(repo: Path, git: Git) -> None:
    names = [
        "brain/日本語-a.md",
        "brain/*.md",
        "brain/-x.md",
        "brain/a b.md",
        "brain/:(top)x.md",
        'brain/q"uote.md',
        "brain/é.md",
    ]
    for name in [*names, "brain/other.md"]:
        write(repo, name, name)
    history = GitHistory(repo)
    commit = history.commit(names, MESSAGE)
    history.refresh_index(names)
    assert commit and set(history.changed_in(commit)) == set(names)
    assert history.uncommitted() == {"brain/other.md"}


def test_a_commit_of_somebody_else_in_between_is_kept(repo: Path, git: Git) -> None:
    write(repo, "a", "1")
    git(repo, "add", "a")
    git(repo, "commit", "-m", "one")
    history = GitHistory(repo)
    write(repo, "brain/a.md", "a")
    real, raced = history._write_tree, []

    def racing(*arguments):  # type: ignore[no-untyped-def]
        result = real(*arguments)
        if not raced:
            write(repo, "b", "2")
            git(repo, "add", "b")
            git(repo, "commit", "-m", "two")
            raced.append(True)
        return result

    history._write_tree = racing  # type: ignore[method-assign]
    history.commit(["brain/a.md"], MESSAGE)
    assert git(repo, "log", "--format=%s").splitlines() == ["Distill 1 note: a", "two", "one"]
    assert git(repo, "show", "HEAD:b") == "2"


def test_a_locked_index_is_an_error_that_says_so_after_some_patience(repo: Path, git: Git) -> None:
    write(repo, "brain/a.md", "a")
    history = GitHistory(repo)
    history.commit(["brain/a.md"], MESSAGE)
    (repo / ".git" / "index.lock").touch()
    with pytest.raises(RepositoryStateError) as caught:
        history.refresh_index(["brain/a.md"])
    assert "another git command" in (caught.value.hint or "")


def test_a_revision_that_names_nothing(repo: Path) -> None:
    with pytest.raises(UserError, match="names no commit"):
        GitHistory(repo).resolve("--output=x")
    with pytest.raises(UserError, match="names no commit"):
        GitHistory(repo).diff("nonsense")

"""What every history promises (`core.ports.History`), in a repository of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.vault.history import GitHistory

from ..vault.conftest import Git, isolate, run_git, write  # noqa: F401

MESSAGE = "Distill 1 note: a\n\n- brain: a\n\nSeci-Verb: distill\nSeci-Session: x:1\nSeci-Session: x:2\n"


@pytest.fixture(params=["own", "folder", "worktree", "submodule", "detached", "sha256"])
def vault(request: pytest.FixtureRequest, tmp_path: Path, git: Git) -> Path:
    """A vault in a repository of each kind, with one commit and something of the user's staged and unstaged."""
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", *(["--object-format=sha256"] if request.param == "sha256" else []))
    write(repo, "code.py", "print(1)\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "begin")
    root = repo
    if request.param == "folder":
        root = repo / "notes" / "my vault"
    elif request.param == "worktree":
        git(repo, "worktree", "add", "-b", "side", str(tmp_path / "tree"))
        root = tmp_path / "tree" / "vault"
    elif request.param == "submodule":
        outer = tmp_path / "outer"
        outer.mkdir()
        git(outer, "init")
        git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(repo), "sub")
        git(outer, "commit", "-m", "outer")
        root = outer / "sub"
    elif request.param == "detached":
        git(repo, "checkout", "--detach")
    root.mkdir(parents=True, exist_ok=True)
    top = Path(git(root, "rev-parse", "--show-toplevel"))
    write(top, "staged.txt", "staged\n")
    git(top, "add", "staged.txt")
    write(top, "code.py", "print(2)\n")
    return root


def test_a_commit_holds_exactly_the_named_files_and_disturbs_nothing(vault: Path, git: Git) -> None:
    history = GitHistory(vault)
    write(vault, "brain/a.md", "a\n")
    write(vault, "brain/b.md", "not named\n")
    before = history.head()
    commit = history.commit(["brain/a.md", "brain/never-there.md"], MESSAGE)
    history.refresh_index(["brain/a.md", "brain/never-there.md"])
    assert commit == git(vault, "rev-parse", "HEAD")
    assert git(vault, "rev-parse", "HEAD^") == before
    prefix = history.prefix
    assert git(vault, "show", "--name-status", "--format=%B", "HEAD").strip().endswith(f"A\t{prefix}brain/a.md".strip())
    status = git(Path(git(vault, "rev-parse", "--show-toplevel")), "status", "--porcelain", "-uall").splitlines()
    assert sorted(line.replace(f'"{prefix}brain/b.md"', f"{prefix}brain/b.md") for line in status) == sorted(
        [" M code.py", "A  staged.txt", f"?? {prefix}brain/b.md"]
    )


def test_changes_and_deletions_are_committed_and_nothing_is_none(vault: Path, git: Git) -> None:
    history = GitHistory(vault)
    for name in "ab":
        write(vault, f"brain/{name}.md", name)
    paths = ["brain/a.md", "brain/b.md"]
    history.commit(paths, MESSAGE)
    history.refresh_index(paths)
    assert history.commit(paths, MESSAGE) is None
    write(vault, "brain/a.md", "changed")
    (vault / "brain/b.md").unlink()
    commit = history.commit(paths, MESSAGE)
    history.refresh_index(paths)
    assert commit
    assert history.changed_in(commit) == {"brain/a.md": "M", "brain/b.md": "D"}
    assert history.read("HEAD", "brain/a.md") == b"changed"
    assert history.read("HEAD", "brain/b.md") is None
    assert history.read("HEAD^", "brain/b.md") == b"b"
    assert history.uncommitted() & {"brain/a.md", "brain/b.md"} == set()


def test_the_log_tells_verbs_and_sessions(vault: Path) -> None:
    history = GitHistory(vault)
    write(vault, "brain/a.md", "a")
    commit = history.commit(["brain/a.md"], MESSAGE)
    newest = history.log(1)[0]
    assert (newest.commit, newest.subject, newest.verb) == (commit, "Distill 1 note: a", "distill")
    assert newest.trailers["Seci-Session"] == ("x:1", "x:2")
    assert "+a" in history.diff("HEAD")
    history.refresh_index(["brain/a.md"])
    write(vault, "brain/a.md", "b")
    assert "-a" in history.diff() and "+b" in history.diff()
    assert "staged" not in history.diff()

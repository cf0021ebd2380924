"""Writing to a vault survives kill -9 at every step, and never takes what the user did."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seci.errors import RepositoryStateError, VaultError
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault import git as git_module
from seci.vault.history import GitHistory
from seci.vault.transaction import VaultTransaction

from .conftest import Git, committed_files, write


def open_transaction(root: Path) -> VaultTransaction:
    return VaultTransaction(root, GitHistory(root), FileJournal(root), VaultLock(root, patience=5))


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


BEFORE = {"brain/edited.md": "old\n", "brain/dropped.md": "gone soon\n", "voice/other.md": "stays\n"}
CHANGES = {
    "sessions/2026/01/s.md": "what was said\n",
    "brain/edited.md": "new\n",
    "brain/dropped.md": None,
    "docs/deep/fresh.md": "fresh\n",
}
MESSAGE = "Consolidate: 1 merged\n\nSeci-Verb: consolidate\n"


@pytest.fixture(params=["own", "folder"])
def vault(request: pytest.FixtureRequest, tmp_path: Path, git: Git) -> Path:
    repo = tmp_path / "repo"
    root = repo if request.param == "own" else repo / "notes"
    root.mkdir(parents=True)
    git(repo, "init")
    for path, text in BEFORE.items():
        write(root, path, text)
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "begin")
    return root


def files(root: Path) -> dict[str, str]:
    found = (p for p in root.rglob("*") if p.is_file() and ".seci" not in p.parts and ".git" not in p.parts)
    return {p.relative_to(root).as_posix(): p.read_text() for p in found}


AFTER = {**{k: v for k, v in {**BEFORE, **CHANGES}.items() if v is not None}}


def test_all_changes_are_one_commit_and_status_is_clean(vault: Path, git: Git) -> None:
    commit = open_transaction(vault).write(CHANGES, MESSAGE)
    assert git(vault, "log", "--format=%H %s").splitlines()[0] == f"{commit} Consolidate: 1 merged"
    assert files(vault) == committed_files(vault) == AFTER
    assert git(vault, "status", "--porcelain") == ""
    assert not (vault / ".seci/journal.json").exists()


def test_nothing_new_is_no_commit(vault: Path, git: Git) -> None:
    transaction = open_transaction(vault)
    transaction.write(CHANGES, MESSAGE)
    head = git(vault, "rev-parse", "HEAD")
    times = {path: (vault / path).stat().st_mtime_ns for path in AFTER}
    assert transaction.write(CHANGES, MESSAGE) is None
    assert git(vault, "rev-parse", "HEAD") == head
    assert times == {path: (vault / path).stat().st_mtime_ns for path in AFTER}


def test_a_message_without_a_verb_gets_one(vault: Path, git: Git) -> None:
    open_transaction(vault).write({"brain/a.md": "a\n"}, "Edit a note")
    assert git(vault, "log", "-1", "--format=%B").strip() == "Edit a note\n\nSeci-Verb: write"


@pytest.mark.parametrize(
    ("before", "what"),
    [
        ({"brain/edited.md": sha("older\n")}, "was edited meanwhile"),
        ({"docs/deep/fresh.md": None, "voice/other.md": None}, "is already there"),
        ({"brain/never.md": sha("x")}, "was deleted meanwhile"),
    ],
)
def test_what_changed_since_it_was_read_stops_everything(
    vault: Path, git: Git, before: dict[str, str | None], what: str
) -> None:
    with pytest.raises(VaultError, match=what):
        open_transaction(vault).write(CHANGES, MESSAGE, before)
    assert files(vault) == committed_files(vault) == BEFORE


def test_a_merge_in_progress_stops_everything(vault: Path, git: Git) -> None:
    (Path(git(vault, "rev-parse", "--absolute-git-dir")) / "MERGE_HEAD").write_text(
        git(vault, "rev-parse", "HEAD") + "\n"
    )
    with pytest.raises(RepositoryStateError, match="a merge is in progress"):
        open_transaction(vault).write(CHANGES, MESSAGE)
    assert files(vault) == BEFORE


@pytest.mark.parametrize("fails", ["docs/deep/fresh.md", "sessions/2026/01/s.md"])
def test_a_file_that_cannot_be_written_rolls_everything_back(vault: Path, git: Git, fails: str) -> None:
    folder = (vault / fails).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where a folder must be\n")
    with pytest.raises(VaultError) as caught:
        open_transaction(vault).write(CHANGES, MESSAGE)
    assert caught.value.subject == fails
    folder.unlink()
    assert files(vault) == committed_files(vault) == BEFORE
    assert not (vault / ".seci/journal.json").exists()


def test_an_interrupt_before_the_commit_undoes_and_after_it_is_repaired(vault: Path) -> None:
    for moment, expected in (("before", BEFORE), ("after", AFTER)):
        transaction = open_transaction(vault)
        commit = transaction._history.commit

        def interrupted(*arguments: Any, moment: str = moment, commit: Callable[..., Any] = commit) -> None:
            if moment == "after":
                commit(*arguments)
            raise KeyboardInterrupt

        transaction._history.commit = interrupted  # type: ignore[assignment,method-assign]
        with pytest.raises(KeyboardInterrupt):
            transaction.write(CHANGES, MESSAGE)
        with open_transaction(vault).hold():
            assert files(vault) == committed_files(vault) == expected
        assert not open_transaction(vault)._history.uncommitted()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    ["../out.md", "/etc/x.md", "brain/../../x.md", ".git/hooks/post-commit", "brain/.GIT/x", ".seci/lock", "", "C:/x",
     "brain\\x.md", "link/x.md", "brain/alias.md", "brain//x.md", "./brain/x.md"],
)  # fmt: skip
def test_a_path_that_leaves_the_vault_is_refused(vault: Path, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "target.md").write_text("theirs")
    (vault / "link").symlink_to(outside)
    (vault / "brain" / "alias.md").symlink_to(outside / "target.md")
    with pytest.raises(VaultError):
        open_transaction(vault).write({"brain/a.md": "a\n", path: "evil"}, MESSAGE)
    assert sorted(p.name for p in outside.iterdir()) == ["target.md"]
    assert (outside / "target.md").read_text() == "theirs"
    assert not (vault / "brain/a.md").exists()


def test_the_archive_stays_out_of_git_where_the_vault_says_so(vault: Path, git: Git) -> None:
    parts = (vault, GitHistory(vault), FileJournal(vault), VaultLock(vault))
    VaultTransaction(*parts, track_sessions=False).write(CHANGES, MESSAGE)
    assert (vault / "sessions/2026/01/s.md").read_text() == "what was said\n"
    assert "sessions/2026/01/s.md" not in committed_files(vault)
    assert git(vault, "status", "--porcelain") == ""
    changed = {"sessions/2026/01/s.md": "what was said, and more\n"}
    assert VaultTransaction(*parts).write(changed, MESSAGE)
    assert committed_files(vault)["sessions/2026/01/s.md"] == "what was said, and more\n"


def _killed_at(root: Path, step: int, act: Callable[[], Any]) -> bool:
    """Runs `act` in a process that is killed before its step-th effect on the disk; True when it was."""
    pid = os.fork()
    if pid:
        return os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    count = 0

    def counted(effect: Callable[..., Any]) -> Callable[..., Any]:
        def before(*arguments: Any, **options: Any) -> Any:
            nonlocal count
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1
            return effect(*arguments, **options)

        return before

    try:
        os.fsync = counted(os.fsync)
        for name in ("replace", "unlink", "open", "mkdir"):
            setattr(Path, name, counted(getattr(Path, name)))
        git_module.Git.call = counted(git_module.Git.call)  # type: ignore[method-assign]
        act()
        os._exit(0)
    finally:
        os._exit(1)


@pytest.mark.parametrize("vault", ["folder"], indirect=True)
def test_a_kill_at_any_step_leaves_every_file_whole_and_is_repaired(vault: Path, git: Git) -> None:
    """Also: what the user does between the crash and the next writer is neither committed nor lost."""
    begin = git(vault, "rev-parse", "HEAD")
    killed = True
    step = 0
    commits = set()
    while killed:
        killed = _killed_at(vault, step, lambda: open_transaction(vault).write(CHANGES, MESSAGE))
        now = {path: text for path, text in files(vault).items() if "/.seci-" not in path}
        for path in {*BEFORE, *CHANGES}:
            assert now.get(path) in {BEFORE.get(path), CHANGES.get(path, BEFORE.get(path))}, (step, path)
        write(vault, "voice/other.md", f"mine at {step}\n")
        with open_transaction(vault).hold():
            pass
        after = files(vault)
        assert after == {**now, "voice/other.md": f"mine at {step}\n"}, step
        in_git = committed_files(vault)
        assert in_git.pop("voice/other.md") == "stays\n"
        del after["voice/other.md"]
        assert in_git == after, step
        assert git(vault, "status", "--porcelain", ".").split() == ["M", "notes/voice/other.md"], step
        commits.add(git(vault, "log", "--format=%B", f"{begin}..HEAD").strip())
        git(vault, "reset", "-q", "--hard", begin)
        git(vault, "clean", "-fdq")
        step += 1
    assert step > 25
    assert any("Seci-Recovered: 2 of 4 files" in message for message in commits)


def _crash_before_the_commit(root: Path) -> None:
    transaction = open_transaction(root)
    transaction._history.commit = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment,method-assign]
    transaction.write(CHANGES, MESSAGE)


def test_a_file_edited_after_the_crash_belongs_to_the_user(vault: Path, git: Git) -> None:
    assert _killed_at(vault, -1, lambda: _crash_before_the_commit(vault))
    write(vault, "brain/edited.md", "new, and mine\n")
    (vault / "docs/deep/fresh.md").unlink()
    with open_transaction(vault).hold():
        pass
    assert (vault / "brain/edited.md").read_text() == "new, and mine\n"
    assert not (vault / "docs/deep/fresh.md").exists()
    in_git = committed_files(vault)
    assert in_git["brain/edited.md"] == "old\n"
    assert "brain/dropped.md" not in in_git and "docs/deep/fresh.md" not in in_git
    assert in_git["sessions/2026/01/s.md"] == "what was said\n"


def test_a_crash_followed_by_a_merge_waits_for_the_merge_to_end(vault: Path, git: Git) -> None:
    assert _killed_at(vault, -1, lambda: _crash_before_the_commit(vault))
    marker = Path(git(vault, "rev-parse", "--absolute-git-dir")) / "MERGE_HEAD"
    marker.write_text(git(vault, "rev-parse", "HEAD") + "\n")
    with pytest.raises(RepositoryStateError), open_transaction(vault).hold():
        pass
    marker.unlink()
    with open_transaction(vault).hold():
        pass
    assert not (vault / ".seci/journal.json").exists()

"""Making a vault, wherever it is put."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.core.note import Namespace
from seci.errors import RepositoryStateError, VaultError
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.history import GitHistory
from seci.vault.layout import Created, create_vault
from seci.vault.store import FileNoteStore
from seci.vault.transaction import VaultTransaction

from .conftest import Git, write


def create(root: Path, **options: bool) -> Created:
    transaction = VaultTransaction(root, GitHistory(root), FileJournal(root), VaultLock(root))
    return create_vault(root, transaction, **options)


def test_a_new_vault_is_a_repository_with_one_commit(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "a" / "vault"
    created = create(root)
    assert (created.path, created.repository, created.new) == (root, root, True)
    assert git(root, "log", "--format=%s") == "Begin a vault"
    assert git(root, "status", "--porcelain", "--ignored") == "!! .seci/"
    tracked = set(git(root, "ls-files").splitlines())
    assert tracked == {f"{n}/README.md" for n in Namespace} | {"seci.toml", ".gitignore", ".gitattributes"}
    assert list(FileNoteStore(root).notes()) == []
    assert (
        git(root, "check-attr", "merge", "eol", "--", "brain/a.md", "docs/x/y.md", "sessions/2026/01/s.md").count(
            "seci-note"
        )
        == 3
    )
    assert "unspecified" in git(root, "check-attr", "merge", "--", "README.md")


def test_making_it_again_changes_nothing(tmp_path: Path, git: Git) -> None:
    create(tmp_path / "vault")
    (tmp_path / "vault" / "brain" / "README.md").unlink()
    assert create(tmp_path / "vault").new is False
    assert git(tmp_path / "vault", "log", "--format=%s") == "Begin a vault"
    assert not (tmp_path / "vault" / "brain" / "README.md").exists()


@pytest.fixture
def code(tmp_path: Path, git: Git) -> Path:
    repo = tmp_path / "code"
    repo.mkdir()
    git(repo, "init")
    write(repo, "main.py", "1\n")
    write(repo, ".gitignore", "docs/\n*.md\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "code")
    write(repo, "main.py", "2\n")
    return repo


def test_in_a_code_repository_only_its_own_folder_is_touched(code: Path, git: Git) -> None:
    created = create(code / "memory")
    assert created.repository == code
    assert git(code, "status", "--porcelain").strip() == "M main.py"
    names = git(code, "show", "--name-only", "--format=", "HEAD").splitlines()
    assert all(name.startswith("memory/") for name in names)
    assert {"memory/docs/README.md", "memory/brain/README.md"} <= set(names)  # which the code's rules would hide


def test_at_the_top_of_a_code_repository_what_is_there_stays(code: Path, git: Git) -> None:
    write(code, "docs/README.md", "# The project's own\n")
    create(code)
    assert (code / "docs/README.md").read_text() == "# The project's own\n"
    assert (code / ".gitignore").read_text() == "docs/\n*.md\n# Derived or local to one machine\n/.seci/\n"
    assert git(code, "status", "--porcelain").strip() == "M main.py"


def test_a_folder_that_the_repository_ignores_gets_its_own(code: Path, git: Git) -> None:
    write(code, ".gitignore", "private/\n")
    created = create(code / "private" / "vault")
    assert created.repository == code / "private" / "vault"
    assert git(code, "log", "--format=%s") == "code"
    assert git(code / "private/vault", "log", "--format=%s") == "Begin a vault"


def test_one_may_ask_for_its_own_repository(code: Path) -> None:
    assert create(code / "vault", own_repository=True).repository == code / "vault"


def test_in_the_middle_of_a_merge_nothing_is_made(code: Path, git: Git) -> None:
    (code / ".git" / "MERGE_HEAD").write_text(git(code, "rev-parse", "HEAD"))
    with pytest.raises(RepositoryStateError, match="a merge is in progress"):
        create(code / "memory")
    assert not (code / "memory" / "seci.toml").exists()


def test_a_place_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(VaultError, match="cannot be made"):
        create(tmp_path / "file")

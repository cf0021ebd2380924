"""Forgetting: gone from the vault, not coming back, and after a purge gone from git."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seci.core.note import Namespace, Note, Provenance, note_id
from seci.core.session import Role, Session, Turn
from seci.errors import RepositoryStateError, UserError, VaultError
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.forget import plan_forget, write_forget
from seci.vault.history import GitHistory
from seci.vault.layout import create_vault
from seci.vault.ledger import ArchiveLedger
from seci.vault.purge import PurgeReport, purge
from seci.vault.store import FileNoteStore
from seci.vault.sync import sync
from seci.vault.transaction import VaultTransaction

from .conftest import Git

NOON = datetime(2026, 1, 21, 12, tzinfo=UTC)
SECRET = "Project Zebra"
TURNS = tuple(
    Turn(i, Role.USER if i % 2 == 0 else Role.ASSISTANT, text, NOON + timedelta(minutes=i))
    for i, text in enumerate(
        [f"Let us plan {SECRET}.", "It starts in May.", "And the port?", "It is 8080.", "project ZEBRA again", "Fine."]
    )
)
SESSION = Session("x", "1", TURNS, title=f"Planning {SECRET}")


class Vault:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.history = GitHistory(root)
        self.transaction = VaultTransaction(root, self.history, FileJournal(root), VaultLock(root))
        self.store = FileNoteStore(root)

    def ledger(self) -> ArchiveLedger:
        return ArchiveLedger(self.root, self.store)

    def distill(self) -> None:
        made = [
            self.note(f"{SECRET} starts in May", (0, 1)),
            self.note("The port is 8080", (2, 3), supersedes=(self.note(f"{SECRET} starts in May", (0, 1)).id,)),
        ]
        changes: dict[str, str | None] = dict(self.store.render(note) for note in made)
        path, text = self.ledger().render(SESSION)
        changes[path] = text
        titles = "".join(f"- docs: {note.title}\n" for note in made)
        self.transaction.write(changes, f"Distill 2 notes: {SESSION.title}\n\n{titles}\nSeci-Verb: distill\n")

    def note(self, title: str, turns: tuple[int, ...], supersedes: tuple[str, ...] = ()) -> Note:
        sources = (Provenance("x:1", turns),)
        return Note(
            note_id(NOON, sources, title), title, f"{title}.", Namespace.DOCS, sources=sources, supersedes=supersedes
        )

    def forget(self, *ids: str, text: str | None = None) -> None:
        self.plan = plan_forget(self.store, self.ledger(), ids, text)
        write_forget(self.plan, self.transaction)

    def purge(self) -> PurgeReport:
        return purge(self.history, self.transaction, self.plan.forgotten)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "vault")
    create_vault(vault.root, vault.transaction)
    vault.distill()
    return vault


def everything(root: Path) -> str:
    """All that the folder holds, git's objects unpacked."""
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"], cwd=root, capture_output=True, check=True
    )
    loose = b"".join(path.read_bytes() + str(path).encode() for path in root.rglob("*") if path.is_file())
    return (objects.stdout + loose).decode("utf-8", "replace").casefold()


def test_a_note_goes_with_its_passages_and_stays_away(vault: Vault, git: Git) -> None:
    note = vault.note(f"{SECRET} starts in May", (0, 1))
    vault.forget(note.id)
    assert [s.note.title for s in vault.store.notes()] == ["The port is 8080"]  # type: ignore[union-attr]
    session = vault.ledger().read("x:1")
    assert session and [turn.text for turn in session.turns[:4]] == [
        "[forgotten]",
        "[forgotten]",
        "And the port?",
        "It is 8080.",
    ]
    assert session.title == "[forgotten]"
    assert not [path for path in vault.ledger().paths() if "zebra" in path]
    assert git(vault.root, "log", "-1", "--format=%s") == "Forget 1 note and 2 passages"
    (left,) = vault.store.notes()
    assert left.note.supersedes == ()  # type: ignore[union-attr]
    # The same session is distilled again: nothing is new.
    path, text = vault.ledger().render(SESSION)
    assert vault.ledger().known("x:1") == set(range(6))
    assert (vault.root / path).read_text() == text


def test_turns_without_times_stay_forgotten_too(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault")
    create_vault(vault.root, vault.transaction)
    session = replace(SESSION, turns=tuple(replace(turn, at=None) for turn in TURNS))
    path, text = vault.ledger().render(session)
    vault.transaction.write({path: text}, "Archive")
    vault.forget(text=SECRET)
    assert SECRET.casefold() not in vault.ledger().render(session)[1].casefold()


def test_a_text_goes_wherever_it_stands(vault: Vault) -> None:
    vault.forget(text="project zebra")
    assert (len(vault.plan.notes), vault.plan.passages) == (1, 3)
    texts = [path.read_text() for path in vault.root.rglob("*.md")]
    assert not [text for text in texts if "zebra" in text.casefold()]


def test_after_a_purge_git_does_not_hold_it_either(vault: Vault, git: Git) -> None:
    git(vault.root, "tag", "before")
    git(vault.root, "branch", "other")
    vault.forget(text=SECRET)
    tree = git(vault.root, "rev-parse", "HEAD^{tree}")
    report = vault.purge()
    assert report.commits == 2 and report.push == () and report.remaining == ()
    assert report.moved == ("refs/heads/main", "refs/heads/other", "refs/tags/before")
    assert git(vault.root, "rev-parse", "HEAD^{tree}") == tree
    assert git(vault.root, "status", "--porcelain") == "" and git(vault.root, "fsck") == ""
    assert "zebra" not in everything(vault.root)
    assert git(vault.root, "log", "--format=%s").splitlines() == [
        "Forget 1 note and 3 passages",
        "Distill 2 notes: [forgotten]",
        "Begin a vault",
    ]
    assert "The port is 8080" in git(vault.root, "log", "--format=%b")


def test_purging_by_id_leaves_the_rest_of_the_session(vault: Vault) -> None:
    vault.forget(vault.note(f"{SECRET} starts in May", (0, 1)).id)
    vault.purge()
    held = everything(vault.root)
    assert "starts in may" not in held and "let us plan" not in held
    assert "it is 8080." in held


def test_an_annotated_tag_is_told_of(vault: Vault, git: Git) -> None:
    git(vault.root, "tag", "-a", "-m", "x", "v1")
    vault.forget(text=SECRET)
    assert vault.purge().remaining == ("refs/tags/v1",)


def test_the_remote_is_made_to_follow_by_the_user_and_only_then_synced(vault: Vault, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    git(vault.root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    sync(vault.history, vault.transaction)
    vault.forget(text=SECRET)
    report = vault.purge()
    assert report.push == ("git push --force origin main",)
    with pytest.raises(RepositoryStateError, match="of this vault was rewritten"):
        sync(vault.history, vault.transaction)
    git(vault.root, *report.push[0].split()[1:], "-q")
    assert sync(vault.history, vault.transaction).pulled == 0
    assert "zebra" not in everything(vault.root)
    assert sync(vault.history, vault.transaction).pushed == 0


def test_in_a_code_repository_history_is_left_alone(tmp_path: Path, git: Git) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init")
    vault = Vault(code / "vault")
    create_vault(vault.root, vault.transaction)
    vault.distill()
    vault.forget(text=SECRET)
    head = vault.history.head()
    with pytest.raises(RepositoryStateError, match="more than the vault"):
        vault.purge()
    assert vault.history.head() == head


def test_what_is_not_there_is_an_error(vault: Vault) -> None:
    with pytest.raises(UserError, match="no note and no passage"):
        vault.forget(text="never said")
    with pytest.raises(UserError, match="is empty"):
        vault.forget(text=" ")
    with pytest.raises(VaultError, match="no such note"):
        vault.forget("ZZZZZZZZ")

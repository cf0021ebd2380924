"""Taking commits back, with what was edited since."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from seci.core.note import Namespace, Note, Status
from seci.errors import UserError, VaultError
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.history import GitHistory
from seci.vault.markdown import parse_note, render_note
from seci.vault.transaction import VaultTransaction
from seci.vault.undo import Undone, undo

from .conftest import Git, write

NOTE = Note(id="A1", title="Ports", body="We use 8080.\n\nSince May.", namespace=Namespace.DOCS, tags=("a",))
PATH = "docs/ports.md"


class Vault:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.history = GitHistory(root)
        self.transaction = VaultTransaction(root, self.history, FileJournal(root), VaultLock(root))

    def write(self, subject: str, **notes: Note | None) -> str:
        changes = {f"docs/{name}.md": note and render_note(note) for name, note in notes.items()}
        commit = self.transaction.write(changes, f"{subject}\n\nSeci-Verb: consolidate\n")
        assert commit
        return commit

    def undo(self, revision: str | None = None) -> Undone:
        return undo(self.history, self.transaction, revision)

    def note(self) -> Note:
        return parse_note((self.root / PATH).read_text(), PATH)


@pytest.fixture
def vault(tmp_path: Path, git: Git) -> Vault:
    root = tmp_path / "repo" / "notes"
    root.mkdir(parents=True)
    git(root.parent, "init")
    vault = Vault(root)
    vault.write("Begin", ports=NOTE, other=replace(NOTE, id="B2"))
    return vault


def test_undoing_gives_the_same_tree_and_undoing_that_brings_it_back(vault: Vault, git: Git) -> None:
    tree = git(vault.root, "rev-parse", "HEAD^{tree}")
    vault.write("Change", ports=replace(NOTE, body="We use 9090."), other=None, fresh=replace(NOTE, id="C3"))
    changed = git(vault.root, "rev-parse", "HEAD^{tree}")
    undone = vault.undo()
    assert undone.undone.subject == "Change" and undone.kept == ()
    assert git(vault.root, "rev-parse", "HEAD^{tree}") == tree
    assert git(vault.root, "status", "--porcelain") == ""
    assert git(vault.root, "log", "-1", "--format=%s") == "Undo: Change"
    vault.undo("HEAD")
    assert git(vault.root, "rev-parse", "HEAD^{tree}") == changed
    assert vault.undo().undone.subject == "Change"


def test_each_undo_goes_one_commit_further_back(vault: Vault, git: Git) -> None:
    vault.write("One", ports=replace(NOTE, title="One"))
    vault.write("Two", ports=replace(NOTE, title="Two"))
    assert [vault.undo().undone.subject for _ in range(3)] == ["Two", "One", "Begin"]
    assert not (vault.root / PATH).exists()
    with pytest.raises(UserError, match="nothing left"):
        vault.undo()


def test_what_was_edited_by_hand_since_stays(vault: Vault, git: Git) -> None:
    vault.write(
        "Mark stale", ports=replace(NOTE, status=Status.STALE, tags=("a", "b"), body="We use 8080.\n\nSince June.")
    )
    text = (vault.root / PATH).read_text()
    write(
        vault.root,
        PATH,
        text.replace("title: Ports", "rating: 5  # mine\ntitle: The ports").replace("We use", "We still use"),
    )
    undone = vault.undo()
    assert undone.kept == ()
    note = vault.note()
    assert (note.title, note.status, note.tags) == ("The ports", Status.ACTIVE, ("a",))
    assert note.body == "We still use 8080.\n\nSince May."
    assert "rating: 5  # mine\n" in (vault.root / PATH).read_text()


def test_what_both_changed_is_kept_and_told_and_the_rest_is_undone(vault: Vault) -> None:
    vault.write("Change", ports=replace(NOTE, title="Gates"), other=replace(NOTE, id="B2", title="Gates"))
    write(vault.root, PATH, render_note(replace(NOTE, title="Doors")))
    undone = vault.undo()
    assert [failure.path for failure in undone.kept] == [PATH]
    assert "title: Doors on one side and Ports on the other" in undone.kept[0].reason
    assert vault.note().title == "Doors"
    assert "title: Ports" in (vault.root / "docs/other.md").read_text()


def test_a_new_note_that_was_edited_is_not_deleted(vault: Vault) -> None:
    vault.write("Add", fresh=replace(NOTE, id="C3"))
    write(vault.root, "docs/fresh.md", render_note(replace(NOTE, id="C3", body="Mine now.")))
    with pytest.raises(VaultError, match="one side deleted it and the other changed it") as caught:
        vault.undo()
    assert caught.value.subject == "docs/fresh.md"
    assert "Mine now." in (vault.root / "docs/fresh.md").read_text()


def test_only_commits_of_seci_are_taken_back(vault: Vault, git: Git) -> None:
    write(vault.root, "docs/by-hand.md", "x")
    git(vault.root, "add", "-A")
    git(vault.root, "commit", "-m", "by hand")
    with pytest.raises(UserError, match="not a commit that seci made"):
        vault.undo("HEAD")
    assert vault.undo().undone.subject == "Begin"
    assert (vault.root / "docs/by-hand.md").exists()

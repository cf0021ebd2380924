"""What every note store and ledger promises (`core.ports`), on the one that keeps files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seci.core.note import Namespace, Note, Provenance, note_id
from seci.core.ports import Ledger, NoteStore, StoredNote
from seci.core.session import Failure, Role, Session, Turn
from seci.errors import NoteFormatError, VaultError
from seci.vault.archive import archive_path, key_hash
from seci.vault.holdings import VaultHoldings
from seci.vault.ledger import ArchiveLedger
from seci.vault.store import FileNoteStore

NOON = datetime(2026, 1, 21, 12, tzinfo=UTC)


def a_note(title: str, namespace: Namespace = Namespace.DOCS, turn: int = 1) -> Note:
    sources = (Provenance("x:1", (turn,)),)
    return Note(note_id(NOON, sources, title), title, "Text.", namespace, created=NOON, sources=sources)


def fill(root: Path, texts: Mapping[str, str | bytes]) -> None:
    for path, text in texts.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())


class NoteStoreContract:
    """A subclass puts rendered notes where its store finds them."""

    def store_with(self, root: Path, notes: Mapping[str, str]) -> NoteStore:
        raise NotImplementedError

    def test_a_new_note_gets_its_name_in_its_namespace(self, tmp_path: Path) -> None:
        note = a_note("Keep the port")
        path, text = self.store_with(tmp_path, {}).render(note)
        assert path == f"docs/keep-the-port-{note.id[-8:].lower()}.md"
        assert self.store_with(tmp_path, {path: text}).get(path).note == note

    def test_notes_come_in_path_order_with_the_digest_of_their_bytes(self, tmp_path: Path) -> None:
        empty = self.store_with(tmp_path, {})
        rendered = dict(empty.render(a_note(title, namespace)) for title, namespace in [
            ("b", Namespace.VOICE), ("a", Namespace.VOICE), ("c", Namespace.BRAIN)
        ])  # fmt: skip
        found = list(self.store_with(tmp_path, rendered).notes())
        assert [item.path for item in found] == sorted(rendered)
        for item in found:
            assert isinstance(item, StoredNote)
            assert item.digest == hashlib.sha256(rendered[item.path].encode()).hexdigest()

    def test_a_note_is_found_by_id_and_by_its_unique_end(self, tmp_path: Path) -> None:
        empty = self.store_with(tmp_path, {})
        one, two = a_note("One"), replace(a_note("Two"), id="01AAAAAAAAAAAAAAAAAAAA" + a_note("One").id[-4:])
        rendered = dict([empty.render(one), ("docs/renamed.md", empty.render(two)[1])])
        store = self.store_with(tmp_path, rendered)
        assert store.get(one.id).note == store.get(one.id[-8:].lower()).note == one
        assert store.get(two.id[:26]).path == "docs/renamed.md"
        with pytest.raises(VaultError, match="names 2 notes"):
            store.get(one.id[-4:])
        for unknown in ("ZZZZZZZZ", "docs/none.md", "A", ""):
            with pytest.raises(VaultError, match=r"there is no such note|is not a path"):
                store.get(unknown)


class TestFileNoteStore(NoteStoreContract):
    def store_with(self, root: Path, notes: Mapping[str, str]) -> NoteStore:
        fill(root, notes)
        return FileNoteStore(root)

    def test_what_is_no_note_is_a_failure_and_the_rest_goes_on(self, tmp_path: Path) -> None:
        note = a_note("Good")
        text = FileNoteStore(tmp_path).render(note)[1]
        fill(
            tmp_path,
            {
                "docs/good.md": text,
                "docs/zz-copy.md": text,
                "docs/broken.md": "---\ntype: musing\n---\n",
                "docs/binary.md": b"\xff\xfe\x00",
                "docs/README.md": "about",
                "docs/deep/README.md": "# A note of somebody",
                "docs/.obsidian/x.md": "x",
                "docs/picture.png": b"\x89",
                "elsewhere/x.md": "x",
                "top.md": "x",
            },
        )
        (tmp_path / "docs/link.md").symlink_to("/etc/passwd")
        found = {item.path: item for item in FileNoteStore(tmp_path).notes()}
        assert set(found) == {
            "docs/good.md",
            "docs/zz-copy.md",
            "docs/broken.md",
            "docs/binary.md",
            "docs/deep/README.md",
        }
        reasons = {path: item.reason for path, item in found.items() if isinstance(item, Failure)}
        assert reasons["docs/zz-copy.md"] == f"has the same id as docs/good.md: {note.id}"
        assert "type: must be one of" in reasons["docs/broken.md"]
        assert "is not UTF-8: byte 0 is 0xff" in reasons["docs/binary.md"]
        assert set(reasons) == {"docs/zz-copy.md", "docs/broken.md", "docs/binary.md"}
        with pytest.raises(VaultError, match="symbolic link"):
            FileNoteStore(tmp_path).get("docs/link.md")

    def test_a_linked_namespace_and_what_may_not_be_read_are_told_of(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        fill(outside, {"x.md": "theirs"})
        vault = tmp_path / "vault"
        fill(vault, {"docs/a.md": "a", "docs/b.md": "b"})
        (vault / "brain").symlink_to(outside)
        (vault / "docs/b.md").unlink()
        (vault / "docs/b.md").mkdir()
        fill(vault, {"docs/b.md/c.md": "a folder may be called so"})
        store = FileNoteStore(vault)
        found = {item.path: item for item in store.notes()}
        assert set(found) == {"brain", "docs/a.md", "docs/b.md/c.md"}
        assert isinstance(found["brain"], Failure)
        assert [path for path, _ in store.digests()] == ["docs/a.md", "docs/b.md/c.md"]

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_folder_without_rights_is_a_failure_and_the_rest_goes_on(self, tmp_path: Path) -> None:
        fill(tmp_path, {"docs/a.md": "a", "voice/b.md": "b"})
        (tmp_path / "docs").chmod(0)
        try:
            found = {item.path: item for item in FileNoteStore(tmp_path).notes()}
        finally:
            (tmp_path / "docs").chmod(0o755)
        assert set(found) == {"docs", "voice/b.md"}
        assert isinstance(found["docs"], Failure) and "cannot be listed" in found["docs"].reason

    def test_over_a_file_only_what_changed_is_rendered(self, tmp_path: Path) -> None:
        fill(tmp_path, {"docs/mine.md": "---\ntitle: 'A'   # mine\n---\nBody\n"})
        store = FileNoteStore(tmp_path)
        note = store.get("docs/mine.md").note
        path, text = store.render(replace(note, title="B"), "docs/mine.md")
        assert (path, text) == ("docs/mine.md", f"---\nid: {note.id}\ntitle: B   # mine\n---\nBody\n")

    def test_a_broken_file_is_never_rendered_over(self, tmp_path: Path) -> None:
        fill(tmp_path, {"docs/mine.md": "---\ntitle: [\n---\n"})
        with pytest.raises(NoteFormatError):
            FileNoteStore(tmp_path).render(a_note("x"), "docs/mine.md")

    def test_holdings_are_notes_and_sessions(self, tmp_path: Path) -> None:
        session = Session("x", "1", (Turn(0, Role.USER, "Hello there", NOON),))
        path, text = ArchiveLedger(tmp_path, FileNoteStore(tmp_path)).render(session)
        fill(tmp_path, {path: text, "docs/a.md": "a", "docs/b.md": "---\n[\n---\n", "sessions/x.md": "broken"})
        holdings = VaultHoldings(tmp_path)
        assert [name for name, _ in holdings.listing()] == ["docs/a.md", "docs/b.md", path, "sessions/x.md"]
        loaded = {name: holdings.load(name) for name, _ in holdings.listing()}
        assert isinstance(loaded["docs/a.md"], StoredNote)
        assert loaded[path].session == session  # type: ignore[union-attr]
        assert isinstance(loaded["docs/b.md"], Failure) and isinstance(loaded["sessions/x.md"], Failure)
        assert holdings.load("docs/none.md") is None


def session_of(turns: int, id_: str = "1") -> Session:
    return Session(
        "x", id_, tuple(Turn(i, Role.USER, f"turn {i}", NOON) for i in range(turns)), title=f"Title at {turns}"
    )


class LedgerContract:
    def ledger_with(self, root: Path, files: Mapping[str, str]) -> Ledger:
        raise NotImplementedError

    def test_a_turn_that_was_archived_is_known(self, tmp_path: Path) -> None:
        ledger = self.ledger_with(tmp_path, {})
        assert ledger.known("x:1") == frozenset() and ledger.read("x:1") is None
        path, text = ledger.render(session_of(3))
        ledger = self.ledger_with(tmp_path, {path: text})
        assert ledger.known("x:1") == {0, 1, 2} and ledger.read("x:1") == session_of(3)
        assert ledger.known("x:2") == frozenset()

    def test_a_session_that_grew_keeps_its_file_and_what_it_held(self, tmp_path: Path) -> None:
        path, text = self.ledger_with(tmp_path, {}).render(session_of(2))
        path_2, text_2 = self.ledger_with(tmp_path, {path: text}).render(session_of(4))
        assert path_2 == path
        later = Session("x", "1", session_of(6).turns[4:])
        path_3, text_3 = self.ledger_with(tmp_path, {path: text_2}).render(later)
        ledger = self.ledger_with(tmp_path, {path: text_3})
        assert path_3 == path and ledger.known("x:1") == set(range(6))
        assert self.ledger_with(tmp_path, {path: text_3}).render(session_of(1)) == (path, text_3)


class TestArchiveLedger(LedgerContract):
    def ledger_with(self, root: Path, files: Mapping[str, str]) -> Ledger:
        fill(root, files)
        return ArchiveLedger(root, FileNoteStore(root))

    def test_a_file_that_its_owner_moved_is_still_found(self, tmp_path: Path) -> None:
        path, text = self.ledger_with(tmp_path, {}).render(session_of(2))
        moved = f"sessions/mine/{path.rsplit('/', 1)[1]}"
        ledger = self.ledger_with(tmp_path, {moved: text})
        assert ledger.known("x:1") == {0, 1} and ledger.render(session_of(3))[0] == moved

    def test_two_sessions_whose_hashes_agree_are_told_apart(self, tmp_path: Path) -> None:
        text = self.ledger_with(tmp_path, {}).render(session_of(2))[1]
        other = f"sessions/undated/other-{key_hash('x:1')}.md"
        ledger = self.ledger_with(tmp_path, {other: text.replace("x:1", "y:9")})
        assert ledger.known("x:1") == frozenset()

    def test_without_the_archive_the_notes_sources_tell(self, tmp_path: Path) -> None:
        store = FileNoteStore(tmp_path)
        ledger = self.ledger_with(tmp_path, dict(store.render(a_note(t, turn=i)) for i, t in enumerate("ab")))
        assert ledger.known("x:1") == {0, 1}

    def test_a_damaged_archive_is_named(self, tmp_path: Path) -> None:
        path = archive_path(session_of(2))
        with pytest.raises(NoteFormatError) as caught:
            self.ledger_with(tmp_path, {path: "no frontmatter"}).known("x:1")
        assert caught.value.subject == path

    def test_all_sessions_are_listed(self, tmp_path: Path) -> None:
        rendered = dict(self.ledger_with(tmp_path, {}).render(session_of(2, id_)) for id_ in ("1", "2"))
        ledger = ArchiveLedger(tmp_path, FileNoteStore(tmp_path))
        fill(tmp_path, rendered)
        assert sorted(ledger.sessions()) == ["x:1", "x:2"]

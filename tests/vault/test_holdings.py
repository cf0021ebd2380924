"""What an index should hold of a folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

from seci.core.ports import StoredNote, StoredSession
from seci.core.session import Failure, Role, Session, Turn
from seci.vault.archive import render_session
from seci.vault.holdings import VaultHoldings

NOTE = "---\nid: 01KBP2ABCDEFGHJKMNPQRSTVWX\ntitle: A title\n---\n\nA body.\n"
SESSION = Session("claude-code", "abc", (Turn(0, Role.USER, "hello"), Turn(1, Role.ASSISTANT, "hi")))


def fill(vault: Path) -> None:
    for folder in ("docs", "sessions/2026/01", ".seci", "other"):
        (vault / folder).mkdir(parents=True)
    (vault / "docs/a.md").write_text(NOTE)
    (vault / "docs/README.md").write_text("What belongs here.")
    (vault / "docs/broken.md").write_text("---\ntitle: [unclosed\n---\n")
    (vault / "sessions/2026/01/s.md").write_text(render_session(SESSION))
    (vault / "sessions/2026/01/broken.md").write_text("no frontmatter")
    (vault / ".seci/x.md").write_text("local")
    (vault / "other/x.md").write_text("not the vault's")


def test_notes_and_sessions_are_listed_with_the_hash_of_their_bytes(tmp_path: Path) -> None:
    fill(tmp_path)
    listing = dict(VaultHoldings(tmp_path).listing())
    assert sorted(listing) == [
        "docs/a.md",
        "docs/broken.md",
        "sessions/2026/01/broken.md",
        "sessions/2026/01/s.md",
    ]
    assert listing["docs/a.md"] == hashlib.sha256(NOTE.encode()).hexdigest()


def test_what_is_loaded_has_the_listed_digest(tmp_path: Path) -> None:
    fill(tmp_path)
    holdings = VaultHoldings(tmp_path)
    listing = dict(holdings.listing())
    note, session = holdings.load("docs/a.md"), holdings.load("sessions/2026/01/s.md")
    assert isinstance(note, StoredNote)
    assert (note.note.title, note.digest) == ("A title", listing["docs/a.md"])
    assert isinstance(session, StoredSession)
    assert (session.session.turns, session.digest) == (SESSION.turns, listing["sessions/2026/01/s.md"])


def test_a_broken_file_is_a_failure_and_a_missing_one_is_none(tmp_path: Path) -> None:
    fill(tmp_path)
    holdings = VaultHoldings(tmp_path)
    for path in ("docs/broken.md", "sessions/2026/01/broken.md"):
        loaded = holdings.load(path)
        assert isinstance(loaded, Failure)
        assert loaded.path == path
        assert loaded.reason
    assert holdings.load("docs/gone.md") is None
    assert holdings.load("sessions/2026/01/gone.md") is None

"""Which turns have been distilled: those that stand in `sessions/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from seci.core.ports import NoteStore
from seci.core.session import Failure, Session, unite_sessions
from seci.errors import NoteFormatError, VaultError
from seci.vault.archive import (
    archive_path,
    key_hash,
    parse_folder,
    parse_ledger_head,
    parse_session,
    render_session,
)
from seci.vault.files import ARCHIVE, read_bytes, resolve_path, walk_markdown
from seci.vault.store import decode

_HEAD_SIZE = 1 << 16  # a frontmatter is far shorter; more is read only where it is not


class ArchiveLedger:
    """Implements `core.ports.Ledger` on the archive's files; where a clone lacks them, on the notes' sources.

    File names are listed once, so one object serves as long as nobody else writes.
    """

    def __init__(self, root: Path, notes: NoteStore) -> None:
        self.root = root
        self._notes = notes
        self._files: dict[str, list[str]] | None = None
        self._cited: dict[str, set[int]] | None = None

    def known(self, session: str) -> frozenset[int]:
        """Archived turn numbers of a session, from its file's frontmatter; without a file, the turns notes cite."""
        found = self._find(session)
        return found[1] if found else frozenset(self._cited_turns().get(session, ()))

    def read(self, session: str) -> Session | None:
        """The session as archived, None where it is not. Raises NoteFormatError when its file is damaged."""
        found = self._find(session)
        if not found:
            return None
        content = read_bytes(self.root, found[0])
        return parse_session(decode(content, found[0]), found[0]) if content is not None else None

    def path(self, session: Session) -> str:
        """The file that holds the session, or would."""
        found = self._find(session.key)
        return found[0] if found else archive_path(session)

    def render(self, session: Session) -> tuple[str, str]:
        """(path, text) of the session's file: archived turns as they stand, then what is new."""
        archived = self.read(session.key)
        return self.path(session), render_session(unite_sessions(archived, session) if archived else session)

    def paths(self) -> list[str]:
        """All archive files, in order of their names."""
        return sorted(path for paths in self._listing().values() for path in paths)

    def sessions(self) -> Iterator[str]:
        """The keys of all archived sessions, in order of their files' names; damaged files are left out."""
        for path in self.paths():
            head = self._read_head(path)
            if head is None:
                continue
            with suppress(NoteFormatError):
                yield parse_ledger_head(head, path)[0]

    def folder(self, session: str) -> str | None:
        """The directory that a session was held in, as recorded; None where it is not archived or none was recorded.

        Raises NoteFormatError when its file is damaged.
        """
        found = self._find(session)
        head = self._read_head(found[0]) if found else None
        return parse_folder(head, found[0]) if found and head else None

    def deleted(self, sessions: Iterable[str], once: Iterable[str]) -> frozenset[str]:
        """Which of these sessions have no file any more though one of the paths in `once`, files deleted from git,
        was theirs. A session that was never archived here is not deleted: another machine may have it."""
        hashes = {path.removesuffix(".md")[-8:] for path in once} - self._listing().keys()
        return frozenset(key for key in sessions if key_hash(key) in hashes)

    def _find(self, key: str) -> tuple[str, frozenset[int]] | None:
        for path in self._listing().get(key_hash(key), ()):
            head = self._read_head(path)
            if head is None:
                continue
            owner, turns = parse_ledger_head(head, path)
            if owner == key:
                return path, turns
        return None

    def _listing(self) -> dict[str, list[str]]:
        if self._files is None:
            self._files = {}
            for path in walk_markdown(self.root, ARCHIVE):
                self._files.setdefault(path.removesuffix(".md")[-8:], []).append(path)
        return self._files

    def _read_head(self, path: str) -> str | None:
        try:
            with resolve_path(self.root, path).open("rb") as file:
                start = file.read(_HEAD_SIZE)
                if b"\n---" not in start:
                    start += file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise VaultError(f"cannot be read: {error.strerror or error}", subject=path) from error
        return decode(start[: start.find(b"\n---", 3) + 5], path)

    def _cited_turns(self) -> dict[str, set[int]]:
        if self._cited is None:
            self._cited = {}
            for stored in self._notes.notes():
                if not isinstance(stored, Failure):
                    for source in stored.note.sources:
                        self._cited.setdefault(source.session, set()).update(source.turns)
        return self._cited

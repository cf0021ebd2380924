"""What an index should hold: notes and archived sessions, listed without being parsed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seci.core.ports import StoredNote, StoredSession
from seci.core.session import Failure
from seci.errors import VaultError
from seci.vault.archive import parse_session
from seci.vault.files import ARCHIVE, digest_of, read_bytes, walk_markdown
from seci.vault.store import FileNoteStore, decode, digest_walked


class VaultHoldings:
    """Implements `core.ports.Holdings` on a vault's folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._notes = FileNoteStore(root)

    def listing(self) -> Iterator[tuple[str, str]]:
        yield from self._notes.digests()
        for path in walk_markdown(self.root, ARCHIVE):
            yield from digest_walked(self.root, path)

    def load(self, path: str) -> StoredNote | StoredSession | Failure | None:
        try:
            content = read_bytes(self.root, path)
            if content is None:
                return None
            if not path.startswith(f"{ARCHIVE}/"):
                return self._notes.read(path)
            return StoredSession(path, parse_session(decode(content, path), path), digest_of(content))
        except VaultError as error:
            return Failure(path, error.reason)

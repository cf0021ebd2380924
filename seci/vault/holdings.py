"""What a vault holds that an index should hold too: its notes and its archived sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seci.core.ports import StoredNote, StoredSession
from seci.core.session import Failure
from seci.errors import VaultError
from seci.vault.archive import parse_session
from seci.vault.files import ARCHIVE, digest_of, read_bytes, walk_markdown
from seci.vault.store import FileNoteStore, decode


class VaultHoldings:
    """Implements `core.ports.Holdings` on a vault's folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._notes = FileNoteStore(root)

    def listing(self) -> Iterator[tuple[str, str]]:
        """(path, sha256 of the file's bytes) of every note, then of every archived session, unparsed."""
        yield from self._notes.digests()
        for path in walk_markdown(self.root, ARCHIVE):
            content = read_bytes(self.root, path)
            if content is not None:
                yield path, digest_of(content)

    def load(self, path: str) -> StoredNote | StoredSession | Failure | None:
        """What stands at a path now; None when it is gone, a Failure when it is neither note nor session."""
        try:
            content = read_bytes(self.root, path)
            if content is None:
                return None
            if path.startswith(f"{ARCHIVE}/"):
                return StoredSession(path, parse_session(decode(content, path), path), digest_of(content))
            return self._notes.read(path)
        except VaultError as error:
            return Failure(path, error.reason)

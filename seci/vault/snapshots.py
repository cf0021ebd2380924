"""The notes as earlier commits had them, each version of a file parsed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seci.core.note import Note
from seci.errors import VaultError
from seci.vault.history import Commit, GitHistory
from seci.vault.markdown import parse_note
from seci.vault.merge import is_note
from seci.vault.store import decode


def read_snapshots(history: GitHistory, commits: Iterable[Commit]) -> Iterator[tuple[Commit, list[Note]]]:
    """Each commit with the notes that its tree holds; files that are none are left out."""
    known: dict[str, Note | None] = {}
    for commit in commits:
        blobs = {path: blob for path, blob in history.files_at(commit.commit).items() if is_note(path)}
        for blob, content in history.contents({blob for blob in blobs.values() if blob not in known}).items():
            known[blob] = _parse(content, next(path for path, at in blobs.items() if at == blob))
        yield commit, [note for blob in blobs.values() if (note := known.get(blob)) is not None]


def _parse(content: bytes, path: str) -> Note | None:
    try:
        return parse_note(decode(content, path), path)
    except VaultError:
        return None  # what is no note is nobody's flaw here; `seci doctor` names those that stand now

"""The notes of a vault in the order in which people look for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seci.core.ports import StoredNote
from seci.core.session import Failure

if TYPE_CHECKING:
    from seci.vault.store import FileNoteStore


@dataclass(slots=True)
class Listing:
    """Notes, newest first; how many files more there are past the limit; what is no note."""

    notes: list[StoredNote] = field(default_factory=list)
    more: int = 0
    failures: list[Failure] = field(default_factory=list)


def list_newest(
    store: FileNoteStore, *, namespace: str | None = None, project: str | None = None, limit: int | None = None
) -> Listing:
    """The newest notes of a namespace and of a project. Only what is shown is parsed, or with `project` all."""
    found = Listing()
    ids: dict[str, str] = {}
    paths = [path for path in store.newest() if namespace is None or path.startswith(f"{namespace}/")]
    for number, path in enumerate(paths):
        full = limit is not None and len(found.notes) >= limit
        if full and project is None:
            found.more = len(paths) - number
            break
        stored = store.load(path)
        if isinstance(stored, Failure):
            found.failures.append(stored)
        elif stored is not None and project in (None, stored.note.project):
            first = ids.setdefault(stored.note.id, path)
            if first != path:
                found.failures.append(Failure(path, f"has the same id as {first}: {stored.note.id}"))
            elif full:
                found.more += 1
            else:
                found.notes.append(stored)
    return found

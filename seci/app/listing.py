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
    waiting = iter([place for place in store.newest() if namespace is None or _is_in(namespace, place)])
    for item in store.notes(waiting):
        if isinstance(item, Failure):
            found.failures.append(item)
        elif project not in (None, item.note.project):
            continue
        elif limit is None or len(found.notes) < limit:
            found.notes.append(item)
        else:
            found.more += 1
        if project is None and len(found.notes) == limit:
            found.more = sum(1 for _ in waiting)
    return found


def _is_in(namespace: str, place: str | Failure) -> bool:
    return isinstance(place, Failure) or place.startswith(f"{namespace}/")

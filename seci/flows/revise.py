"""Changing and removing single notes: what an editor, REST and `forget` have in common.

note -> changed note -> rendered over the file as it stands -> one transaction
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from seci.core.note import Namespace, Note, NoteType, Status, Tier
from seci.core.ports import NoteStore, StoredNote, Transaction
from seci.errors import UserError

CHANGEABLE = ("title", "body", "namespace", "tier", "type", "tags", "project", "importance", "confidence", "status")
_KINDS = {"namespace": Namespace, "tier": Tier, "type": NoteType, "status": Status}


@dataclass(frozen=True, slots=True)
class Revised:
    """The note as it stands now, and the commit that made it so (None where nothing changed)."""

    path: str
    note: Note
    commit: str | None


def revise_note(
    stored: StoredNote, fields: Mapping[str, Any], now: datetime, store: NoteStore, transaction: Transaction
) -> Revised:
    """Writes the given fields of a note; the id and the file's name stay, another namespace moves the file.

    Raises UserError that names a field which is unknown or has a wrong value, VaultError where the file was edited
    since it was read.
    """
    note = apply_fields(stored.note, fields)
    if note == stored.note:
        return Revised(stored.path, note, None)
    note = _touched(note, now)
    path = stored.path
    if note.namespace is not stored.note.namespace:
        path = f"{note.namespace.value}/{stored.path.rpartition('/')[2]}"
    _, text = store.render(note, stored.path)
    changes: dict[str, str | None] = {path: text}
    before: dict[str, str | None] = {stored.path: stored.digest}
    if path != stored.path:
        changes[stored.path] = None
        before[path] = None
    commit = transaction.write(changes, f"Revise {note.title}\n\nSeci-Verb: revise\n", before)
    return Revised(path, note, commit)


def commit_edit(read: StoredNote, now: datetime, store: NoteStore, transaction: Transaction) -> str | None:
    """Commits what an editor made of a note's file since it was `read`; None where that is nothing.

    A time of change that the user did not set themselves is `now`: by it two machines tell later which edit was the
    last. Raises NoteFormatError where the file is no note any more, and leaves it as it is.
    """
    stored = store.get(read.path)
    if stored.digest == read.digest:
        return None
    note = stored.note
    if note.updated == read.note.updated:
        note = _touched(note, now)
    _, text = store.render(note, stored.path)
    return transaction.write(
        {stored.path: text}, f"Edit {note.title}\n\nSeci-Verb: edit\n", {stored.path: stored.digest}
    )


def _touched(note: Note, now: datetime) -> Note:
    return replace(note, updated=now.astimezone(UTC).replace(microsecond=0))


def remove_note(stored: StoredNote, transaction: Transaction) -> str | None:
    """Deletes a note as one commit; git keeps it."""
    message = f"Remove {stored.note.title}\n\nSeci-Verb: remove\n"
    return transaction.write({stored.path: None}, message, {stored.path: stored.digest})


def apply_fields(note: Note, fields: Mapping[str, Any]) -> Note:
    """The note with these fields. Raises UserError that names the first wrong one."""
    if unknown := [name for name in fields if name not in CHANGEABLE]:
        raise UserError(f"cannot be changed; there are {', '.join(CHANGEABLE)}", subject=unknown[0])
    values: dict[str, Any] = {}
    for name, value in fields.items():
        try:
            values[name] = _convert(name, value)
        except (ValueError, TypeError) as error:
            raise UserError(f"{value!r} is no valid value: {error}", subject=name) from error
    changed = replace(note, **values)
    if not changed.title.strip():
        raise UserError("must not be empty", subject="title")
    return changed


def _convert(name: str, value: Any) -> Any:
    if name in _KINDS:
        return _KINDS[name](value)
    if name == "tags":
        return tuple(str(tag) for tag in value)
    if name in ("importance", "confidence"):
        number = float(value)
        if not 0.0 <= number <= 1.0:
            raise ValueError("must lie in 0..1")
        return number
    return None if value is None and name == "project" else str(value)

"""What a person has decided about notes: that two of them are to be kept apart, that one is not stale.

The decision stands in the frontmatter of a note, so that it travels with the vault and shows in its history:
`kept_apart` lists ids (on the note with the smaller id, so that two clones write the same), `not_stale` is the reason
that was turned down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from seci.core.note import Note

KEPT_APART = "kept_apart"  # frontmatter keys
NOT_STALE = "not_stale"


def apart_from(note: Note) -> frozenset[str]:
    """The ids that a note is to be kept apart from. What is no list of texts says nothing."""
    listed = note.extra.get(KEPT_APART)
    if not isinstance(listed, list | tuple):
        return frozenset()
    return frozenset(item for item in listed if isinstance(item, str))


def are_kept_apart(a: Note, b: Note) -> bool:
    """Whether a person has said that neither of two notes says what the other says, nor replaces it."""
    return b.id in apart_from(a) or a.id in apart_from(b)


def keep_apart(note: Note, others: Iterable[str]) -> Note:
    """The note with `others` added to those that it is kept apart from."""
    ids = sorted({*apart_from(note), *others} - {note.id})
    return replace(note, extra=with_apart(note.extra, ids))


def with_apart(extra: Mapping[str, Any], ids: list[str]) -> dict[str, Any]:
    """The user's frontmatter keys with these ids kept apart; an empty list leaves no key behind."""
    kept = {key: value for key, value in extra.items() if key != KEPT_APART}
    return {**kept, KEPT_APART: ids} if ids else kept


def redirect_apart(note: Note, gone: Mapping[str, str]) -> Note:
    """Lets a decision about a note that was merged into another speak of that one."""
    named = apart_from(note)
    if not gone.keys() & named:
        return note
    ids = sorted({gone.get(ident, ident) for ident in named} - {note.id})
    return replace(note, extra=with_apart(note.extra, ids))


def is_confirmed(note: Note, reason: str) -> bool:
    """Whether a person has said that the note is not stale for this reason."""
    return note.extra.get(NOT_STALE) == reason


def confirm(note: Note, reason: str) -> Note:
    """The note with the word that it is not stale for this reason."""
    return replace(note, extra={**note.extra, NOT_STALE: reason})

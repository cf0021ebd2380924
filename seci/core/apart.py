"""What a person has decided about notes: that two of them are to be kept apart, that one is not stale, that a command
is no pattern.

The decision stands in the frontmatter of a note, so that it travels with the vault and shows in its history:
`kept_apart` lists ids (on the note with the smaller id, so that two clones write the same), `not_stale` is the reason
that was turned down, `not_pattern` lists commands (on every note that has one).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from seci.core.note import Note

KEPT_APART = "kept_apart"  # frontmatter keys
NOT_STALE = "not_stale"
NOT_PATTERN = "not_pattern"


def apart_from(note: Note) -> frozenset[str]:
    """The ids that a note is to be kept apart from. What is no list of texts says nothing."""
    return _listed(note, KEPT_APART)


def _listed(note: Note, key: str) -> frozenset[str]:
    listed = note.extra.get(key)
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
    return _with_list(extra, KEPT_APART, ids)


def _with_list(extra: Mapping[str, Any], key: str, items: list[str]) -> dict[str, Any]:
    kept = {name: value for name, value in extra.items() if name != key}
    return {**kept, key: items} if items else kept


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


def refused_patterns(note: Note) -> frozenset[str]:
    """The commands of a note of which a person has said that they are no pattern, however often they recur."""
    return _listed(note, NOT_PATTERN)


def refuse_pattern(note: Note, command: str) -> Note:
    """The note with the word that a command of it is no pattern."""
    return replace(note, extra=with_refused(note.extra, sorted({*refused_patterns(note), command})))


def with_refused(extra: Mapping[str, Any], commands: list[str]) -> dict[str, Any]:
    """The user's frontmatter keys with these commands refused as patterns; an empty list leaves no key behind."""
    return _with_list(extra, NOT_PATTERN, commands)

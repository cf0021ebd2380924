"""Links between a note and what took its place: made, found broken, and put right where nobody need be asked.

A note's own word on what replaced it counts; `supersedes` on the other note only repeats it. Two clones that both
consolidate and then meet, or a note deleted by hand, leave one end of a link behind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from seci.core.note import Note, Status, short_id


@dataclass(frozen=True, slots=True)
class Repair:
    """What is put right in the note that `ids` names."""

    ids: tuple[str]
    reason: str


def link_successor(older: Note, newer: Note) -> tuple[Note, Note]:
    """Both notes once the second has taken the first one's place: from the day on from which it holds, but not before
    the first held itself."""
    since, began = _since(newer), _since(older)
    ends = max(since, began) if since and began else since
    if older.valid_to and (ends is None or older.valid_to < ends):
        ends = older.valid_to
    return (
        replace(older, status=Status.SUPERSEDED, superseded_by=newer.id, valid_to=ends),
        replace(newer, supersedes=tuple(sorted({*newer.supersedes, older.id}))),
    )


def _since(note: Note) -> date | None:
    return note.valid_from or (note.created.date() if note.created else None)


def find_broken_links(notes: Iterable[Note]) -> list[tuple[str, str]]:
    """(id, what is wrong) of each end of a link that names a note which is not there, or which does not say the same.
    In order of ids."""
    known = {note.id: note for note in notes}
    found: dict[str, list[str]] = defaultdict(list)
    for ident in sorted(known):
        note = known[ident]
        gone = sorted({*note.supersedes, *([note.superseded_by] if note.superseded_by else [])} - known.keys())
        if gone:
            found[ident].append(f"refers to notes that are not there: {', '.join(gone)}")
        successor = known.get(note.superseded_by or "")
        if successor is not None and ident not in successor.supersedes:
            found[successor.id].append(f"does not say that it supersedes {short_id(ident)}, which says so")
        for old in note.supersedes:
            if old in known and known[old].superseded_by != ident:
                found[ident].append(f"says that it supersedes {short_id(old)}, which does not say so")
    return [(ident, reason) for ident in sorted(found) for reason in found[ident]]


def plan_repairs(notes: Iterable[Note]) -> tuple[list[Repair], dict[str, Note]]:
    """What can be put right, and the notes that change, by id. `notes` must be all of the vault: an id that none of
    them has is taken for gone.

    A note that was superseded by one that is gone, and that no other claims, keeps the link: which of the two was
    wrong only a person knows.
    """
    before = {note.id: note for note in sorted(notes, key=lambda note: note.id)}
    claims: dict[str, list[str]] = defaultdict(list)
    for note in before.values():
        for old in note.supersedes:
            claims[old].append(note.id)
    by: dict[str, str] = {}
    changed: dict[str, Note] = {}
    repairs: list[Repair] = []
    for ident, note in before.items():
        successor = note.superseded_by
        if successor in before or note.status is not Status.SUPERSEDED or len(claims[ident]) != 1:
            if successor is not None and successor in before and successor != ident:
                by[ident] = successor
            continue
        by[ident] = claims[ident][0]
        changed[ident] = replace(note, superseded_by=by[ident])
        repairs.append(Repair((ident,), f"is superseded by {short_id(by[ident])}, which says so"))
    olds: dict[str, set[str]] = defaultdict(set)
    for old, successor in by.items():
        if not _comes_round(old, by):
            olds[successor].add(old)
    for ident, note in before.items():
        if set(note.supersedes) == olds[ident]:
            continue
        changed[ident] = replace(changed.get(ident, note), supersedes=tuple(sorted(olds[ident])))
        repairs.append(Repair((ident,), _difference(note, olds[ident], before)))
    return sorted(repairs, key=lambda repair: (repair.ids, repair.reason)), changed


def _comes_round(start: str, by: Mapping[str, str]) -> bool:
    """Whether the chain of successors from a note comes back to it."""
    seen = {start}
    at = by.get(start)
    while at is not None and at not in seen:
        seen.add(at)
        at = by.get(at)
    return at == start


def _difference(note: Note, olds: set[str], known: Mapping[str, Note]) -> str:
    said = []
    if added := sorted(olds - set(note.supersedes)):
        said.append(f"supersedes {', '.join(map(short_id, added))}, which {'says' if len(added) == 1 else 'say'} so")
    if gone := sorted(ident for ident in set(note.supersedes) - olds if ident not in known):
        said.append(f"supersedes no longer {', '.join(map(short_id, gone))}, gone from the vault")
    if denied := sorted(ident for ident in set(note.supersedes) - olds if ident in known):
        verb = "does" if len(denied) == 1 else "do"
        said.append(f"supersedes no longer {', '.join(map(short_id, denied))}, which {verb} not say so")
    return "; ".join(said)

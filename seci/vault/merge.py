"""Three versions of a file become one: notes key by key, sessions turn by turn, anything else line by line.

For taking a commit back, a merge that finds the same thing changed on both sides says so and decides nothing. For two
machines that meet, where nobody may be there to decide, it settles: it always has an answer for notes and sessions,
the same on both machines, and drops no text but the earlier of two new wordings of one sentence.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seci.core.apart import KEPT_APART, NOT_PATTERN, apart_from, refused_patterns
from seci.core.note import Note, Provenance, Status
from seci.core.session import unite_sessions
from seci.errors import VaultError
from seci.vault.archive import parse_session, render_session
from seci.vault.files import ARCHIVE, NAMESPACES
from seci.vault.git import Git
from seci.vault.markdown import parse_note, render_note
from seci.vault.store import README, decode
from seci.vault.wording import Overruled, Woven, weave

_STANDING = (Status.ACTIVE, Status.STALE, Status.ARCHIVED, Status.SUPERSEDED)  # later ones win over earlier ones
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Merged:
    """The result, None where the file is to be deleted. With `conflicts` (what both sides changed) it is ours.

    `overruled` are wordings that gave way to others of the same sentence.
    """

    content: bytes | None
    conflicts: tuple[str, ...] = ()
    overruled: tuple[Overruled, ...] = ()


def merge_files(
    git: Git,
    path: str,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    settle: bool,
    unsaved: bool = False,
) -> Merged:
    """One file from the version both sides started from and what each made of it; None where there is none.

    With `settle` there is a result for every note and session. `unsaved` says that ours stands in no commit: then its
    wordings stay, since nothing could bring them back. A deletion on one side and a change on the other keeps
    the change, since a deletion can be repeated and a lost text cannot be had back.
    """
    if ours == theirs or theirs == base:
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    if ours is None or theirs is None:
        return Merged(ours or theirs) if settle else Merged(ours, ("one side deleted it and the other changed it",))
    try:
        if settle and path.startswith(f"{ARCHIVE}/"):
            return Merged(_merge_archives(path, ours, theirs))
        if is_note(path):
            return _merge_notes(git, path, base, ours, theirs, settle=settle, unsaved=unsaved)
    except VaultError:
        pass  # not (any more) what its place says: then it is lines of text
    text, clash = merge_lines(git, base or b"", ours, theirs)
    return Merged(ours, ("the same lines were changed",)) if clash else Merged(text)


def is_note(path: str) -> bool:
    """Whether a vault-relative path is a note's."""
    folder, _, rest = path.partition("/")
    return folder in NAMESPACES and rest.endswith(".md") and rest != README


def merge_lines(git: Git, base: bytes, ours: bytes, theirs: bytes, *, union: bool = False) -> tuple[bytes, bool]:
    """git's three-way merge of texts: (result, whether the same lines were changed). `union` keeps both then."""
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        places = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for place, content in zip(places, (ours, base, theirs), strict=True):
            place.write_bytes(content)
        options = ("--union",) if union else ()
        status, out, said = git.call("merge-file", "-p", "-q", *options, *map(str, places))
    if status < 0 or status > 127:
        raise VaultError(f"cannot be merged as text: {said.strip() or 'it is binary'}")
    return out, status > 0


def _merge_archives(path: str, ours: bytes, theirs: bytes) -> bytes:
    mine, other = (parse_session(decode(content, path), path) for content in (ours, theirs))
    # The same from both sides: the longer one is added to, and of two that are as long the smaller text.
    first, second = sorted((mine, other), key=lambda session: (-len(session.turns), render_session(session)))
    return render_session(unite_sessions(first, second)).encode()


def _merge_notes(
    git: Git, path: str, base: bytes | None, ours: bytes, theirs: bytes, *, settle: bool, unsaved: bool
) -> Merged:
    texts = [decode(content, path) for content in (ours, theirs)]
    mine, other = (parse_note(text, path) for text in texts)
    root = parse_note(decode(base, path), path) if base is not None else None
    conflicts: list[str] = []
    values: dict[str, Any] = {}
    for name in (field.name for field in fields(Note) if field.name not in {"body", "extra", "namespace"}):
        was, a, b = (getattr(note, name) if note else _Absent for note in (root, mine, other))
        values[name] = _pick(name, was, a, b, conflicts, _settle_value(name, mine, other) if settle else None)
    values["extra"] = _merge_extra(root, mine, other, conflicts, settle=settle)
    preferred = None if not settle else mine if unsaved else _later(mine, other)
    body = _merge_bodies(git, root, mine, other, conflicts, preferred)
    values["body"] = body.text
    if conflicts:
        return Merged(ours, tuple(conflicts))
    wording = _hand_made(texts, (mine, other)) if settle else texts[0]
    content = render_note(replace(mine, **values), wording, path).encode()
    return Merged(content, overruled=tuple(body.overruled))


def _hand_made(texts: Sequence[str], notes: Sequence[Note]) -> str:
    """The text whose comments, quoting and order of keys the result keeps: the one that a person has edited."""
    pairs = zip(texts, notes, strict=True)
    return max(pairs, key=lambda pair: (pair[0] != render_note(pair[1]), _moment(pair[1]), pair[0]))[0]


def _moment(note: Note) -> datetime:
    return note.updated or note.created or _BEGINNING


class _Absent:
    """Stands for a value that a side does not have, where None is one."""


def _pick(
    name: str, was: object, ours: Any, theirs: Any, conflicts: list[str], settled: Callable[[], Any] | None
) -> Any:
    """The side that changed; where both did, what `settled` says, or else ours and a conflict."""
    if ours == theirs or theirs == was:
        return ours
    if ours == was:
        return theirs
    if settled is not None:
        return settled()
    conflicts.append(f"{name}: {_shown(ours)} on one side and {_shown(theirs)} on the other")
    return ours


def _settle_value(name: str, ours: Note, theirs: Note) -> Callable[[], Any]:
    """How two machines agree on a key that both changed; the answer does not depend on which of them asks."""
    pair = [getattr(ours, name), getattr(theirs, name)]
    later = getattr(_later(ours, theirs), name)
    known = [value for value in pair if value is not None]
    if name in {"tags", "supersedes"}:
        return lambda: tuple(sorted({*pair[0], *pair[1]}))
    if name == "sources":
        return lambda: _unite_sources([*pair[0], *pair[1]])
    if name == "status":
        return lambda: max(pair, key=_STANDING.index)
    if name == "created":
        return lambda: min(known)
    if name == "updated":
        return lambda: max(known)
    if name in {"superseded_by", "valid_to", "project", "valid_from"}:
        return lambda: later if later is not None else known[0]
    return lambda: later


def _later(ours: Note, theirs: Note) -> Note:
    """The note that was updated later; of two equally late ones the greater text, so that both sides agree."""
    return max(ours, theirs, key=lambda note: (_moment(note), render_note(note)))


def _unite_sources(sources: Iterable[Provenance]) -> tuple[Provenance, ...]:
    turns: dict[str, set[int]] = {}
    for source in sources:
        turns.setdefault(source.session, set()).update(source.turns)
    return tuple(Provenance(session, tuple(sorted(found))) for session, found in sorted(turns.items()))


def _merge_extra(root: Note | None, ours: Note, theirs: Note, conflicts: list[str], *, settle: bool) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key in sorted({*ours.extra, *theirs.extra}):
        was = root.extra.get(key, _Absent) if root else _Absent
        a, b = ours.extra.get(key, _Absent), theirs.extra.get(key, _Absent)
        if read := _DECIDED.get(key):
            if decided := _merge_decided(*(read(note) if note else frozenset() for note in (root, ours, theirs))):
                merged[key] = decided
            continue
        value = _pick(key, was, a, b, conflicts, _settle_extra(a, b, ours, theirs, key) if settle else None)
        if value is not _Absent:
            merged[key] = value
    return merged


_DECIDED = {KEPT_APART: apart_from, NOT_PATTERN: refused_patterns}


def _merge_decided(was: frozenset[str], ours: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """What either side has added, without what either has taken out: decisions never clash."""
    return sorted((ours | theirs) - (was - ours) - (was - theirs))


def _settle_extra(a: Any, b: Any, ours: Note, theirs: Note, key: str) -> Callable[[], Any]:
    def settled() -> Any:
        if a is _Absent or b is _Absent:
            return b if a is _Absent else a
        if isinstance(a, list) and isinstance(b, list):
            longer, other = sorted((a, b), key=lambda items: (-len(items), repr(items)))
            return [*longer, *(item for item in other if item not in longer)]
        return _later(ours, theirs).extra[key]

    return settled


def _merge_bodies(
    git: Git, root: Note | None, ours: Note, theirs: Note, conflicts: list[str], preferred: Note | None
) -> Woven:
    """`preferred` has the word where both have changed a sentence; None leaves that to a person."""
    if root and (ours.body == theirs.body or theirs.body == root.body):
        return Woven(ours.body)
    if root and ours.body == root.body:
        return Woven(theirs.body)
    if root is None and preferred and ours.id == theirs.id:
        # The same turns told twice: two tellings of one thing are no more than the later of them.
        return Woven(_later(ours, theirs).body)
    # In one order from both sides: what both added stands in it.
    a, b = sorted((ours.body, theirs.body)) if preferred else (ours.body, theirs.body)
    merged = _merge_texts(git, root.body if root else "", a, b)
    if merged is not None:
        return Woven(merged)
    if preferred is None:
        conflicts.append("the same lines of its text were changed on both sides")
        return Woven(ours.body)
    if root is None:
        return Woven(_merge_texts(git, "", a, b, union=True) or "")
    other = theirs if preferred is ours else ours
    return weave(root.body, preferred.body, other.body, lambda *blocks: _merge_texts(git, *blocks))


def _merge_texts(git: Git, base: str, first: str, second: str, *, union: bool = False) -> str | None:
    """The texts merged line by line, None where the same lines were changed."""
    text, clash = merge_lines(git, *(f"{text}\n".encode() for text in (base, first, second)), union=union)
    return None if clash and not union else text.decode().removesuffix("\n")


def _shown(value: Any) -> str:
    text = "nothing" if value is None or value is _Absent else str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"

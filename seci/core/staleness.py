"""Whether a note looks stale: by age and kind, by validity, by sources that are gone, by files that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from seci.core.apart import is_confirmed
from seci.core.note import Namespace, Note, NoteType, Tier

# Days in which a note of that type loses half of its worth when nobody confirms or uses it: feelings and events
# pass, plans come due, preferences and practices hold. Defaults of this project, to be set in `seci.toml`.
HALF_LIVES: Mapping[NoteType, float] = {
    NoteType.EMOTION: 30,
    NoteType.EVENT: 45,
    NoteType.PLAN: 60,
    NoteType.OTHER: 180,
    NoteType.COMMAND: 365,
    NoteType.REFERENCE: 365,
    NoteType.SOLUTION: 365,
    NoteType.FACT: 365,
    NoteType.DECISION: 540,
    NoteType.PATTERN: 720,
    NoteType.PREFERENCE: 720,
}
WORN = 3.0  # half-lives after which an unused note is stale: an eighth of its worth is left
LASTING = 0.9  # importance from which on age alone never makes a note stale

CITING = (Namespace.DOCS, Namespace.SOLUTIONS, Namespace.QUICK_REFERENCE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the outside world says about notes, gathered by the flow.

    `gone_sessions` are session keys that neither the archive nor the tool's own folder holds any more; `missing` maps
    a note's id to the files and symbols that it names and its project's repository no longer has; `used` maps a
    note's id to when it was last put into a context on this machine. What is not known is left out.
    """

    gone_sessions: frozenset[str] = frozenset()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    used: Mapping[str, datetime] = field(default_factory=dict)


def stale_reason(
    note: Note, now: datetime, facts: Facts, half_lives: Mapping[NoteType, float] = HALF_LIVES
) -> str | None:
    """Why a note looks stale, None when it does not, or when a person has turned down that very reason. Reasons name
    dates, never the time of the run."""
    return next((reason for reason in _reasons(note, now, facts, half_lives) if not is_confirmed(note, reason)), None)


def _reasons(note: Note, now: datetime, facts: Facts, half_lives: Mapping[NoteType, float]) -> Iterator[str]:
    if note.valid_to is not None and note.valid_to < now.date():
        yield f"valid until {note.valid_to.isoformat()}"
    gone = facts.missing.get(note.id, ())
    if gone and note.namespace in CITING:
        yield f"names what is gone: {', '.join(sorted(gone))}"
    if note.sources and all(source.session in facts.gone_sessions for source in note.sources):
        yield "its sessions are gone"
    if worn := _worn(note, now, facts, half_lives):
        yield worn


def _worn(note: Note, now: datetime, facts: Facts, half_lives: Mapping[NoteType, float]) -> str | None:
    touched = max((time for time in (note.created, note.updated) if time), default=None)
    if touched is None or note.tier is Tier.SOUL or note.importance >= LASTING:
        return None
    half_life = half_lives.get(note.type, HALF_LIVES[NoteType.OTHER])
    used = facts.used.get(note.id)
    if used is not None and now - used < timedelta(days=half_life):
        return None
    if now - touched < timedelta(days=half_life * WORN):
        return None
    return f"{note.type.value} unconfirmed since {touched.date().isoformat()}"


_FILE = re.compile(r"`([^`\s]+)`|(?<![\w/:.])((?:[\w.-]+/)+[\w.-]+\.\w{1,8})\b")
_SYMBOL = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?")


def parse_citations(note: Note) -> tuple[frozenset[str], frozenset[str]]:
    """The files and the symbols that a note names: relative paths with an extension, and identifiers in code marks.

    Commands, flags, addresses and plain words in code marks are neither.
    """
    files: set[str] = set()
    symbols: set[str] = set()
    for match in _FILE.finditer(f"{note.title}\n{note.body}"):
        text = (match[1] or match[2]).rstrip(".,:;")
        if "://" in text or text.startswith(("-", "/", "~", "$", "@")) or any(c in text for c in "<>*{}="):
            continue
        if re.fullmatch(r"(?:[\w.-]+/)+[\w.-]+|[\w-]+\.[a-z]{1,5}", text) and "." in text.rsplit("/", 1)[-1]:
            files.add(text.removeprefix("./"))
        elif _SYMBOL.fullmatch(text) and (text.endswith("()") or "_" in text or re.search(r"[a-z][A-Z]", text)):
            symbols.add(text.removesuffix("()"))
    return frozenset(files), frozenset(symbols)

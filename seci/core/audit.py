"""How good the notes of a vault are: what is wrong with which, and the share with which nothing is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from seci.core.apart import are_kept_apart
from seci.core.links import find_broken_links
from seci.core.markers import CONTEXT_TAG
from seci.core.neighbours import content_words
from seci.core.note import Note, Status, Tier, normalise_title, short_id

TELLING = 3  # content words that a note needs to say anything


class Flaw(StrEnum):
    """What can be wrong with a note, in the order in which it is shown."""

    DUPLICATE = "duplicates"
    JUNK = "junk"
    CONTRADICTION = "contradictions"
    STALE = "stale"
    UNSOURCED = "unsourced"
    SECRET = "secrets"
    ORPHAN = "orphans"


@dataclass(frozen=True, slots=True)
class Flawed:
    """A note (by id), what is wrong with it, and in words why."""

    id: str
    flaw: Flaw
    said: str


@dataclass(frozen=True, slots=True)
class Audit:
    """`score` is the share of the standing notes without a flaw, 0..1; a vault that has none scores 1. Superseded and
    archived notes stand no more, but one whose link to another is broken counts."""

    notes: int
    flawed: tuple[Flawed, ...]

    @property
    def score(self) -> float:
        return 1.0 - len({flawed.id for flawed in self.flawed}) / self.notes if self.notes else 1.0

    @property
    def counts(self) -> dict[Flaw, int]:
        """Notes by flaw; every flaw has a count."""
        ids: dict[Flaw, set[str]] = defaultdict(set)
        for flawed in self.flawed:
            ids[flawed.flaw].add(flawed.id)
        return {flaw: len(ids[flaw]) for flaw in Flaw}


def audit_notes(
    notes: Iterable[Note],
    secrets: Callable[[str], Sequence[str]],
    gone_sessions: frozenset[str] = frozenset(),
    found: Iterable[Flawed] = (),
) -> Audit:
    """Looks at each note by itself and at notes with equal text. `secrets` gives the kinds of secret in a text; `found`
    is what comparing pairs brought to light (see `core.consolidation`)."""
    everything = sorted(notes, key=lambda note: note.id)
    standing = [note for note in everything if note.status in (Status.ACTIVE, Status.STALE)]
    flawed: dict[tuple[str, Flaw], Flawed] = {}
    broken = [Flawed(ident, Flaw.ORPHAN, said) for ident, said in find_broken_links(everything)]
    for item in [*_repeated(standing), *broken, *found]:
        flawed.setdefault((item.id, item.flaw), item)
    for note in standing:
        for flaw, said in _flaws(note, gone_sessions, secrets):
            flawed.setdefault((note.id, flaw), Flawed(note.id, flaw, said))
    standing_ids = {note.id for note in standing}
    lost = {item.id for item in broken} - standing_ids  # hidden behind a successor that is not there: they count
    kept = [item for item in flawed.values() if item.id in standing_ids | lost]
    order = list(Flaw)
    return Audit(len(standing) + len(lost), tuple(sorted(kept, key=lambda item: (order.index(item.flaw), item.id))))


def _flaws(
    note: Note, gone_sessions: frozenset[str], secrets: Callable[[str], Sequence[str]]
) -> Iterable[tuple[Flaw, str]]:
    if reason := _junk(note):
        yield Flaw.JUNK, reason
    if note.status is Status.STALE:
        yield Flaw.STALE, str(note.extra.get("stale_reason", "marked stale"))
    if not note.sources:
        yield Flaw.UNSOURCED, "names no session that it comes from"
    if kinds := secrets(f"{note.title}\n{note.body}"):
        yield Flaw.SECRET, ", ".join(kinds)
    if note.sources and all(source.session in gone_sessions for source in note.sources):
        yield Flaw.ORPHAN, "its sessions were deleted"


def _junk(note: Note) -> str | None:
    text = f"{note.title}\n{note.body}"
    if re.search(rf"</?\s*{CONTEXT_TAG}\b", text, re.IGNORECASE):
        return "holds a context that was recalled, not said"
    words = content_words(text)
    return f"says only {' '.join(words) or 'nothing'}" if len(words) < TELLING else None


def _repeated(notes: Iterable[Note]) -> Iterable[Flawed]:
    """All but the first of notes with equal text; an episode repeats none, since two sessions may look alike."""
    first: dict[tuple[str, str, str], Note] = {}
    for note in notes:
        if note.tier is Tier.EPISODE:
            continue
        key = (note.project or "", normalise_title(note.title), normalise_title(note.body))
        original = first.setdefault(key, note)
        if original is not note and not are_kept_apart(original, note):
            yield Flawed(note.id, Flaw.DUPLICATE, f"the same text as {short_id(original.id)}")


def flaws_of_plan(
    merged: Mapping[str, str], contradicting: Iterable[tuple[str, str]], stale: Mapping[str, str]
) -> list[Flawed]:
    """What a consolidation would merge (lost to kept), reports as contradicting, and would mark stale with a reason."""
    found = [
        Flawed(lost, Flaw.DUPLICATE, f"says the same as {short_id(kept)}") for lost, kept in sorted(merged.items())
    ]
    for a, b in contradicting:
        found += [Flawed(x, Flaw.CONTRADICTION, f"against {short_id(y)}") for x, y in ((a, b), (b, a))]
    return found + [Flawed(ident, Flaw.STALE, reason) for ident, reason in sorted(stale.items())]

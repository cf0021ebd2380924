"""Taking notes that somebody wrote: redact, give them an identity, drop what the vault has, one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from seci.core.dedupe import NoteIndex
from seci.core.note import Namespace, Note, NoteType, Provenance, Tier, note_id
from seci.core.ports import NoteStore, Redactor, Transaction
from seci.core.session import Failure
from seci.flows.distill import DistillReport, WrittenNote


class Handed(Protocol):
    """A note as it was handed in."""

    @property
    def title(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def namespace(self) -> Namespace: ...
    @property
    def tier(self) -> Tier: ...
    @property
    def type(self) -> NoteType: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def created(self) -> datetime | None: ...
    @property
    def importance(self) -> float: ...
    @property
    def confidence(self) -> float: ...
    @property
    def sources(self) -> tuple[Provenance, ...]: ...


@dataclass(frozen=True, slots=True)
class Giver:
    """Who hands notes in: recorded as their source where they name none. `project` is that of the directory."""

    source: Provenance
    project: str | None
    now: datetime
    known_turns: Callable[[str], frozenset[int]]  # archived turns of a session key; empty where it is not archived


def take_notes(
    handed: Sequence[Handed],
    failures: Sequence[Failure],
    giver: Giver,
    redactor: Redactor,
    store: NoteStore,
    transaction: Transaction,
    *,
    dry_run: bool = False,
) -> DistillReport:
    """Writes the notes that are new, as one commit. A note that cites turns which its session does not have is a
    failure; where any note failed, the others are written all the same."""
    written: list[WrittenNote] = []
    wrong = list(failures)
    redactions: dict[str, int] = {}
    changes: dict[str, str | None] = {}
    repeated = 0
    with transaction.hold():
        existing = NoteIndex()
        taken: set[str] = set()
        for item in store.notes():
            if not isinstance(item, Failure):
                existing.add(item.note)
                taken.add(item.path)
        for number, draft in enumerate(handed, start=1):
            if (reason := _uncited(draft, giver)) is not None:
                wrong.append(Failure(f"note {number}, sources", reason))
                continue
            note, counts = _build(draft, giver, redactor)
            for kind, count in counts.items():
                redactions[kind] = redactions.get(kind, 0) + count
            if existing.has(note):
                repeated += 1
                continue
            existing.add(note)
            path, text = store.render(note)
            path = _free(path, taken)
            taken.add(path)
            changes[path] = text
            written.append(WrittenNote(path, note))
        commit = transaction.write(changes, _message(written, giver)) if changes and not dry_run else None
    return DistillReport(
        notes=tuple(written), repeated=repeated, failures=tuple(wrong), redactions=redactions, commit=commit
    )


def _free(path: str, taken: set[str]) -> str:
    """The path, with a number where a note of another day has the same title and source, and so the same name."""
    stem = path.removesuffix(".md")
    names = (path, *(f"{stem}-{number}.md" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _uncited(draft: Handed, giver: Giver) -> str | None:
    for source in draft.sources:
        known = giver.known_turns(source.session)
        if known and (missing := [turn for turn in source.turns if turn not in known]):
            return f"{source.session} has no turn {missing[0]}; its turns run from {min(known)} to {max(known)}"
    return None


def _build(draft: Handed, giver: Giver, redactor: Redactor) -> tuple[Note, dict[str, int]]:
    counts: dict[str, int] = {}

    def clean(text: str) -> str:
        redacted = redactor.redact(text)
        for kind, count in redacted.counts.items():
            counts[kind] = counts.get(kind, 0) + count
        return redacted.text

    title, body = clean(draft.title), clean(draft.body)
    created = (draft.created or giver.now).astimezone(UTC).replace(microsecond=0)
    sources = draft.sources or (giver.source,)
    note = Note(
        id=note_id(created, sources, title),
        title=title,
        body=body,
        namespace=draft.namespace,
        tier=draft.tier,
        type=draft.type,
        tags=draft.tags,
        project=giver.project,
        created=created,
        updated=created,
        valid_from=created.date(),
        importance=draft.importance,
        confidence=draft.confidence,
        sources=sources,
    )
    return note, counts


def _message(written: Sequence[WrittenNote], giver: Giver) -> str:
    subject = f"Take {len(written)} notes" if len(written) != 1 else f"Take a note: {written[0].note.title}"
    body = "\n".join(f"- {w.note.namespace.value}: {w.note.title}" for w in written)
    return f"{subject[:72]}\n\n{body}\n\nSeci-Verb: distill\nSeci-Session: {giver.source.session}\n"

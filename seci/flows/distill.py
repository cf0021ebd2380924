"""Externalisation: sessions become notes.

    sessions -> redact -> unite with what is archived -> router admits turns -> distiller drafts -> dedupe against the
    vault -> one transaction (journal, files, commit)

Nothing here knows a format, a model or git: the steps are ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from seci.core.dedupe import NoteIndex
from seci.core.note import Draft, Note, Provenance, note_id
from seci.core.ports import Distiller, Ledger, NoteStore, Router, Transaction, WriteLock
from seci.core.session import Failure, Session, last_time, unite_sessions


@dataclass(frozen=True, slots=True)
class DistillSteps:
    """The adapters of one run. `redact` gives a session without secrets, private spans and injected context, and what
    was replaced, by kind; `project_of` names a session's project; `router` None admits every turn."""

    redact: Callable[[Session], tuple[Session, Mapping[str, int]]]
    ledger: Ledger
    notes: NoteStore
    distiller: Distiller
    transaction: Transaction
    lock: WriteLock
    project_of: Callable[[Session], str | None]
    router: Router | None = None


@dataclass(frozen=True, slots=True)
class WrittenNote:
    path: str
    note: Note


@dataclass(frozen=True, slots=True)
class DistillReport:
    """What one run did. `sessions` and `turns` count what was new; `skipped` counts sessions that held nothing new;
    `repeated` counts drafts that the vault already had."""

    sessions: int = 0
    turns: int = 0
    notes: tuple[WrittenNote, ...] = ()
    skipped: int = 0
    repeated: int = 0
    failures: tuple[Failure, ...] = ()
    redactions: Mapping[str, int] = field(default_factory=dict)
    commit: str | None = None


def distill(
    items: Iterable[Session | Failure],
    steps: DistillSteps,
    *,
    dry_run: bool = False,
    readmit: bool = False,
    progress: Callable[[Session], None] = lambda session: None,
) -> DistillReport:
    """Distills what the vault has not seen of these sessions, as one commit.

    `readmit` also distills archived turns that no note cites, past the router. Raises VaultError when the vault
    cannot be written; a bad item is a failure of the report and the rest goes on.
    """
    sessions, failures = gather_sessions(items)
    redactions: dict[str, int] = {}
    with steps.lock.hold():
        existing = NoteIndex()
        if readmit:
            existing = _note_index(steps.notes)
        work: list[tuple[Session, frozenset[int]]] = []
        for session in sessions:
            clean, counts = steps.redact(session)
            united, fresh = _unseen(clean, steps, existing if readmit else None)
            progress(session)
            if fresh:
                work.append((united, fresh))
                redactions = _sum(redactions, counts)
        if not work:
            return DistillReport(skipped=len(sessions), failures=tuple(failures))
        existing = existing if readmit else _note_index(steps.notes)
        changes: dict[str, str | None] = {}
        written: list[WrittenNote] = []
        repeated = 0
        for session, fresh in work:
            admitted = fresh if readmit or not steps.router else _admitted(session, fresh, steps.router)
            drafts = steps.distiller.distill(session, admitted) if admitted else []
            for note in build_notes(session, drafts, steps.project_of(session)):
                if existing.has(note):
                    repeated += 1
                    continue
                existing.add(note)
                path, text = steps.notes.render(note)
                changes[path] = text
                written.append(WrittenNote(path, note))
            archive, text = steps.ledger.render(session)
            changes[archive] = text
        commit = None if dry_run else steps.transaction.write(changes, render_message(work, written))
    return DistillReport(
        sessions=len(work),
        turns=sum(len(fresh) for _, fresh in work),
        notes=tuple(written),
        skipped=len(sessions) - len(work),
        repeated=repeated,
        failures=tuple(failures),
        redactions=redactions,
        commit=commit,
    )


def gather_sessions(items: Iterable[Session | Failure]) -> tuple[list[Session], list[Failure]]:
    """Sessions in order of their start, those that share a key united; sessions without turns are left out."""
    by_key: dict[str, Session] = {}
    failures: list[Failure] = []
    for item in items:
        if isinstance(item, Failure):
            failures.append(item)
        elif item.turns:
            known = by_key.get(item.key)
            by_key[item.key] = unite_sessions(known, item) if known else item
    ordered = sorted(by_key.values(), key=lambda s: (s.started.timestamp() if s.started else 0.0, s.key))
    return ordered, failures


def build_notes(session: Session, drafts: Sequence[Draft], project: str | None) -> list[Note]:
    """Drafts with their identity: id, time of the last cited turn, project and sources."""
    notes = []
    turns = {turn.index: turn for turn in session.turns}
    for draft in drafts:
        created = last_time([turns[i] for i in draft.turns])
        sources = (Provenance(session.key, tuple(sorted(draft.turns))),)
        notes.append(
            Note(
                id=note_id(created, sources, draft.title),
                title=draft.title,
                body=draft.body,
                namespace=draft.namespace,
                tier=draft.tier,
                type=draft.type,
                tags=draft.tags,
                project=project,
                created=created,
                updated=created,
                valid_from=created.date() if created else None,
                importance=draft.importance,
                confidence=draft.confidence,
                sources=sources,
            )
        )
    return notes


SUBJECT_LENGTH = 72


def render_message(work: Sequence[tuple[Session, frozenset[int]]], written: Sequence[WrittenNote]) -> str:
    """A commit message that reads well in `git log`: what came in, the notes' titles, trailers for the sessions."""
    count = f"{len(written)} note{'' if len(written) == 1 else 's'}"
    if len(work) == 1:
        what = work[0][0].title or next((w.note.title for w in written), work[0][0].key)
        subject = f"Distill {count}: {what}"
    else:
        subject = f"Distill {len(work)} sessions into {count}"
    subject = " ".join(subject.split())
    if len(subject) > SUBJECT_LENGTH:
        subject = subject[: SUBJECT_LENGTH - 1].rsplit(" ", 1)[0] + "…"
    body = "\n".join(f"- {w.note.namespace.value}: {w.note.title}" for w in written)
    trailers = "\n".join(f"Seci-Session: {session.key}" for session, _ in work)
    return "\n\n".join(part for part in (subject, body, f"Seci-Verb: distill\n{trailers}") if part) + "\n"


def _unseen(session: Session, steps: DistillSteps, cited: NoteIndex | None) -> tuple[Session, frozenset[int]]:
    known = steps.ledger.read(session.key)
    united = unite_sessions(known, session) if known else session
    seen = cited.turns(session.key) if cited is not None else steps.ledger.known(session.key)
    return united, frozenset(turn.index for turn in united.turns) - seen


def _admitted(session: Session, fresh: frozenset[int], router: Router) -> frozenset[int]:
    return frozenset(d.index for d in router.decide(session) if d.add) & fresh


def _note_index(store: NoteStore) -> NoteIndex:
    index = NoteIndex()
    for item in store.notes():
        if not isinstance(item, Failure):
            index.add(item.note)
    return index


def _sum(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {kind: a.get(kind, 0) + b.get(kind, 0) for kind in sorted(a.keys() | b.keys())}

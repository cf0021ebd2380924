"""Externalisation: sessions become notes.

    sessions -> redact -> unite with what is archived -> router admits turns -> distiller drafts -> dedupe against the
    vault -> one transaction (journal, files, commit)

Nothing here knows a format, a model or git: the steps are ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from seci.core.dedupe import NoteIndex
from seci.core.note import Draft, Note, Provenance, note_id
from seci.core.ports import Distiller, Ledger, NoteStore, Router, Transaction, WriteLock
from seci.core.session import Failure, Session, last_time, unite_sessions
from seci.errors import NoteFormatError


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
    spent: Mapping[str, object] | None = None  # by a language model: calls, tokens, cost; what was not believed


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
    with steps.lock.hold():
        vault = None if not readmit else _read_vault(steps.notes)
        work = _Work()
        for session in sessions:
            try:
                work.add(_unseen(session, steps, vault))
            except NoteFormatError as error:
                failures.append(Failure(error.subject or session.key, error.reason))
            progress(session)
        if not work.sessions:
            return DistillReport(skipped=len(sessions), failures=tuple(failures))
        draft = _draft(work.sessions, steps, vault or _read_vault(steps.notes), readmit)
        commit = None
        if not dry_run:
            message = render_message(work.sessions, draft.written)
            new = {written.path: None for written in draft.written}
            commit = steps.transaction.write(draft.changes, message, new)
    return DistillReport(
        sessions=len(work.sessions),
        turns=sum(len(fresh) for _, fresh in work.sessions),
        notes=tuple(draft.written),
        skipped=len(sessions) - len(work.sessions),
        repeated=draft.repeated,
        failures=(*failures, *draft.failures),
        redactions=work.redactions,
        commit=commit,
    )


@dataclass(slots=True)
class _Vault:
    """What stands in the vault before the run: its notes, and the paths of files that are none."""

    notes: NoteIndex = field(default_factory=NoteIndex)
    unreadable: dict[str, Failure] = field(default_factory=dict)


@dataclass(slots=True)
class _Work:
    """The sessions that hold something new, each with the numbers of its new turns."""

    sessions: list[tuple[Session, frozenset[int]]] = field(default_factory=list)
    redactions: dict[str, int] = field(default_factory=dict)

    def add(self, seen: tuple[Session, frozenset[int], Mapping[str, int]]) -> None:
        session, fresh, counts = seen
        if fresh:
            self.sessions.append((session, fresh))
            for kind in sorted(counts):
                self.redactions[kind] = self.redactions.get(kind, 0) + counts[kind]


@dataclass(slots=True)
class _Drafted:
    """What a run would write."""

    changes: dict[str, str | None] = field(default_factory=dict)
    written: list[WrittenNote] = field(default_factory=list)
    repeated: int = 0
    failures: list[Failure] = field(default_factory=list)


def _draft(
    work: Sequence[tuple[Session, frozenset[int]]], steps: DistillSteps, vault: _Vault, readmit: bool
) -> _Drafted:
    drafted = _Drafted()
    for session, fresh in work:
        admitted = fresh if readmit or not steps.router else _admitted(session, fresh, steps.router)
        drafts = steps.distiller.distill(session, admitted) if admitted else []
        for note in build_notes(session, drafts, session.project):
            if vault.notes.has(note):
                drafted.repeated += 1
                continue
            path, text = steps.notes.render(note)
            if path in vault.unreadable:
                # The user broke this very note by hand; it is theirs to mend, not ours to replace.
                drafted.failures.append(vault.unreadable[path])
                continue
            vault.notes.add(note)
            drafted.changes[path] = text
            drafted.written.append(WrittenNote(path, note))
        archive, text = steps.ledger.render(session)
        drafted.changes[archive] = text
    return drafted


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


def _unseen(
    session: Session, steps: DistillSteps, vault: _Vault | None
) -> tuple[Session, frozenset[int], Mapping[str, int]]:
    """The session as it may be kept, united with what is archived of it; its new turns; what was redacted, by kind."""
    clean, counts = steps.redact(replace(session, project=steps.project_of(session)))
    known = steps.ledger.read(session.key)
    united = unite_sessions(known, clean) if known else clean
    seen = vault.notes.turns(session.key) if vault is not None else steps.ledger.known(session.key)
    return united, frozenset(turn.index for turn in united.turns) - seen, counts


def _admitted(session: Session, fresh: frozenset[int], router: Router) -> frozenset[int]:
    return frozenset(d.index for d in router.decide(session) if d.add) & fresh


def _read_vault(store: NoteStore) -> _Vault:
    vault = _Vault()
    for item in store.notes():
        if isinstance(item, Failure):
            vault.unreadable[item.path] = item
        else:
            vault.notes.add(item.note)
    return vault

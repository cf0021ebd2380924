"""Externalisation: sessions become notes.

    sessions -> redact -> unite with what is archived -> router admits turns -> distiller drafts -> dedupe against the
    vault -> one transaction (journal, files, commit)

Nothing here knows a format, a model or git: the steps are ports.
"""

from __future__ import annotations

from collections import Counter
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
    was replaced, by kind; `ledger` gives one that knows the archive as it is now; `project_of` names a session's
    project; `router` None admits every turn."""

    redact: Callable[[Session], tuple[Session, Mapping[str, int]]]
    ledger: Callable[[], Ledger]
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

    Drafting can take minutes, so it is done before the vault is locked, and again only for a session of which another
    writer has archived turns meanwhile. `readmit` also distills archived turns that no note cites, past the router.
    Raises VaultError when the vault cannot be written; a bad item is a failure of the report and the rest goes on.
    """
    sessions, failures = gather_sessions(items)
    with steps.lock.hold():
        pass  # what a writer left that was killed is finished or taken back by now
    ledger, vault = steps.ledger(), _read_vault(steps.notes) if readmit else None
    drafted: list[_Drafts] = []
    for session in sessions:
        try:
            drafts = _draft(session, ledger, steps, vault)
        except NoteFormatError as error:
            failures.append(Failure(error.subject or session.key, error.reason))
        else:
            drafted += [drafts] if drafts.fresh else []
        progress(session)
    if not drafted:
        return DistillReport(skipped=len(sessions), failures=tuple(failures))
    with steps.lock.hold():
        ledger, standing = steps.ledger(), _read_vault(steps.notes)
        renewed = (_renew(drafts, ledger, steps, standing if readmit else None) for drafts in drafted)
        drafted = [drafts for drafts in renewed if drafts.fresh]
        plan = _plan(drafted, ledger, steps, standing)
        commit = None
        if plan.changes and not dry_run:
            message = render_message([(drafts.session, drafts.fresh) for drafts in drafted], plan.written)
            new = {written.path: None for written in plan.written}
            commit = steps.transaction.write(plan.changes, message, new)
    redactions: Counter[str] = Counter()
    for drafts in drafted:
        redactions.update(drafts.redactions)
    return DistillReport(
        sessions=len(drafted),
        turns=sum(len(drafts.fresh) for drafts in drafted),
        notes=tuple(plan.written),
        skipped=len(sessions) - len(drafted),
        repeated=plan.repeated,
        failures=(*failures, *plan.failures),
        redactions=dict(sorted(redactions.items())),
        commit=commit,
    )


@dataclass(slots=True)
class _Vault:
    """What stands in the vault before the run: its notes, and the paths of files that are none."""

    notes: NoteIndex = field(default_factory=NoteIndex)
    unreadable: dict[str, Failure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Drafts:
    """A session without secrets, united with what is archived of it, the numbers of its new turns, and what the
    distiller made of them. `clean` is the session without what is archived."""

    clean: Session
    session: Session
    fresh: frozenset[int]
    drafts: Sequence[Draft]
    redactions: Mapping[str, int]


@dataclass(slots=True)
class _Plan:
    """What a run would write."""

    changes: dict[str, str | None] = field(default_factory=dict)
    written: list[WrittenNote] = field(default_factory=list)
    repeated: int = 0
    failures: list[Failure] = field(default_factory=list)


def _draft(session: Session, ledger: Ledger, steps: DistillSteps, vault: _Vault | None) -> _Drafts:
    """With a vault all turns are new that none of its notes cites."""
    clean, redactions = steps.redact(replace(session, project=steps.project_of(session)))
    united, fresh = _unseen(clean, ledger, vault)
    return _Drafts(clean, united, fresh, _distill(united, fresh, steps, vault is not None), redactions)


def _renew(drafts: _Drafts, ledger: Ledger, steps: DistillSteps, vault: _Vault | None) -> _Drafts:
    """The same, or drafted again where another writer was there first."""
    united, fresh = _unseen(drafts.clean, ledger, vault)
    if (united, fresh) == (drafts.session, drafts.fresh):
        return drafts
    return replace(drafts, session=united, fresh=fresh, drafts=_distill(united, fresh, steps, vault is not None))


def _distill(session: Session, fresh: frozenset[int], steps: DistillSteps, everything: bool) -> Sequence[Draft]:
    admitted = fresh if everything or not steps.router or not fresh else _admitted(session, fresh, steps.router)
    return steps.distiller.distill(session, admitted) if admitted else []


def _plan(work: Sequence[_Drafts], ledger: Ledger, steps: DistillSteps, vault: _Vault) -> _Plan:
    plan = _Plan()
    for one in work:
        for note in build_notes(one.session, one.drafts, one.session.project):
            if vault.notes.has(note):
                plan.repeated += 1
                continue
            path, text = steps.notes.render(note)
            if path in vault.unreadable:
                # The user broke this very note by hand; it is theirs to mend, not ours to replace.
                plan.failures.append(vault.unreadable[path])
                continue
            vault.notes.add(note)
            plan.changes[path] = text
            plan.written.append(WrittenNote(path, note))
        archive, text = ledger.render(one.session)
        plan.changes[archive] = text
    return plan


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


def _unseen(clean: Session, ledger: Ledger, vault: _Vault | None) -> tuple[Session, frozenset[int]]:
    """The session united with what is archived of it, and its new turns."""
    known = ledger.read(clean.key)
    united = unite_sessions(known, clean) if known else clean
    seen = vault.notes.turns(clean.key) if vault is not None else ledger.known(clean.key)
    return united, frozenset(turn.index for turn in united.turns) - seen


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

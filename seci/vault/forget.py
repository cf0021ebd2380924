"""Forgetting: a note leaves with the passages it came from, and neither comes back with the next distilling.

The turns keep their place in the archive, their words do not. Git's history still has both until it is purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from seci.core.markers import FORGOTTEN
from seci.core.ports import StoredNote, Transaction
from seci.core.session import Role, Session
from seci.errors import UserError
from seci.vault.archive import archive_path, render_session
from seci.vault.files import digest_of, read_bytes
from seci.vault.ledger import ArchiveLedger
from seci.vault.store import FileNoteStore


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is to go: notes by id, turns by session key, and a text wherever it stands (case does not count)."""

    notes: frozenset[str] = frozenset()
    turns: Mapping[str, frozenset[int]] = field(default_factory=dict)
    text: str | None = None

    def matches(self, text: str | None) -> bool:
        return self.text is not None and text is not None and self.text.casefold() in text.casefold()

    def strip(self, session: Session) -> Session:
        """The session without the words that are to go."""
        numbers = self.turns.get(session.key, frozenset())
        turns = tuple(
            replace(turn, text=FORGOTTEN, tools=(), speaker=None if self.matches(turn.speaker) else turn.speaker)
            if turn.index in numbers or any(map(self.matches, (turn.text, turn.speaker, *turn.tools)))
            else turn
            for turn in session.turns
        )
        opening = next((turn.text for turn in turns if turn.role is not Role.ASSISTANT), "")
        # A tool names a session after what was said first. The mark stands for what the source would fill in again.
        title = FORGOTTEN if session.title and opening == FORGOTTEN else self._mark(session.title)
        project, cwd = self._mark(session.project), self._mark(session.cwd)
        return replace(session, turns=turns, title=title, project=project, cwd=cwd)

    def _mark(self, text: str | None) -> str | None:
        return FORGOTTEN if self.matches(text) else text

    def place(self, session: Session, path: str) -> str:
        """Where the stripped session's file goes: elsewhere where its name told what was said first."""
        named = archive_path(self.strip(session))
        return path if named == archive_path(session) else named


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What forgetting would write: path to text, None for a deletion, with the digests it was planned on."""

    forgotten: Forgotten
    notes: tuple[StoredNote, ...]
    passages: int
    changes: Mapping[str, str | None]
    before: Mapping[str, str | None]


def plan_forget(
    store: FileNoteStore, ledger: ArchiveLedger, ids: Iterable[str] = (), text: str | None = None
) -> ForgetPlan:
    """Which notes and passages go: those named (by id, end of an id, or path), or all that hold a text.

    Raises UserError when a text is empty or nothing holds it, VaultError for an id that names no note.
    """
    if text is not None and not text.strip():
        raise UserError("is empty", subject="--match")
    wanted = Forgotten(text=text)
    notes = {stored.path: stored for stored in map(store.get, ids)}
    everyone = [item for item in store.notes() if isinstance(item, StoredNote)]
    if text is not None:
        notes |= {s.path: s for s in everyone if wanted.matches((read_bytes(store.root, s.path) or b"").decode())}
    turns: dict[str, frozenset[int]] = {}
    for source in (source for stored in notes.values() for source in stored.note.sources):
        turns[source.session] = turns.get(source.session, frozenset()) | frozenset(source.turns)
    forgotten = Forgotten(frozenset(stored.note.id for stored in notes.values()), turns, text)
    changes: dict[str, str | None] = dict.fromkeys(notes)
    for stored in everyone:
        freed = _without_links(stored, forgotten.notes)
        if stored.path not in notes and freed:
            changes[stored.path] = store.render(freed.note, stored.path)[1]
    passages = 0
    for key in turns if text is None else ledger.sessions():
        session = ledger.read(key)
        stripped = forgotten.strip(session) if session else None
        if session and stripped and stripped != session:
            passages += sum(a != b for a, b in zip(session.turns, stripped.turns, strict=True))
            path = ledger.path(session)
            changes[path] = None
            changes[forgotten.place(session, path)] = render_session(stripped)
    if not changes:
        raise UserError("no note and no passage holds this", subject=text)
    before = {path: _digest(store, path) for path in changes}
    return ForgetPlan(forgotten, tuple(notes.values()), passages, changes, before)


def write_forget(plan: ForgetPlan, transaction: Transaction) -> str | None:
    """Forgets, in one commit whose message does not repeat what was forgotten."""
    notes, passages = len(plan.notes), plan.passages
    subject = f"Forget {notes} note{'' if notes == 1 else 's'} and {passages} passage{'' if passages == 1 else 's'}"
    return transaction.write(plan.changes, f"{subject}\n\nSeci-Verb: forget\n", plan.before)


def _without_links(stored: StoredNote, gone: frozenset[str]) -> StoredNote | None:
    """The note without references to what goes, None where it has none."""
    note = stored.note
    supersedes = tuple(id_ for id_ in note.supersedes if id_ not in gone)
    successor = None if note.superseded_by in gone else note.superseded_by
    if supersedes == note.supersedes and successor == note.superseded_by:
        return None
    return replace(stored, note=replace(note, supersedes=supersedes, superseded_by=successor))


def _digest(store: FileNoteStore, path: str) -> str | None:
    content = read_bytes(store.root, path)
    return None if content is None else digest_of(content)

"""What recurs: several episodes of one week, and a fix or command that several sessions came to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from seci.core.apart import apart_from, refused_patterns
from seci.core.conflict import read_wording
from seci.core.merging import unite_confidence, unite_sources
from seci.core.note import Namespace, Note, NoteType, Status, Tier, note_id
from seci.core.terms import Kind

RECURS = 3  # sessions
_COMMAND_WORDS = 2  # a command of one word ("make") is no practice


@dataclass(frozen=True, slots=True)
class Rollup:
    """Episodes of one project and ISO week, and the episode that stands for them."""

    ids: tuple[str, ...]
    note: Note


@dataclass(frozen=True, slots=True)
class Proposal:
    """A `patterns` note for a command that solutions of several sessions share."""

    ids: tuple[str, ...]
    note: Note
    command: str
    sessions: int

    @property
    def evidence(self) -> str:
        return f"`{self.command}` in {self.sessions} sessions"


def plan_rollups(notes: Sequence[Note]) -> list[Rollup]:
    """One for each project and week with two active episodes or more, in order of time. An episode that is kept apart
    from another of its week stays by itself."""
    weeks: dict[tuple[str, int, int], list[Note]] = defaultdict(list)
    for note in notes:
        if note.tier is Tier.EPISODE and note.status is Status.ACTIVE and note.created:
            year, week, _ = note.created.isocalendar()
            weeks[(note.project or "", year, week)].append(note)
    joined = {key: _joinable(group) for key, group in sorted(weeks.items())}
    return [_rollup(key, sorted(group, key=_when)) for key, group in joined.items() if len(group) > 1]


def _joinable(episodes: Sequence[Note]) -> list[Note]:
    apart = {ident for note in episodes for ident in apart_from(note)}
    week = {note.id for note in episodes}
    return [note for note in episodes if note.id not in apart and not apart_from(note) & week]


def _when(note: Note) -> tuple[str, str]:
    return (note.created.isoformat() if note.created else "", note.id)


def _rollup(key: tuple[str, int, int], episodes: list[Note]) -> Rollup:
    project, year, week = key
    title = f"{project + ': ' if project else ''}week {week} of {year}"
    sources = unite_sources(episodes)
    parts = [f"**{_when(note)[0][:10]} {note.title}.** {note.body.strip()}" for note in episodes]
    last = episodes[-1]
    return Rollup(
        tuple(note.id for note in episodes),
        Note(
            id=note_id(last.created, sources, title),
            title=title,
            body="\n\n".join(parts),
            namespace=last.namespace,
            tier=Tier.EPISODE,
            type=NoteType.EVENT,
            tags=tuple(dict.fromkeys(tag for note in episodes for tag in note.tags)),
            project=last.project,
            created=episodes[0].created,
            updated=last.updated or last.created,
            valid_from=min((n.valid_from for n in episodes if n.valid_from), default=None),
            importance=max(note.importance for note in episodes),
            confidence=min(note.confidence for note in episodes),
            sources=sources,
            supersedes=tuple(sorted(note.id for note in episodes)),
        ),
    )


def plan_proposals(notes: Sequence[Note]) -> list[Proposal]:
    """One for each command that solutions and commands of at least three sessions name, unless a pattern has it or a
    person has refused it as one."""
    uses: dict[tuple[str, str], list[Note]] = defaultdict(list)
    known: set[tuple[str, str]] = set()
    for note in notes:
        if note.status is not Status.ACTIVE:
            continue
        for command in _commands(note):
            key = (note.project or "", command)
            if note.namespace is Namespace.PATTERNS:
                known.update({key, ("", command)})
            elif command in refused_patterns(note):
                known.add(key)
            elif note.type in (NoteType.SOLUTION, NoteType.COMMAND):
                uses[key].append(note)
    found = []
    for (project, command), group in sorted(uses.items()):
        sessions = {source.session for note in group for source in note.sources}
        if len(sessions) >= RECURS and (project, command) not in known and ("", command) not in known:
            found.append(_proposal(command, sorted(group, key=_when), len(sessions)))
    return found


def _commands(note: Note) -> set[str]:
    terms = read_wording(note).terms
    return {t.key for t in terms if t.kind is Kind.CODE and len(t.key.split()) >= _COMMAND_WORDS}


def _proposal(command: str, group: list[Note], sessions: int) -> Proposal:
    title = f"Recurring: {command}"
    sources = unite_sources(group)
    last = group[-1]
    cases = "\n".join(f"- {note.title} ([[{note.id}]])" for note in group)
    note = Note(
        id=note_id(last.created, sources, title),
        title=title,
        body=f"`{command}` was the answer in {sessions} sessions:\n\n{cases}",
        namespace=Namespace.PATTERNS,
        tier=Tier.PROCEDURE,
        type=NoteType.PATTERN,
        project=last.project,
        created=last.created,
        updated=last.updated or last.created,
        valid_from=last.valid_from,
        importance=max(n.importance for n in group),
        confidence=unite_confidence(group),
        sources=sources,
    )
    return Proposal(tuple(n.id for n in group), note, command, sessions)

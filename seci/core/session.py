"""What a source reads: sessions made of turns.

Turns are numbered from 0 in file order and count text turns only: one user message, or all text of one assistant
message. A number never changes when a session grows, so a dropped branch leaves a gap instead of shifting what
follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from seci.core.markers import FORGOTTEN


class Role(StrEnum):
    """Who speaks. `participant` is a person in a chat that has no assistant (Slack, LoCoMo)."""

    USER = "user"
    ASSISTANT = "assistant"
    PARTICIPANT = "participant"


@dataclass(frozen=True, slots=True)
class Turn:
    """One text turn. `at` is aware UTC or None where the source records no time."""

    index: int
    role: Role
    text: str
    at: datetime | None = None
    speaker: str | None = None
    tools: tuple[str, ...] = ()  # one line for each tool call that followed the text, without its output
    message_id: str | None = None  # the source's own id of the message ("D1:3", a uuid)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation. `key` is what notes cite; `id` is the id that the source itself gave, whole."""

    source: str
    id: str
    turns: tuple[Turn, ...]
    project: str | None = None
    cwd: str | None = None
    title: str | None = None
    parent: str | None = None  # key of the session that started this one (a subagent's)
    path: str | None = field(default=None, compare=False)  # where it was read; never written to the vault

    @property
    def key(self) -> str:
        return f"{self.source}:{self.id}"

    @property
    def started(self) -> datetime | None:
        return next((turn.at for turn in self.turns if turn.at), None)

    @property
    def ended(self) -> datetime | None:
        return max((turn.at for turn in self.turns if turn.at), default=None)

    def turn(self, index: int) -> Turn:
        """The turn with that number. Raises KeyError when the session has no such turn."""
        for turn in self.turns:
            if turn.index == index:
                return turn
        raise KeyError(index)


@dataclass(frozen=True, slots=True)
class Failure:
    """A bad item that was left out: `path` names it (a file, a file and line, a session), `reason` says why."""

    path: str
    reason: str


def last_time(turns: Sequence[Turn]) -> datetime | None:
    """The latest recorded time among turns, None when none is recorded."""
    return max((turn.at for turn in turns if turn.at), default=None)


def unite_sessions(known: Session, other: Session) -> Session:
    """`known` with the turns of `other` that it lacks: two files, or an archive and a file that grew since.

    Known turns keep their numbers. A turn of `other` is the known one where number and role agree and its text or its
    time does, or where role, text and time all do; a new one keeps its number where that is free and comes after
    everything known otherwise, so nothing is lost when a tool continues one session in a second file.
    """
    by_index = {turn.index: turn for turn in known.turns}
    seen = {(turn.role, turn.text, turn.at) for turn in known.turns}
    united = dict(by_index)
    for turn in other.turns:
        twin = by_index.get(turn.index)
        if twin and _same(twin, turn):
            continue
        if twin is None:
            if (turn.role, turn.text, turn.at) not in seen or turn.at is None:
                united[turn.index if turn.index not in united else max(united) + 1] = turn
        elif (turn.role, turn.text, turn.at) not in seen:
            united[max(united) + 1] = turn
    turns = tuple(replace(turn, index=index) for index, turn in sorted(united.items()))
    return replace(
        known,
        turns=turns,
        project=known.project or other.project,
        cwd=known.cwd or other.cwd,
        title=known.title or other.title,
        parent=known.parent or other.parent,
        path=other.path or known.path,
    )


def _same(a: Turn, b: Turn) -> bool:
    same_moment = a.at is not None and a.at == b.at
    return a.role is b.role and (a.text in (b.text, FORGOTTEN) or same_moment)

"""What the benchmark files hold, as haystacks with questions and the units that answer each of them.

A file is read by the parsers of `seci.sources`, so that a benchmark sees what a user's import sees. A question without
evidence that can be found in its haystack is left out: no ranking could answer it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from seci.bench.distill import align_turns, parse_gold
from seci.core.ranking import Unit
from seci.core.session import Failure, Session, unite_sessions
from seci.errors import SourceError
from seci.sources.beam import parse_beam
from seci.sources.locomo import parse_locomo
from seci.sources.longmemeval import parse_longmemeval
from seci.sources.questions import Haystack, Question
from seci.sources.registry import Registry

UNITS = {"locomo": Unit.SESSION, "longmemeval": Unit.SESSION, "beam": Unit.TURN, "sessions": Unit.TURN}


class Place(NamedTuple):
    """A unit of a haystack: a session by its key, or one turn of it."""

    session: str
    turn: int | None = None

    def __str__(self) -> str:
        return self.session if self.turn is None else f"{self.session}#{self.turn}"


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the units that answer it, never none; `asked` is when it was asked, where the file says so."""

    id: str
    text: str
    type: str
    gold: frozenset[Place]
    asked: datetime | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """One haystack, searched by itself: its sessions, each key once, and the questions about it."""

    id: str
    sessions: tuple[Session, ...]
    cases: tuple[Case, ...]


def read_locomo(files: Iterable[Path], *, pooled: bool = False) -> Iterator[Corpus]:
    """A corpus a conversation, all questions with evidence, adversarial ones included; or, pooled, all conversations
    as one corpus without the adversarial questions, whose answers are made up from another speaker's words."""
    haystacks = (haystack for file in files for haystack in _sound(parse_locomo(file)))
    corpora = (build_corpus(haystack, haystack.questions, Unit.SESSION) for haystack in haystacks)
    if not pooled:
        yield from corpora
        return
    found = list(corpora)
    if found:
        sessions = tuple(session for corpus in found for session in corpus.sessions)
        cases = tuple(case for corpus in found for case in corpus.cases if case.type != "adversarial")
        yield Corpus("pooled", sessions, cases)


def read_longmemeval(files: Iterable[Path], *, abstention: bool = False) -> Iterator[Corpus]:
    """A corpus a haystack; neighbouring questions that share one are asked together. One haystack at a time in memory.

    With `abstention`, questions that the haystack does not answer count too: the file names the sessions that come
    close as their evidence.
    """
    pending: Corpus | None = None
    for haystack in (haystack for file in files for haystack in _sound(parse_longmemeval(file))):
        corpus = build_corpus(haystack, [q for q in haystack.questions if abstention or not q.abstain], Unit.SESSION)
        if pending is not None and pending.sessions == corpus.sessions:
            pending = replace(pending, cases=pending.cases + corpus.cases)
            continue
        if pending is not None and pending.cases:
            yield pending
        pending = corpus
    if pending is not None and pending.cases:
        yield pending


def read_beam(files: Iterable[Path]) -> Iterator[Corpus]:
    """A corpus a conversation; its units are messages. Abstention questions name no message and are left out."""
    for haystack in (haystack for file in files for haystack in _sound(parse_beam(file))):
        yield build_corpus(haystack, haystack.questions, Unit.TURN)


def read_sessions(gold: Path, transcripts: Path, registry: Registry) -> Iterator[Corpus]:
    """All labelled sessions of a folder as one corpus, their questions answered by turns.

    Gold file and transcript share a stem, a gold file alone is passed over; turns are lined up by role and time.
    Raises SourceError naming the file that cannot be read, or the folder where nothing pairs.
    """
    sessions: list[Session] = []
    cases: list[Case] = []
    for file in sorted(gold.glob("*.json")):
        path = next(iter(sorted(transcripts.glob(f"{file.stem}.*"))), None)
        if path is None:
            continue
        session = _read_one(path, registry)
        try:
            labels = parse_gold(file.read_text(encoding="utf-8"))
        except (KeyError, ValueError) as error:
            raise SourceError(f"not a gold file: {error!r}", subject=str(file)) from error
        label_of = align_turns(session.turns, labels.turns)
        sessions.append(session)
        for number, question in enumerate(labels.questions, 1):
            turns = [turn for turn, label in label_of.items() if label in question.turns]
            if turns:
                places = frozenset(Place(session.key, turn) for turn in turns)
                cases.append(Case(f"{file.stem}/q{number}", question.text, "gold", places))
    if not cases:
        raise SourceError(f"no questions with a transcript of the same name in {transcripts}", subject=str(gold))
    yield Corpus("sessions", _distinct(sessions), tuple(cases))


def build_corpus(haystack: Haystack, questions: Sequence[Question], unit: Unit) -> Corpus:
    """The haystack with those of the questions whose evidence it holds, as units of that kind."""
    keys = {session.id: session.key for session in haystack.sessions}
    turns = {
        turn.message_id: Place(session.key, turn.index)
        for session in haystack.sessions
        for turn in session.turns
        if turn.message_id
    }
    cases = []
    for question in questions:
        if unit is Unit.SESSION:
            gold = frozenset(Place(keys[name]) for name in question.evidence_sessions if name in keys)
        else:
            gold = frozenset(turns[name] for name in question.evidence_messages if name in turns)
        if gold:
            cases.append(Case(question.id, question.text, question.type, gold, question.asked))
    return Corpus(haystack.id, _distinct(haystack.sessions), tuple(cases))


def _sound(items: Iterable[Haystack | Failure]) -> Iterator[Haystack]:
    """A benchmark on part of a file would not be that benchmark: a bad item ends it, as a SourceError."""
    for item in items:
        if isinstance(item, Failure):
            raise SourceError(item.reason, subject=item.path)
        yield item


def _distinct(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """Some haystacks hold a session twice under one id; it is one session here, as in a vault."""
    by_key: dict[str, Session] = {}
    for session in sessions:
        known = by_key.get(session.key)
        by_key[session.key] = unite_sessions(known, session) if known else session
    return tuple(by_key.values())


def _read_one(path: Path, registry: Registry) -> Session:
    for item in registry.read([path]):
        if isinstance(item, Session):
            return item
        raise SourceError(item.reason, subject=item.path)
    raise SourceError("holds no session", subject=str(path))

"""LongMemEval (`longmemeval_s_cleaned.json` and its kin): an array of questions, each with its own haystack.

Fields as in the dataset's repository (xiaowu0162/LongMemEval): the three haystack arrays are parallel and in
no order; `has_answer` marks the turns that answer; an id that ends in `_abs` is a question without an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Session
from seci.sources.base import BaseSource
from seci.sources.documents import array_items
from seci.sources.lines import read_head
from seci.sources.questions import Haystack, Question
from seci.sources.roles import parse_role
from seci.sources.turns import TurnList, as_list, as_str


class LongMemEvalSource(BaseSource):
    """As sessions: each haystack session once, however many questions share it."""

    name = "longmemeval"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or bundle.suffix != ".json":
            return Claim.NONE
        head = read_head(bundle)
        known = b'"question_id"' in head and b'"haystack_' in head
        return Claim.SPECIFIC if known and head.lstrip()[:1] == b"[" else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        seen: set[str] = set()
        for haystack in parse_longmemeval(bundle):
            if isinstance(haystack, Failure):
                yield haystack
                continue
            for session in haystack.sessions:
                if session.id not in seen:
                    seen.add(session.id)
                    yield session


def parse_longmemeval(path: Path) -> Iterator[Haystack | Failure]:
    """One haystack of one question for each item, one item at a time in memory; works on the 270 MB
    original."""
    for number, item in enumerate(array_items(path), 1):
        if isinstance(item, Failure):
            yield item
        elif not isinstance(item, dict) or not isinstance(item.get("question_id"), str):
            yield Failure(f"{path}: item {number}", "is not a question with an id")
        else:
            yield parse_item(item, path)


def parse_item(item: dict[str, Any], path: Path | None = None) -> Haystack:
    """A question and its haystack, from one object of the array."""
    named = as_list(item.get("haystack_session_ids"))
    ids = [as_str(str(name)) or f"{item['question_id']}/{position}" for position, name in enumerate(named)]
    dates, contents = as_list(item.get("haystack_dates")), as_list(item.get("haystack_sessions"))
    sessions: list[Session] = []
    answering: list[str] = []
    for position, (name, content) in enumerate(zip(ids, contents, strict=False)):
        at = parse_date(dates[position]) if position < len(dates) else None
        session, marked = _session(name, as_list(content), at, path)
        answering += marked
        if session:
            sessions.append(session)
    question = item["question_id"]
    answer = item.get("answer")
    return Haystack(
        question,
        tuple(sessions),
        (
            Question(
                id=question,
                text=as_str(item.get("question")) or "",
                type=as_str(item.get("question_type")) or "",
                answer=None if answer is None else str(answer),
                evidence_sessions=tuple(str(name) for name in as_list(item.get("answer_session_ids"))),
                evidence_messages=tuple(answering),
                asked=parse_date(item.get("question_date")),
                abstain=question.endswith("_abs"),
            ),
        ),
    )


def parse_date(text: object) -> datetime | None:
    """`2023/05/20 (Sat) 02:21` as UTC; None for anything else."""
    if not isinstance(text, str):
        return None
    day, _, clock = text.partition(" ")
    try:
        return datetime.strptime(f"{day} {clock.rpartition(' ')[2]}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return None


def _session(
    name: str, messages: list[Any], at: datetime | None, path: Path | None
) -> tuple[Session | None, list[str]]:
    """The session, and the ids of its answering turns: `<session>_<position from 1>`, as upstream numbers
    turns."""
    turns = TurnList()
    answering = []
    for position, message in enumerate(messages, 1):
        if not isinstance(message, dict) or not (role := parse_role(message.get("role"))):
            continue
        message_id = f"{name}_{position}"
        said = turns.say(role, as_str(message.get("content")) or "", at=at, message_id=message_id)
        if said and message.get("has_answer") is True:
            answering.append(message_id)
    kept = turns.freeze()
    session = Session(LongMemEvalSource.name, name, kept, path=str(path) if path else None) if kept else None
    return session, answering

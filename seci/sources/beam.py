"""BEAM (mohammadtavakoli78/BEAM) as JSON Lines: a long conversation a line, in batches, with questions.

A batch is a session (`<conversation>/batch_<n>`), a message's number its id; a batch's time is the last
anchor date that was named up to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Session
from seci.sources.base import BaseSource
from seci.sources.lines import json_rows, read_head
from seci.sources.questions import Haystack, Question
from seci.sources.roles import parse_role
from seci.sources.turns import TurnList, as_list, as_str


class BeamSource(BaseSource):
    name = "beam"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or ".jsonl" not in bundle.suffixes:
            return Claim.NONE
        head = read_head(bundle)
        known = all(key in head for key in (b'"conv"', b'"turns"', b'"batch"'))
        return Claim.SPECIFIC if known else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        for haystack in parse_beam(bundle):
            if isinstance(haystack, Failure):
                yield haystack
            else:
                yield from haystack.sessions


def parse_beam(path: Path) -> Iterator[Haystack | Failure]:
    """One haystack for each conversation."""
    for item in json_rows(path):
        if isinstance(item, Failure):
            yield item
        elif isinstance(item[1].get("turns"), list):
            yield parse_item(item[1], as_str(item[1].get("conv")) or f"line-{item[0]}", path)
        else:
            yield Failure(f"{path}:{item[0]}", "has no turns")


def parse_item(item: dict[str, Any], conversation: str, path: Path | None = None) -> Haystack:
    """A conversation and its questions, from one line."""
    batches: dict[int, TurnList] = {}
    session_of: dict[str, str] = {}
    at: datetime | None = None
    for message in as_list(item.get("turns")):
        if not isinstance(message, dict) or not (role := parse_role(message.get("role"))):
            continue
        batch = message.get("batch")
        batch = batch if isinstance(batch, int) else 0
        at = parse_anchor(message.get("time_anchor")) or at
        name = str(message.get("id"))
        turns = batches.setdefault(batch, TurnList())
        if turns.say(role, as_str(message.get("content")) or "", at=at, message_id=name):
            session_of[name] = f"{conversation}/batch_{batch}"
    sessions = tuple(
        Session(BeamSource.name, f"{conversation}/batch_{batch}", turns.freeze(), path=str(path) if path else None)
        for batch, turns in sorted(batches.items())
        if len(turns)
    )
    questions = tuple(
        _question(query, f"{conversation}/q{position}", session_of)
        for position, query in enumerate(as_list(item.get("queries")), 1)
        if isinstance(query, dict) and as_str(query.get("question"))
    )
    return Haystack(conversation, sessions, questions)


def parse_anchor(text: object) -> datetime | None:
    """`March-15-2024` as midnight UTC; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return datetime.strptime(text.strip(), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _question(query: dict[str, Any], name: str, session_of: dict[str, str]) -> Question:
    evidence = tuple(str(message) for message in as_list(query.get("source_chat_ids")))
    answer = query.get("answer")
    kind = as_str(query.get("type")) or ""
    return Question(
        id=name,
        text=query["question"],
        type=kind,
        answer=None if answer is None else str(answer),
        evidence_sessions=tuple(dict.fromkeys(session_of[m] for m in evidence if m in session_of)),
        evidence_messages=evidence,
        abstain=kind == "abstention",
    )

"""LoCoMo (`locomo10.json`, snap-research/locomo): conversations of two people over many sessions, with
questions.

Categories as the dataset's evaluation code names them. A shared picture counts with its caption, as the
dataset's own prompts give it; `dia_id` (`D1:3`) is the turn's message id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import array_items
from seci.sources.lines import read_head
from seci.sources.questions import Haystack, Question
from seci.sources.turns import TurnList, as_dict, as_list, as_str

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d{1,6})")
_EVIDENCE = re.compile(r"D:?(\d{1,6}):(\d{1,6})")


class LocomoSource(BaseSource):
    """As sessions: `<sample>/session_<n>`."""

    name = "locomo"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or bundle.suffix != ".json":
            return Claim.NONE
        head = read_head(bundle)
        known = b'"dia_id"' in head or (b'"qa"' in head and b'"evidence"' in head)
        return Claim.SPECIFIC if known and head.lstrip()[:1] == b"[" else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        for haystack in parse_locomo(bundle):
            if isinstance(haystack, Failure):
                yield haystack
            else:
                yield from haystack.sessions


def parse_locomo(path: Path) -> Iterator[Haystack | Failure]:
    """One haystack for each conversation, its sessions in order of their number."""
    for number, item in enumerate(array_items(path), 1):
        if isinstance(item, Failure):
            yield item
        elif not isinstance(item, dict) or not isinstance(item.get("conversation"), dict):
            yield Failure(f"{path}: item {number}", "has no conversation")
        else:
            yield parse_item(item, as_str(item.get("sample_id")) or f"conv-{number}", path)


def parse_item(item: dict[str, Any], sample: str, path: Path | None = None) -> Haystack:
    """A conversation and its questions, from one object of the array."""
    conversation = as_dict(item.get("conversation"))
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    sessions = []
    session_of: dict[str, str] = {}
    for number in numbers:
        session = _session(conversation, number, sample, path)
        if session:
            sessions.append(session)
            session_of |= {turn.message_id: session.id for turn in session.turns if turn.message_id}
    questions = [
        _question(qa, f"{sample}/q{position}", session_of)
        for position, qa in enumerate(as_list(item.get("qa")), 1)
        if isinstance(qa, dict) and as_str(qa.get("question"))
    ]
    return Haystack(sample, tuple(sessions), tuple(questions))


def parse_date(text: object) -> datetime | None:
    """`1:56 pm on 8 May, 2023` as UTC; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return datetime.strptime(" ".join(text.split()), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def parse_evidence(evidence: object) -> tuple[str, ...]:
    """Turn ids as the turns carry them; the file also has `D8:6; D9:17` in one string, `D:11:26` and a bare
    `D`."""
    found = [match for text in as_list(evidence) if isinstance(text, str) for match in _EVIDENCE.findall(text)]
    return tuple(dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in found))


def _session(conversation: dict[str, Any], number: int, sample: str, path: Path | None) -> Session | None:
    at = parse_date(conversation.get(f"session_{number}_date_time"))
    turns = TurnList()
    for message in as_list(conversation.get(f"session_{number}")):
        if not isinstance(message, dict):
            continue
        caption = as_str(message.get("blip_caption"))
        texts = [as_str(message.get("text")), f"[shared a picture: {caption}]" if caption else None]
        turns.say(
            Role.PARTICIPANT,
            "\n".join(text for text in texts if text),
            at=at,
            speaker=as_str(message.get("speaker")),
            message_id=as_str(message.get("dia_id")),
        )
    kept = turns.freeze()
    name = f"{sample}/session_{number}"
    return Session(LocomoSource.name, name, kept, path=str(path) if path else None) if kept else None


def _question(qa: dict[str, Any], name: str, session_of: dict[str, str]) -> Question:
    category = qa.get("category")
    answer = qa.get("answer")
    evidence = parse_evidence(qa.get("evidence"))
    sessions = dict.fromkeys(session_of[turn] for turn in evidence if turn in session_of)
    return Question(
        id=name,
        text=qa["question"],
        type=CATEGORIES.get(category, str(category)) if isinstance(category, int) else "",
        answer=None if answer is None else str(answer),
        evidence_sessions=tuple(sessions),
        evidence_messages=evidence,
        abstain=category == 5,
    )

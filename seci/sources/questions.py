"""What a benchmark file holds beside its sessions: questions, and which turns answer them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from seci.core.session import Session


@dataclass(frozen=True, slots=True)
class Question:
    """`evidence_sessions` are session ids, `evidence_messages` the `message_id`s of turns; both are empty
    where the dataset names none. `abstain` marks a question that the sessions do not answer."""

    id: str
    text: str
    type: str
    answer: str | None
    evidence_sessions: tuple[str, ...] = ()
    evidence_messages: tuple[str, ...] = ()
    asked: datetime | None = None
    abstain: bool = False


@dataclass(frozen=True, slots=True)
class Haystack:
    """The sessions that a group of questions is asked about."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

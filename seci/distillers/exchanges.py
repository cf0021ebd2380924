"""A session cut into exchanges: what a user said and all that was answered before they spoke again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seci.core.session import Role, Session, Turn
from seci.distillers.language import Cues


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user's turn (None where the session begins with the assistant) and the answers to it.

    `approves` marks a user's turn that only agrees to the proposal before it ("yes", "do both")."""

    asked: Turn | None
    answers: tuple[Turn, ...]
    approves: bool = False


def parse_exchanges(session: Session, cues: Cues) -> list[Exchange]:
    """The exchanges in order. Interruption marks are left out; a repeated user message is kept once, the last."""
    found: list[Exchange] = []
    asked: Turn | None = None
    answers: list[Turn] = []
    for turn in session.turns:
        if cues.whole("interrupted", turn.text[:80]):
            continue
        if turn.role is Role.ASSISTANT:
            answers.append(turn)
            continue
        if asked is not None or answers:
            found.append(_exchange(asked, answers, cues))
        asked, answers = turn, []
    if asked is not None or answers:
        found.append(_exchange(asked, answers, cues))
    return _without_repeats(found)


def _exchange(asked: Turn | None, answers: Sequence[Turn], cues: Cues) -> Exchange:
    approves = asked is not None and len(asked.text) < 80 and bool(cues.whole("approvals", asked.text))
    return Exchange(asked, tuple(answers), approves)


def _without_repeats(exchanges: Sequence[Exchange]) -> list[Exchange]:
    kept: list[Exchange] = []
    for exchange in exchanges:
        previous = kept[-1] if kept else None
        if (
            previous is not None
            and previous.asked is not None
            and exchange.asked is not None
            and not previous.answers
            and previous.asked.text.split()[:6] == exchange.asked.text.split()[:6]
        ):
            kept.pop()
        kept.append(exchange)
    return kept

"""Topics: the exchanges about one thing, with the approvals that follow a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seci.core.session import Role, Turn
from seci.distillers.exchanges import Exchange


@dataclass(frozen=True, slots=True)
class Topic:
    """One or more exchanges about one thing: a question, the answer, and the approvals that follow it."""

    asked: Turn | None
    answers: tuple[Turn, ...]
    order: int
    approvals: tuple[Turn, ...] = ()
    proposal: Turn | None = None  # the answer just before, which a choice picks from
    question: Turn | None = None  # what that answer answered


def join_approvals(exchanges: Sequence[Exchange]) -> list[Topic]:
    """Topics: an exchange that only approves belongs to the proposal before it."""
    topics: list[Topic] = []
    for order, exchange in enumerate(exchanges):
        if exchange.approves and topics and exchange.asked is not None:
            last = topics[-1]
            topics[-1] = Topic(
                last.asked,
                last.answers + exchange.answers,
                last.order,
                (*last.approvals, exchange.asked),
                last.proposal,
                last.question,
            )
        else:
            before = topics[-1] if topics else None
            proposal = before.answers[-1] if before and before.answers else None
            topics.append(
                Topic(exchange.asked, exchange.answers, order, (), proposal, before.asked if before else None)
            )
    return topics


def speaker(turn: Turn | None) -> str:
    """Who speaks, as the subject of a sentence."""
    if turn is None or turn.role is Role.USER or not turn.speaker:
        return "The user"
    return turn.speaker[:1].upper() + turn.speaker[1:]

"""Builds the small sessions that the distiller tests speak about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from seci.core.note import Draft
from seci.core.session import Role, Session, Turn
from seci.distillers.rules import RulesDistiller

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def session_of(*turns: tuple[str, str], source: str = "test") -> Session:
    """A session from (role or speaker, text) pairs, a minute apart."""
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT}
    return Session(
        source,
        "s1",
        tuple(
            Turn(
                index,
                roles.get(who, Role.PARTICIPANT),
                text,
                START + timedelta(minutes=index),
                speaker=None if who in roles else who,
            )
            for index, (who, text) in enumerate(turns)
        ),
    )


def distill(session: Session, fresh: frozenset[int] | None = None) -> list[Draft]:
    """Drafts of a session, all of its turns fresh unless told otherwise."""
    every = frozenset(turn.index for turn in session.turns)
    return RulesDistiller().distill(session, every if fresh is None else fresh)

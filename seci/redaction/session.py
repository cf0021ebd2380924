"""Redacting a whole session, purely over the port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from seci.core.ports import Redactor
from seci.core.session import Session, Turn


def redact_session(session: Session, redactor: Redactor) -> tuple[Session, Mapping[str, int]]:
    """The session without secrets, and how many of each kind were found in all its parts.

    Texts, tool lines, speakers, title, project and working directory are covered. A turn of which nothing is left is
    dropped; the numbers of the others stay. Ids and times are the source's own and stay as they are.
    """
    counts: Counter[str] = Counter()

    def clean(text: str) -> str:
        result = redactor.redact(text)
        counts.update(result.counts)
        return result.text

    def clean_optional(text: str | None) -> str | None:
        return clean(text) if text else text

    def clean_turn(turn: Turn) -> Turn:
        text = clean(turn.text)
        tools = tuple(clean(line) for line in turn.tools)
        speaker = clean_optional(turn.speaker)
        if text == turn.text and tools == turn.tools and speaker == turn.speaker:
            return turn
        return replace(turn, text=text, tools=tools, speaker=speaker)

    turns = tuple((turn, clean_turn(turn)) for turn in session.turns)
    cleaned = replace(
        session,
        turns=tuple(new for old, new in turns if new.text.strip() or new.tools or not old.text.strip()),
        project=clean_optional(session.project),
        cwd=clean_optional(session.cwd),
        title=clean_optional(session.title),
    )
    return cleaned, dict(counts)

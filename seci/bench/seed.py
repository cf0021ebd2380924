"""The four methods of the SECI seed (Rankfor.AI, research/ai-memory-benchmark, 2026) as its published code does them.

Its text and its code differ in three places, and the code is what its figures come from: the hybrid fuses all turns
with the extraction, not user turns; an extraction averages 1,090 characters, not 500; the temporal boost reads dates
as `2023-05-20` where the data has `2023/05/20 (Sat) 02:21`, so it never fires and is left out here. Its search is
approximate (HNSW), ours exact. Where the units are turns, each is a session of one turn; a participant of a chat
without assistant is a user.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.bench.datasets import Case, Place
from seci.bench.tables import Ranked, VectorTable, split_units
from seci.core.ports import Embedder
from seci.core.ranking import Unit
from seci.core.session import Role, Session

CONTEXT_CHARACTERS = 500
QUOTE_CHARACTERS = 200
RRF_K = 60
POOL = 2  # times the depth: how many of each list are fused
BOOST = 0.3
_WORD = re.compile(r"\b\w{3,}\b")


def render_dialogue(session: Session) -> str:
    """`User: ...` and `Assistant: ...`, a turn a line; a participant by name."""
    return "\n".join(f"{turn.speaker or turn.role.value.capitalize()}: {turn.text}" for turn in session.turns)


def render_user(session: Session) -> str:
    """The user's turns, a line each."""
    return "\n".join(turn.text for turn in session.turns if turn.role is not Role.ASSISTANT)


def render_extract(session: Session) -> str:
    """Headings, the date, the start of what the user said, and the start of the first user turn, the last user turn
    and the last assistant turn."""
    users = [turn.text for turn in session.turns if turn.role is not Role.ASSISTANT]
    assistants = [turn.text for turn in session.turns if turn.role is Role.ASSISTANT]
    date = f"{session.started:%Y/%m/%d (%a) %H:%M}" if session.started else ""
    lines = [
        f"# Session {session.id}",
        f"**Date**: {date}",
        "",
        "## User Context",
        " ".join(users)[:CONTEXT_CHARACTERS],
        "",
        "## Key Points",
        *([f"- Topic: {users[0][:QUOTE_CHARACTERS]}"] if users else []),
        *([f"- Follow-up: {users[-1][:QUOTE_CHARACTERS]}"] if len(users) > 1 else []),
        *([f"- Resolution: {assistants[-1][:QUOTE_CHARACTERS]}"] if assistants else []),
    ]
    return "\n".join(lines) + "\n"


class SeedRaw(Ranked):
    """Indexes one vector for each unit: all its turns as one document of "Role: text" lines."""

    def __init__(self, embedder: Embedder) -> None:
        self._table = VectorTable(embedder)

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill((place, render_dialogue(session)) for place, session in split_units(sessions, unit))


class SeedUser(Ranked):
    """Indexes one vector for each unit that holds a user turn: its user turns joined. MemPalace's method, says the
    seed."""

    def __init__(self, embedder: Embedder) -> None:
        self._table = VectorTable(embedder)

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        texts = ((place, render_user(session)) for place, session in split_units(sessions, unit))
        self._table.fill((place, text) for place, text in texts if text.strip())


class SeedExtract(Ranked):
    """Indexes one vector for each unit: its extraction (date, start of the user text, first and last turns)."""

    def __init__(self, embedder: Embedder) -> None:
        self._table = VectorTable(embedder)

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._table.fill((place, render_extract(session)) for place, session in split_units(sessions, unit))


class SeedHybrid:
    """Indexes what `seed-raw` and `seed-extract` do, and keeps the raw texts: fuses the first 2 x depth of both by
    reciprocal rank and multiplies by up to 1.3 for the question's words of three and more letters in the raw text."""

    def __init__(self, embedder: Embedder) -> None:
        self._raw, self._extract = SeedRaw(embedder), SeedExtract(embedder)
        self._texts: dict[Place, str] = {}

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._raw.index(sessions, unit)
        self._extract.index(sessions, unit)
        self._texts = {place: render_dialogue(session).lower() for place, session in split_units(sessions, unit)}

    def rank(self, case: Case, depth: int) -> list[Place]:
        scores: dict[Place, float] = {}
        for method in (self._raw, self._extract):
            for rank, place in enumerate(method.rank(case, POOL * depth), start=1):
                scores[place] = scores.get(place, 0.0) + 1 / (RRF_K + rank)
        words = set(_WORD.findall(case.text.lower()))
        for place in scores:
            overlap = sum(word in self._texts[place] for word in words) / max(len(words), 1)
            scores[place] *= 1 + BOOST * overlap
        return sorted(scores, key=lambda place: -scores[place])[:depth]

    def size(self) -> int:
        return self._raw.size() + self._extract.size() + sum(len(text.encode()) for text in self._texts.values())

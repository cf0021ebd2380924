"""Search puts what tells how things are now above the older statement, and says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from seci.core.chunk import Chunk, Kind, digest_passage
from seci.core.document import Document, Record
from seci.core.ranking import Query, Ranking, Unit
from seci.core.session import Role
from seci.flows.search import Finder, search
from seci.index.memory import MemoryIndex
from seci.index.tables import question_terms

OLDER = "The sprint deadline is 1 April, and the sprint covers the layout and the navigation."
NEWER = "The sprint deadline for the layout is now 5 April."
QUESTION = Query("When is the sprint deadline for the layout and the navigation?", kinds=frozenset({Kind.RAW}))


def document(name: str, month: int, text: str, role: Role, vector: list[float]) -> tuple[Document, np.ndarray]:
    path, at = f"sessions/{name}.md", datetime(2026, month, 1, tzinfo=UTC)
    chunk = Chunk(
        id=f"{path}#0", kind=Kind.RAW, parent=name, path=path, text=text, tokens=12, digest=digest_passage(text),
        turns=(0,), role=role, at=at,
    )  # fmt: skip
    return Document(Record(path, name, Kind.RAW, name, name, created=at), (chunk,)), np.array([vector], np.float32)


def ask(query: Query, newer: str = NEWER, role: Role = Role.USER, older: str = OLDER) -> Ranking:
    index = MemoryIndex()
    index.apply(
        [
            document("old", 1, older, Role.USER, [1.0, 0.0]),
            document("new", 2, newer, role, [0.9, 0.4359]),
            document("other", 3, "The garden is watered in the evening.", Role.USER, [0.0, 1.0]),
        ]
    )
    return search(query, Finder(index, lambda text: np.array([1.0, 0.0], np.float32), question_terms))


def test_the_newer_turn_stands_first_and_its_ranks_say_why() -> None:
    hits = ask(QUESTION).hits
    assert [hit.id for hit in hits] == ["new", "old", "other"]
    assert hits[0].ranks["lifted"] == 1
    assert hits[0].relevance >= hits[1].relevance
    assert "lifted" not in hits[1].ranks


@pytest.mark.parametrize(
    ("query", "newer", "role"),
    [
        (QUESTION, "The sprint deadline for the layout is 5 April.", Role.USER),
        (QUESTION, NEWER, Role.ASSISTANT),
        (replace(QUESTION, text=f"{QUESTION.text[:-1]} originally?"), NEWER, Role.USER),
        (replace(QUESTION, unit=Unit.SESSION), NEWER, Role.USER),
    ],
    ids=["no word of change", "not the user", "asked about the past", "sessions are asked for"],
)
def test_otherwise_the_more_relevant_turn_stays_first(query: Query, newer: str, role: Role) -> None:
    assert [hit.id for hit in ask(query, newer, role).hits][:2] == ["old", "new"]


@pytest.mark.parametrize("unit", [Unit.TURN, Unit.SESSION])
def test_another_figure_stands_first_in_turns_and_sessions(unit: Unit) -> None:
    question = replace(QUESTION, text="How many tasks are in the sprint of the layout and the navigation?", unit=unit)
    newer = "The sprint of the layout and the navigation has 14 tasks."
    older = "The sprint of the layout has 9 tasks, and the sprint of the navigation also."
    hits = ask(question, newer, older=older).hits
    assert [hit.id for hit in hits][:2] == ["new", "old"]
    assert hits[0].ranks["lifted"] == 1
    said = ask(question, newer, Role.ASSISTANT, older=older).hits
    assert [hit.id for hit in said][:2] == ["old", "new"]

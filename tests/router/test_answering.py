"""The answer agent against a scripted endpoint: what it reads, what it is told, how its answers are scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seci.core.session import Role, Session, Turn
from seci.router.answering import HINTS, answer_questions, render_memories, render_question
from seci.router.corpus import Stream, labelled_streams
from seci.router.labels import SessionLabels
from seci.router.questions import Category, Question, read_questions, score_answer
from seci.router.retrieval import Search
from seci.router.teacher import Endpoint

from .conftest import HashedWords, ScriptedServer

SAID = (
    "I adopted a grey cat called Miso",
    "thanks , that is so nice",
    "my sister Ana moved to Porto in spring",
    "the weather is dull today",
)
QUESTIONS = (
    Question("What is the cat called?", Category.SINGLE_HOP, "Miso"),
    Question("Where did Ana move?", Category.MULTI_HOP, "Porto"),
    Question("What is the dog called?", Category.ADVERSARIAL, ""),
)


@pytest.fixture
def stream(embedder: HashedWords) -> Stream:
    at = datetime(2023, 5, 7, 13, 56, tzinfo=UTC)
    turns = tuple(Turn(n, Role.PARTICIPANT, text, at=at, speaker="Mara") for n, text in enumerate(SAID))
    session = Session("made", "talk", turns)
    (made,) = labelled_streams([session], {session.key: SessionLabels(session.key, 4, {})}, embedder)
    return replace(made, questions=tuple((q.text, (0,)) for q in QUESTIONS))


def read_memories(prompt: str) -> str:
    """A model that answers with all it was given."""
    return prompt.partition("Question:")[0]


def test_it_reads_what_was_kept_and_nothing_else(stream: Stream, embedder: HashedWords, server: ScriptedServer) -> None:
    server.reply = lambda prompt: "Miso" if "Miso" in prompt else "not mentioned"
    search = Search(stream, embedder)
    complete = Endpoint(server.url, "reader").complete
    kept = np.array([True, False, False, False])
    report = answer_questions([search], {stream.name: QUESTIONS[:1]}, {stream.name: kept}, complete)
    assert (report.f1, report.stored, report.questions) == (1.0, 0.25, 1)
    assert report.questions_per_second > 0.0
    assert SAID[1] not in server.asked[0].prompt
    lost = answer_questions([search], {stream.name: QUESTIONS[:1]}, {stream.name: ~kept}, complete)
    assert (lost.f1, lost.stored) == (0.0, 0.75)


def test_each_category_gets_its_own_prompt(stream: Stream, embedder: HashedWords, server: ScriptedServer) -> None:
    kept = {stream.name: np.ones(4, bool)}
    search = Search(stream, embedder)
    complete = Endpoint(server.url, "reader").complete
    answer_questions([search], {stream.name: QUESTIONS}, kept, complete)
    assert [HINTS[q.category] in asked.prompt for q, asked in zip(QUESTIONS, server.asked, strict=True)] == [True] * 3
    assert len(set(HINTS.values())) == len(Category)
    server.asked.clear()
    answer_questions([search], {stream.name: QUESTIONS}, kept, complete, hints=False)
    assert not any(hint in asked.prompt for hint in HINTS.values() for asked in server.asked)


def test_memories_are_the_best_sixty_in_the_order_of_time(stream: Stream, embedder: HashedWords) -> None:
    found = Search(stream, embedder, memories=2).keep(np.ones(4, bool)).find("where did my sister Ana move")
    assert found[0] == 2
    assert len(found) == 2
    assert render_memories(stream.turns[:1]) == "[7 May 2023, 13:56] Mara: I adopted a grey cat called Miso"
    prompt = render_question(QUESTIONS[0], stream.turns)
    assert prompt.index("Miso") < prompt.index("Porto") < prompt.index("What is the cat called?")


def test_a_question_without_an_answer_does_not_count(
    stream: Stream, embedder: HashedWords, server: ScriptedServer
) -> None:
    complete = Endpoint(server.url, "busy").complete
    kept = {stream.name: np.ones(4, bool)}
    report = answer_questions([Search(stream, embedder)], {stream.name: QUESTIONS}, kept, complete)
    assert (report.questions, len(report.failures)) == (0, 3)
    assert "429" in report.failures[0].reason


@pytest.mark.parametrize(
    ("category", "expected", "given", "score"),
    [
        (Category.SINGLE_HOP, "the grey cat", "A grey cat.", 1.0),
        (Category.SINGLE_HOP, "grey cat", "a grey dog", 0.5),
        (Category.MULTI_HOP, "Porto, Ghent", "Ghent", 0.5),
        (Category.OPEN_DOMAIN, "yes; she said so", "Yes", 1.0),
        (Category.ADVERSARIAL, "", "That is not mentioned.", 1.0),
        (Category.ADVERSARIAL, "", "Rex", 0.0),
    ],
)
def test_answers_are_scored_by_the_kind_of_question(
    category: Category, expected: str, given: str, score: float
) -> None:
    assert score_answer(Question("?", category, expected), given) == pytest.approx(score)


def locomo(tmp_path: Path) -> Path:
    """A conversation of our own in LoCoMo's layout."""
    turns = [
        {"speaker": "Mara" if n % 2 == 0 else "Jo", "dia_id": f"D1:{n + 1}", "text": text}
        for n, text in enumerate(SAID)
    ]
    item = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Mara",
            "speaker_b": "Jo",
            "session_1_date_time": "1:56 pm on 7 May, 2023",
            "session_1": turns,
        },
        "qa": [
            {"question": "What is the cat called?", "answer": "Miso", "evidence": ["D1:1"], "category": 4},
            {"question": "What is the dog called?", "adversarial_answer": "Rex", "evidence": ["D1:1"], "category": 5},
        ],
        "observation": {"session_1_observation": {"Mara": [["Mara has a cat called Miso.", "D1:1"]]}},
    }
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([item]))
    return path


def test_questions_come_with_their_answers(tmp_path: Path) -> None:
    (first, second) = read_questions(locomo(tmp_path))["conv-1"]
    assert first == Question("What is the cat called?", Category.SINGLE_HOP, "Miso")
    assert (second.category, second.answer) == (Category.ADVERSARIAL, "")
    assert read_questions(tmp_path / "nowhere.json") == {}


@pytest.mark.model
def test_the_command_answers_over_what_is_stored(
    seci: Callable[..., Any], tmp_path: Path, server: ScriptedServer
) -> None:
    server.reply = lambda prompt: "Miso" if "cat called?" in prompt else "not mentioned"
    call = ("router", "answer", locomo(tmp_path), "--base-url", server.url, "--model", "reader", "--budget", "1")
    value = json.loads(seci(*call, "--json").out)
    assert value["f1"] == 1.0
    assert value["by_category"] == {"single_hop": 1.0, "adversarial": 1.0}
    assert (value["questions"], value["stored"], value["failures"]) == (2, 1.0, [])
    assert "2 questions over 100% of the turns" in seci(*call).out

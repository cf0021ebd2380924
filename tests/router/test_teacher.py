"""Labels from a language model: what is asked, what is believed, and what happens when the answer is no use."""

from __future__ import annotations

import json

import pytest

from seci.core.note import NoteType
from seci.core.session import Role, Session, Turn
from seci.errors import ModelError
from seci.router.teacher import Endpoint, label_sessions, parse_answer, render_prompt

from .conftest import ScriptedServer

TURNS = (
    Turn(0, Role.USER, "we use postgres because of jsonb"),
    Turn(1, Role.ASSISTANT, "Let me look."),
    Turn(2, Role.PARTICIPANT, "I moved to Ghent.", speaker="Mara"),
)
ANSWER = json.dumps(
    {
        "turns": [
            {"index": 0, "decision": "ADD", "type": "decision"},
            {"index": 1, "decision": "NOOP", "type": "other"},
            {"index": 2, "decision": "ADD", "type": "moved"},
            {"index": 9, "decision": "ADD", "type": "fact"},
        ]
    }
)


def test_an_answer_is_believed_only_for_the_turns_asked_about() -> None:
    found = parse_answer(f"Sure!\n```json\n{ANSWER}\n```", TURNS)
    assert found == {0: NoteType.DECISION, 1: None, 2: NoteType.OTHER}


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "[1, 2]", '{"turns": 3}', '{"turns": [}'])
def test_an_answer_without_labels_is_refused(answer: str) -> None:
    with pytest.raises(ValueError):
        parse_answer(answer, TURNS)


def test_the_prompt_shows_history_speakers_and_both_ends_of_long_turns() -> None:
    prompt = render_prompt(TURNS[:1], (Turn(1, Role.ASSISTANT, "start " + "x" * 5000 + " end"), TURNS[2]))
    assert prompt.index("Before:") < prompt.index("Turns to label:")
    assert "[2] Mara: I moved to Ghent." in prompt
    assert "start" in prompt
    assert prompt.count("x") < 2000
    assert " end" in prompt


def test_a_window_without_an_answer_stays_unlabelled_and_is_reported() -> None:
    turns = tuple(Turn(number, Role.USER, f"turn {number}") for number in range(14))
    answers = iter(["no idea", json.dumps({"turns": [{"index": 12, "decision": "ADD", "type": "fact"}]})])
    (labels,), failures = label_sessions([Session("t", "1", turns)], lambda instruction, prompt: next(answers))
    assert labels.add == {12: NoteType.FACT}
    assert labels.unlabelled == frozenset({*range(12), 13})
    assert [failure.path for failure in failures] == ["t:1#0"]


def test_an_endpoint_is_asked_as_openai_is(server: ScriptedServer) -> None:
    server.reply = lambda prompt: ANSWER
    (labels,), failures = label_sessions([Session("t", "1", TURNS)], Endpoint(server.url, "teacher", "k3y").complete)
    assert labels.add == {0: NoteType.DECISION, 2: NoteType.OTHER}
    assert not failures
    (asked,) = server.asked
    assert (asked.path, asked.authorization, asked.body["temperature"]) == ("/v1/chat/completions", "Bearer k3y", 0)


@pytest.mark.parametrize(("model", "reason"), [("busy", "429"), ("broken", "no usable answer")])
def test_what_the_endpoint_refuses_is_said(server: ScriptedServer, model: str, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        Endpoint(server.url, model).complete("a", "b")


def test_only_web_addresses_are_asked() -> None:
    with pytest.raises(ModelError, match="http"):
        Endpoint("file:///etc", "x").complete("a", "b")

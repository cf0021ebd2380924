"""Labels and the package's own conversations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seci.core.note import NoteType
from seci.core.session import Role
from seci.errors import ModelError
from seci.router.conversations import parse_conversations, written_conversations
from seci.router.labels import SessionLabels, read_annotations, read_labels, render_labels
from seci.router.workbench import shipped_labels

TALK = """== demo · nl
U +decision we nemen de tweede
A*3 - Ik kijk even.
@Mara +event Ik woon nu in Gent.
  En ik werk in de haven.
"""


def test_labels_survive_a_round_trip(tmp_path: Path) -> None:
    labels = SessionLabels("tool:1", 5, {0: NoteType.FACT, 3: NoteType.PLAN}, frozenset({4}))
    path = tmp_path / "labels.json"
    path.write_text(render_labels([labels]))
    assert read_labels(path) == {"tool:1": labels}
    assert [labels.target(index) for index in range(6)] == [1.0, 0.0, 0.0, 1.0, None, None]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"sessions": [{"session": "a"}]}', '{"sessions": [{"session":"a","turns":1,"add":{"0":"x"}}]}']
)
def test_a_broken_file_of_labels_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(ModelError, match=r"labels\.json"):
        read_labels(path)


def test_a_written_conversation_is_read_with_roles_tools_and_labels() -> None:
    (talk,) = parse_conversations(TALK)
    assert [turn.role for turn in talk.session.turns] == [Role.USER, Role.ASSISTANT, Role.PARTICIPANT]
    assert len(talk.session.turns[1].tools) == 3
    assert talk.session.turns[2].speaker == "Mara"
    assert talk.session.turns[2].text.splitlines()[1] == "En ik werk in de haven."
    assert talk.labels.add == {0: NoteType.DECISION, 2: NoteType.EVENT}
    assert talk.language == "nl"


def test_a_line_that_is_no_turn_is_named() -> None:
    with pytest.raises(ValueError, match="demo:2"):
        list(parse_conversations("== a · en\nwhat is this\n", "demo"))


def test_the_shipped_labels_are_as_many_as_the_docs_say_and_hold_no_text() -> None:
    written = written_conversations()
    real = shipped_labels()
    turns = sum(len(item.session.turns) for item in written) + sum(item.turns for item in real.values())
    assert turns >= 1500
    assert {item.language for item in written} >= {"en", "nl", "de", "fr", "es", "pt", "zh", "ja", "ko"}
    assert len({item.session.id for item in written}) == len(written)
    assert all(set(item.to_json()) <= {"session", "turns", "add", "unlabelled"} for item in real.values())
    assert all(max(item.add, default=0) < item.turns for item in real.values())


def test_locomos_annotations_name_turns_in_all_their_spellings(tmp_path: Path) -> None:
    item = {
        "sample_id": "conv-1",
        "conversation": {},
        "observation": {"session_1_observation": {"A": [["A moved.", "D1:3"], ["A sings.", ["D1:5", "D1:6"]]]}},
        "qa": [
            {"question": "Where?", "evidence": ["D1:3", "D2:4; D3:1"], "category": 1},
            {"question": "Trick?", "evidence": ["D9:9"], "category": 5},
        ],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([item]))
    known = read_annotations(path)["conv-1"]
    assert known.observed == {"D1:3", "D1:5", "D1:6"}
    assert known.evidence == {"D1:3", "D2:4", "D3:1"}
    assert known.target("D1:3", 0.6) == 1.0
    assert known.target("D1:5", 0.6) == pytest.approx(0.4)
    assert known.target("D7:7", 0.6) == 0.0


def test_another_json_file_has_no_annotations(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "hi"}]')
    assert read_annotations(path) == {}

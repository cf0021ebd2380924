"""Labels of turns: how they are kept, and what LoCoMo's annotators say.

Labels name sessions and turn numbers and hold no text. A file is one JSON object:
`{"sessions": [{"session": KEY, "turns": N, "add": {"3": "decision", ...}, "unlabelled": [5]}]}`; the turns below N that
are neither under `add` nor unlabelled are NOOP.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seci.core.note import NoteType
from seci.errors import ModelError

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_ADVERSARIAL = 5


@dataclass(frozen=True, slots=True)
class SessionLabels:
    """One session's labels. `add` is turn number -> content type."""

    session: str
    turns: int
    add: Mapping[int, NoteType]
    unlabelled: frozenset[int] = field(default_factory=frozenset)

    def target(self, index: int) -> float | None:
        """1 for ADD, 0 for NOOP, None for a turn that nobody labelled."""
        if index >= self.turns or index in self.unlabelled:
            return None
        return float(index in self.add)

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = {
            "session": self.session,
            "turns": self.turns,
            "add": {str(index): kind.value for index, kind in sorted(self.add.items())},
        }
        return value | ({"unlabelled": sorted(self.unlabelled)} if self.unlabelled else {})


def read_labels(path: Path) -> dict[str, SessionLabels]:
    """Session key -> labels. Raises ModelError that names the file and what is wrong with it."""
    try:
        return parse_labels(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", subject=str(path)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"is not a file of labels: {error}", subject=str(path)) from error


def parse_labels(value: Any) -> dict[str, SessionLabels]:
    """Raises ValueError, KeyError, TypeError or AttributeError when the value has another shape."""
    labels = {}
    for item in value["sessions"]:
        add = {int(index): NoteType(kind) for index, kind in item["add"].items()}
        unlabelled = frozenset(int(index) for index in item.get("unlabelled", ()))
        labels[str(item["session"])] = SessionLabels(str(item["session"]), int(item["turns"]), add, unlabelled)
    return labels


def render_labels(labels: Iterable[SessionLabels]) -> str:
    """One line for each session, so that a change shows as such in a diff."""
    lines = [json.dumps(item.to_json(), ensure_ascii=False) for item in sorted(labels, key=lambda item: item.session)]
    return '{"sessions": [\n' + ",\n".join(lines) + "\n]}\n"


@dataclass(frozen=True, slots=True)
class Annotations:
    """What LoCoMo says about the turns of one conversation, as its turn ids (`D1:3`).

    `observed`: turns that an observation cites. `evidence`: turns that answer a question of categories 1 to 4; the
    adversarial ones have no answer in the conversation. `questions`: evidence by question.
    """

    observed: frozenset[str]
    evidence: frozenset[str]
    questions: tuple[tuple[str, frozenset[str]], ...]

    def target(self, message_id: str | None, evidence_share: float) -> float:
        """Between 0 and 1: the teachers' vote, evidence counting `evidence_share` of it."""
        return (1.0 - evidence_share) * (message_id in self.observed) + evidence_share * (message_id in self.evidence)


def read_annotations(path: Path) -> dict[str, Annotations]:
    """Conversation (`conv-26`) -> annotations, of a file in LoCoMo's layout; {} where it is another file."""
    return {name: _annotations(item) for name, item in read_locomo_items(path).items()}


def read_locomo_items(path: Path) -> dict[str, dict[str, Any]]:
    """Conversation (`conv-26`) -> what a file in LoCoMo's layout holds of it; {} where it is another file."""
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(items, list) or not all(isinstance(item, dict) and "conversation" in item for item in items):
        return {}
    return {str(item.get("sample_id")): item for item in items}


def _annotations(item: dict[str, Any]) -> Annotations:
    questions = tuple(
        (str(qa.get("question")), frozenset(_turn_ids(qa.get("evidence"))))
        for qa in item.get("qa", ())
        if qa.get("category") != _ADVERSARIAL
    )
    evidence = frozenset[str]().union(*(turns for _, turns in questions))
    return Annotations(frozenset(_cited(item.get("observation"))), evidence, questions)


def _cited(value: Any) -> Iterable[str]:
    """The turn ids in nested observations: `[sentence, "D1:3"]`, or a list of ids in the second place."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and not _TURN_ID.fullmatch(value[0]):
            yield from _turn_ids(value[1])
        else:
            for inner in value:
                yield from _cited(inner)


def _turn_ids(value: Any) -> Iterable[str]:
    texts = value if isinstance(value, list) else [value]
    for text in texts:
        if isinstance(text, str):
            yield from (f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(text))

"""What a language model is asked to answer, as a JSON schema, and what is wrong with what it answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from seci.core.note import Draft, Namespace, NoteType, Tier

MOST_WORDS = 80
MOST_NOTES = 8
LONGEST_TITLE = 120
FIELDS = ("title", "body", "namespace", "tier", "type", "turns", "importance", "confidence", "tags")

Member = TypeVar("Member", bound=StrEnum)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """`problems` name item and field and say what is allowed; they are sent back for repair. `readable` is False
    where the answer held no array of notes at all."""

    drafts: tuple[Draft, ...]
    problems: tuple[str, ...]
    readable: bool = True


def answer_schema() -> dict[str, Any]:
    """The schema of an answer in the subset that strict structured output takes everywhere: every field required,
    no length limits, no further fields."""
    note = {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "body": {"type": "string"},
            "namespace": {"type": "string", "enum": [member.value for member in Namespace]},
            "tier": {"type": "string", "enum": [member.value for member in Tier]},
            "type": {"type": "string", "enum": [member.value for member in NoteType]},
            "turns": {"type": "array", "items": {"type": "integer"}},
            "importance": {"type": "number"},
            "confidence": {"type": "number"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": list(FIELDS),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"notes": {"type": "array", "items": note}},
        "required": ["notes"],
        "additionalProperties": False,
    }


def parse_answer(text: str, numbers: frozenset[int]) -> Answer:
    """The drafts of an answer, held to the schema and to the turn numbers that exist.

    Models that cannot be held to a schema wrap JSON in prose, fences or thoughts; the first object that has `notes`,
    or the first array, is taken.
    """
    rows = _find_rows(text)
    if rows is None:
        return Answer((), ('the answer is not a JSON object {"notes": [...]}',), readable=False)
    drafts: list[Draft] = []
    problems: list[str] = []
    for place, row in enumerate(rows[: 2 * MOST_NOTES]):
        try:
            drafts.append(_parse_draft(row, numbers))
        except _Wrong as wrong:
            problems.append(f"notes[{place}].{wrong.field}: {wrong.reason}")
    return Answer(tuple(drafts), tuple(problems))


def _find_rows(text: str) -> list[Any] | None:
    plain = _THOUGHTS.sub("", text)
    for candidate in (plain, *(match[1] for match in _FENCE.finditer(plain)), *_objects(plain)):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("notes"), list):
            return list(value["notes"])
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            return list(value)
    return None


def _objects(text: str) -> list[str]:
    """What lies between the first opening and the last closing bracket of either kind."""
    spans = ((text.find(first), text.rfind(last)) for first, last in ("{}", "[]"))
    return [text[start : end + 1] for start, end in spans if 0 <= start < end]


@dataclass(frozen=True, slots=True)
class _Wrong(Exception):
    field: str
    reason: str


def _parse_draft(row: Any, numbers: frozenset[int]) -> Draft:
    if not isinstance(row, dict):
        raise _Wrong("*", "must be an object")
    body = _text(row, "body")
    if (words := len(body.split())) > MOST_WORDS:
        raise _Wrong("body", f"has {words} words; {MOST_WORDS} are the most")
    title = _text(row, "title")
    if len(title) > LONGEST_TITLE:
        raise _Wrong("title", f"has {len(title)} characters; {LONGEST_TITLE} are the most")
    return Draft(
        title=title.rstrip("."),
        body=body,
        namespace=_member(row, "namespace", Namespace),
        tier=_member(row, "tier", Tier),
        type=_member(row, "type", NoteType),
        turns=_turns(row, numbers),
        tags=_tags(row),
        importance=_share(row, "importance", 0.5),
        confidence=_share(row, "confidence", 0.7),
    )


def _text(row: Mapping[str, Any], field: str) -> str:
    value = row.get(field)
    if not isinstance(value, str) or not value.strip():
        raise _Wrong(field, "must be a text that is not empty")
    return " ".join(value.split()) if field == "title" else value.strip()


def _member(row: Mapping[str, Any], field: str, kind: type[Member]) -> Member:
    try:
        return kind(str(row.get(field)))
    except ValueError:
        raise _Wrong(field, f"must be one of {', '.join(member.value for member in kind)}") from None


def _turns(row: Mapping[str, Any], numbers: frozenset[int]) -> tuple[int, ...]:
    value = row.get("turns")
    if not isinstance(value, list) or not value or not all(type(turn) is int for turn in value):
        raise _Wrong("turns", "must be the numbers of the turns that the note rests on")
    if unknown := sorted(set(value) - numbers):
        raise _Wrong("turns", f"{unknown[0]} is not a turn here; there are {min(numbers)} to {max(numbers)}")
    return tuple(sorted(set(value)))


def _tags(row: Mapping[str, Any]) -> tuple[str, ...]:
    value = row.get("tags") or []
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _Wrong("tags", "must be an array of texts")
    return tuple(dict.fromkeys(tag.strip().lower() for tag in value if tag.strip()))[:6]


def _share(row: Mapping[str, Any], field: str, default: float) -> float:
    value = row.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Wrong(field, "must be a number from 0 to 1")
    return float(value)

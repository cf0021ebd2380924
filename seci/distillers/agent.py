"""Notes that an agent, a program or a person wrote: the JSON schema that they follow, and what is wrong with theirs.

The best distiller available is often the model that was there. Its notes are held to the same form as any; an error
names the item and the field and says what is allowed, so that an agent can mend it and send the array again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from seci.core.note import Namespace, NoteType, Provenance, Tier
from seci.core.session import Failure
from seci.errors import UserError

MOST_WORDS = 80
LONGEST_TITLE = 120
LONGEST_BODY = 2000  # characters, for scripts that have no words to count
REQUIRED = ("title", "body", "namespace", "tier", "type")
OPTIONAL = ("tags", "created", "importance", "confidence", "sources")

Member = TypeVar("Member", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class WrittenDraft:
    """A note as it was handed in. `sources` is empty where the writer named none."""

    title: str
    body: str
    namespace: Namespace
    tier: Tier
    type: NoteType
    tags: tuple[str, ...] = ()
    created: datetime | None = None
    importance: float = 0.6
    confidence: float = 0.8
    sources: tuple[Provenance, ...] = ()


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")  # nothing that a markdown file should hold


def notes_schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of the array that `distill --notes` takes."""
    share = {"type": "number", "minimum": 0, "maximum": 1}
    source = {
        "type": "object",
        "required": ["session", "turns"],
        "additionalProperties": False,
        "properties": {
            "session": {"type": "string", "description": "tool:session id, e.g. claude-code:6f1d2c84-…"},
            "turns": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Notes for seci",
        "type": "array",
        "items": {
            "type": "object",
            "required": list(REQUIRED),
            "additionalProperties": False,
            "properties": {
                "title": {"type": "string", "minLength": 1, "maxLength": LONGEST_TITLE, "description": "says it"},
                "body": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_BODY,
                    "description": f"at most {MOST_WORDS} words of whole sentences, understood without the session",
                },
                "namespace": {"enum": [member.value for member in Namespace]},
                "tier": {"enum": [member.value for member in Tier]},
                "type": {"enum": [member.value for member in NoteType]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "created": {"type": "string", "format": "date-time", "description": "when it was said"},
                "importance": share,
                "confidence": share,
                "sources": {"type": "array", "items": source},
            },
        },
    }


def parse_notes(text: str) -> tuple[list[WrittenDraft], list[Failure]]:
    """The notes of a JSON array, and a failure for each that is none: `note 2, type`, and what is allowed.

    Raises UserError where the whole text is no array of objects.
    """
    try:
        rows = json.loads(text)
    except ValueError as error:
        raise UserError(
            f"is not JSON: {error}", subject="--notes", hint="seci distill --schema shows the form"
        ) from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UserError("is not an array of objects", subject="--notes", hint="seci distill --schema shows the form")
    drafts: list[WrittenDraft] = []
    failures: list[Failure] = []
    for number, row in enumerate(rows, start=1):
        try:
            drafts.append(_parse(row))
        except _Wrong as wrong:
            failures.append(Failure(f"note {number}, {wrong.field}", wrong.reason))
    return drafts, failures


@dataclass(frozen=True, slots=True)
class _Wrong(Exception):
    field: str
    reason: str


def _parse(row: Mapping[str, Any]) -> WrittenDraft:
    for field in REQUIRED:
        if field not in row:
            raise _Wrong(field, f"is missing; needed are {', '.join(REQUIRED)}")
    for field in row:
        if field not in REQUIRED + OPTIONAL:
            raise _Wrong(field, f"is not a field; there are {', '.join(REQUIRED + OPTIONAL)}")
    title, body = _text(row, "title", LONGEST_TITLE), _text(row, "body", LONGEST_BODY)
    if (words := len(body.split())) > MOST_WORDS:
        raise _Wrong("body", f"has {words} words; {MOST_WORDS} are the most, so make it two notes or shorter")
    return WrittenDraft(
        title=title,
        body=body,
        namespace=_member(row, "namespace", Namespace),
        tier=_member(row, "tier", Tier),
        type=_member(row, "type", NoteType),
        tags=_tags(row),
        created=_time(row),
        importance=_share(row, "importance", 0.6),
        confidence=_share(row, "confidence", 0.8),
        sources=_sources(row),
    )


def _text(row: Mapping[str, Any], field: str, longest: int) -> str:
    value = row[field]
    if not isinstance(value, str) or not (value := _CONTROL.sub(" ", value)).strip():
        raise _Wrong(field, "must be a text that is not empty")
    if len(value) > longest:
        raise _Wrong(field, f"has {len(value)} characters; {longest} are the most")
    return value.strip()


def _member(row: Mapping[str, Any], field: str, kind: type[Member]) -> Member:
    try:
        return kind(row[field])
    except ValueError:
        raise _Wrong(field, f"{row[field]!r} is not one of {', '.join(member.value for member in kind)}") from None


def _share(row: Mapping[str, Any], field: str, default: float) -> float:
    value = row.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Wrong(field, f"{value!r} is not a number from 0 to 1")
    return float(value)


def _tags(row: Mapping[str, Any]) -> tuple[str, ...]:
    value = row.get("tags", [])
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _Wrong("tags", "must be an array of texts")
    return tuple(dict.fromkeys(tag.strip() for tag in value if tag.strip()))


def _time(row: Mapping[str, Any]) -> datetime | None:
    value = row.get("created")
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise _Wrong("created", f"{value!r} is not a time; write 2026-01-31T12:00:00Z") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _sources(row: Mapping[str, Any]) -> tuple[Provenance, ...]:
    value = row.get("sources") or []
    reason = 'must be an array of {"session": text, "turns": [numbers]}'
    if not isinstance(value, list):
        raise _Wrong("sources", reason)
    sources = []
    for item in value:
        if not isinstance(item, dict) or set(item) != {"session", "turns"}:
            raise _Wrong("sources", reason)
        session, turns = item["session"], item["turns"]
        whole = isinstance(turns, list) and all(type(turn) is int and turn >= 0 for turn in turns)
        if not isinstance(session, str) or ":" not in session or not whole:
            raise _Wrong("sources", reason)
        sources.append(Provenance(session, tuple(sorted(set(turns)))))
    return tuple(sources)

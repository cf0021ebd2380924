"""Notes that an agent hands in: each error names the item and what is allowed, good ones are written once."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from seci.core.note import Namespace, Provenance
from seci.core.ports import Redacted
from seci.distillers.agent import notes_schema, parse_notes
from seci.errors import UserError
from seci.flows.take import Giver, take_notes
from tests.flows.test_distill import Vault

GOOD = {"title": "Bell", "body": "The dock has a bell.", "namespace": "docs", "tier": "memory", "type": "fact"}


def giver(turns: frozenset[int] = frozenset()) -> Giver:
    return Giver(Provenance("agent:user", ()), "mira/parcel-api", datetime(2026, 3, 1, tzinfo=UTC), lambda key: turns)


class Censor:
    def redact(self, text: str) -> Redacted:
        return Redacted(text.replace("hunter2", "[redacted:password]"), {"password": text.count("hunter2")})


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"namespace": "attic"}, "namespace", "quick-reference"),
        ({"tier": "note"}, "tier", "procedure"),
        ({"type": "idea"}, "type", "decision"),
        ({"title": " "}, "title", "not empty"),
        ({"title": "\x00\ud800"}, "title", "not empty"),
        ({"body": "word " * 81}, "body", "81 words"),
        ({"body": 3}, "body", "text"),
        ({"importance": 2}, "importance", "0 to 1"),
        ({"importance": True}, "importance", "0 to 1"),
        ({"tags": "x"}, "tags", "array"),
        ({"created": "soon"}, "created", "2026-01-31"),
        ({"sources": [{"session": "x", "turns": [1]}]}, "sources", "session"),
        ({"sources": [{"session": "a:b", "turns": [-1]}]}, "sources", "turns"),
        ({"colour": "red"}, "colour", "title, body"),
    ],
)
def test_what_is_wrong_with_a_note(change: dict[str, object], field: str, said: str) -> None:
    drafts, failures = parse_notes(json.dumps([GOOD, GOOD | change]))
    assert len(drafts) == 1
    assert failures[0].path == f"note 2, {field}"
    assert said in failures[0].reason


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", "[{]"])
def test_what_is_no_array_of_notes(text: str) -> None:
    with pytest.raises(UserError, match="--notes"):
        parse_notes(text)


def test_the_schema_and_the_parser_agree_on_the_fields() -> None:
    properties = notes_schema()["items"]["properties"]
    assert set(properties["namespace"]["enum"]) == {member.value for member in Namespace}
    drafts, failures = parse_notes(
        json.dumps([GOOD | {"tags": [], "created": "2026-01-31", "importance": 1, "confidence": 0, "sources": []}])
    )
    assert (len(drafts), failures) == (1, [])
    assert {*GOOD, "tags", "created", "importance", "confidence", "sources"} == set(properties)


def test_good_notes_are_written_once_and_cleaned() -> None:
    vault = Vault()
    drafts, _ = parse_notes(json.dumps([GOOD, GOOD, GOOD | {"title": "Key", "body": "The key is hunter2."}]))
    report = take_notes(drafts, [], giver(), Censor(), vault, vault)
    assert [w.note.title for w in report.notes] == ["Bell", "Key"]
    assert report.notes[1].note.body == "The key is [redacted:password]."
    assert (report.repeated, report.redactions) == (1, {"password": 1})
    assert report.notes[0].note.sources == (Provenance("agent:user", ()),)
    assert report.notes[0].note.project == "mira/parcel-api"
    assert take_notes(drafts, [], giver(), Censor(), vault, vault).commit is None


def test_control_characters_do_not_reach_a_note() -> None:
    (draft,), _ = parse_notes(json.dumps([GOOD | {"title": "Be\x00ll", "body": "The dock\x1b\ud800has a\nbell."}]))
    assert (draft.title, draft.body) == ("Be ll", "The dock  has a\nbell.")


def test_turns_that_the_session_does_not_have_are_refused() -> None:
    cited = GOOD | {"sources": [{"session": "claude-code:a", "turns": [1, 7]}]}
    drafts, _ = parse_notes(json.dumps([cited]))
    report = take_notes(drafts, [], giver(frozenset({0, 1, 2})), Censor(), Vault(), Vault())
    assert (report.notes, report.commit) == ((), None)
    assert "has no turn 7; its turns run from 0 to 2" in report.failures[0].reason

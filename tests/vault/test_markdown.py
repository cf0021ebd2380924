"""Notes as markdown: exact round trips, hand-written files, and edits that survive a rewrite."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.note import Namespace, Note, NoteType, Provenance, Status, Tier
from seci.errors import NoteFormatError
from seci.vault.markdown import KEYS, parse_note, render_note

AWKWARD = [
    "", " ", "null", "~", "yes", "No", "2026-01-21", "2026-01-21T14:36:09Z", "1e5", "0x1F", ".inf",
    "12:30:45", "-", "- a", "a: b", "a #b", "#a", "'", '"', "\\", "@x", "`x`", "!tag", "&a", "*a", "%y",
    "{a}", "[a]", "a, b", "---", "...", "? a", "a:", "a ", "\t", "\n", "a\nb", "a\r\nb", "\r", "\x85",
    "\u2028", "\ufeff", "\x00", "\x7f", "\x9f", "é", "日本語", "😀", "<<", "=", "key: [1, 2", "|", ">",
    "a\n---\nb", "---\nid: x\n---\n",
]  # fmt: skip
plain = st.characters(exclude_categories=("Cs",))
texts = st.text(plain, max_size=40) | st.sampled_from(AWKWARD)
bodies = st.lists(st.text(plain, max_size=60) | st.sampled_from(AWKWARD), max_size=6).map("\n".join)
times = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
days = st.dates(date(1900, 1, 1), date(2200, 1, 1))
shares = st.floats(0, 1)
sources = st.builds(Provenance, texts, st.lists(st.integers(0, 10**6), max_size=5).map(tuple))
scalars: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | texts | days
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
extras = st.dictionaries(texts.filter(lambda key: key not in KEYS), values, max_size=4)
notes = st.builds(
    Note,
    id=st.text(plain, min_size=1, max_size=26) | st.sampled_from([a for a in AWKWARD if a]),
    title=st.text(plain, min_size=1, max_size=80) | st.sampled_from([a for a in AWKWARD if a]),
    body=bodies,
    namespace=st.just(Namespace.PROJECTS),
    tier=st.sampled_from(Tier),
    type=st.sampled_from(NoteType),
    tags=st.lists(texts, max_size=4).map(tuple),
    project=st.none() | texts,
    created=st.none() | times,
    updated=st.none() | times,
    valid_from=st.none() | days,
    valid_to=st.none() | days,
    importance=shares,
    confidence=shares,
    status=st.sampled_from(Status),
    sources=st.lists(sources, max_size=3).map(tuple),
    supersedes=st.lists(texts, max_size=3).map(tuple),
    superseded_by=st.none() | texts,
    extra=extras,
)
PATH = "projects/note.md"


@given(notes)
@settings(max_examples=200, deadline=None)
def test_a_rendered_note_is_read_back_equal(note: Note) -> None:
    assert parse_note(render_note(note), PATH) == note


@given(notes, notes)
@settings(max_examples=100, deadline=None)
def test_a_rewrite_over_any_other_note_is_read_back_equal(before: Note, after: Note) -> None:
    assert parse_note(render_note(after, render_note(before), PATH), PATH) == after


def test_keys_stand_in_their_order_and_times_are_utc() -> None:
    berlin = timezone(timedelta(hours=1))
    note = Note(
        id="01KBP2ABCDEFGHJKMNPQRSTVWX",
        title="Hook registry must be rebuilt",
        body="Rebuild it.",
        namespace=Namespace.PROJECTS,
        type=NoteType.DECISION,
        tags=("hooks", "registry"),
        project="entireio/cli",
        created=datetime(2026, 1, 21, 15, 36, 9, tzinfo=berlin),
        updated=datetime(2026, 1, 21, 14, 36, 9, tzinfo=UTC),
        valid_from=date(2026, 1, 21),
        importance=0.7,
        confidence=1e-5,
        sources=(Provenance("claude-code:de1ed521", (12, 14)),),
    )
    assert render_note(note) == (
        "---\n"
        "id: 01KBP2ABCDEFGHJKMNPQRSTVWX\n"
        "title: Hook registry must be rebuilt\n"
        "tier: memory\n"
        "type: decision\n"
        "tags: [hooks, registry]\n"
        "project: entireio/cli\n"
        "created: 2026-01-21T14:36:09Z\n"
        "updated: 2026-01-21T14:36:09Z\n"
        "valid_from: 2026-01-21\n"
        "importance: 0.7\n"
        "confidence: 0.00001\n"
        "status: active\n"
        'sources: [{session: "claude-code:de1ed521", turns: [12, 14]}]\n'
        "supersedes: []\n"
        "superseded_by: null\n"
        "---\n"
        "\n"
        "Rebuild it.\n"
    )


def test_a_file_with_only_a_body_is_a_note_with_a_stable_id() -> None:
    note = parse_note("# Keep the port\n\nWe use 8080.\n", "brain/ports.md")
    assert note.title == "Keep the port"
    assert note.body == "# Keep the port\n\nWe use 8080."
    assert note.namespace is Namespace.BRAIN
    assert note.id == parse_note("something else", "brain/ports.md").id
    assert note.id != parse_note("something else", "brain/port.md").id
    assert len(note.id) == 26


def test_a_file_with_only_a_title_is_a_note() -> None:
    note = parse_note("---\ntitle: 2024\n---", "voice/tone.md")
    assert (note.title, note.body, note.tier, note.created) == ("2024", "", Tier.MEMORY, None)


def test_an_unnamed_file_takes_its_title_from_its_name() -> None:
    assert parse_note("just text", "docs/build_the-house.md").title == "build the house"


def test_windows_line_ends_and_a_missing_blank_line_are_read() -> None:
    note = parse_note("---\r\ntitle: A\r\ntags: a, b\r\n---\r\ntwo\r\nlines\r\n", "docs/a.md")
    assert (note.title, note.tags, note.body) == ("A", ("a", "b"), "two\r\nlines")


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("title: [unclosed", "not YAML"),
        ("title: 'x\nb: 1", "not YAML"),
        ("just words", "not a list of"),
        ("- a\n- b", "not a list of"),
        ("type: musing", "type: must be one of preference, "),
        ("status: open", "status: must be one of active"),
        ("importance: high", "importance: must be a number from 0 to 1"),
        ("confidence: 7", "confidence: must be a number"),
        ("importance: .nan", "importance: must be a number"),
        ("created: yesterday", "created: must be a time"),
        ("valid_from: soon", "valid_from: must be a day"),
        ("tags: {a: 1}", "tags: must be a list"),
        ("title: [a]", "title: must be a text"),
        ("sources: claude", "sources: must be a list"),
        ("sources: [{turns: [1]}]", "sources: must be a list"),
        ("sources: [{session: a, turns: [one]}]", "turns must be whole numbers"),
        ("a: *b", "not YAML"),
        ("created: 2026-13-45", "not YAML"),
        ("a: " + "[" * 5000, "not YAML"),
    ],
)
def test_what_is_wrong_is_named(front: str, reason: str) -> None:
    with pytest.raises(NoteFormatError) as caught:
        parse_note(f"---\n{front}\n---\nbody\n", "docs/broken.md")
    assert caught.value.subject == "docs/broken.md"
    assert reason in caught.value.reason


def test_a_folder_that_is_no_namespace_is_refused() -> None:
    with pytest.raises(NoteFormatError, match="'notes' is not a namespace"):
        parse_note("x", "notes/a.md")


HAND_EDITED = """\
---
# mine
aliases:
- Hook registry
title:   'Rebuild the registry'   # was longer
id: abc

importance: 0.7   # of 1
rating: 5  # stars
tags: [hooks,   registry]
# keep the next one
status: "active"
related: {a: [1, 2], "b c": null}
---
The body, as I like it.


"""


def test_a_rewrite_changes_only_the_keys_that_changed() -> None:
    note = parse_note(HAND_EDITED, PATH)
    after = replace(note, status=Status.STALE, importance=0.9, tags=("hooks", "registry", "agents"))
    assert render_note(after, HAND_EDITED, PATH) == HAND_EDITED.replace(
        "importance: 0.7   #", "importance: 0.9   #"
    ).replace('status: "active"', "status: stale").replace("[hooks,   registry]", "[hooks, registry, agents]")


def test_a_note_that_did_not_change_is_returned_as_it_was() -> None:
    assert render_note(parse_note(HAND_EDITED, PATH), HAND_EDITED, PATH) == HAND_EDITED


def test_other_peoples_keys_can_change_too() -> None:
    note = parse_note(HAND_EDITED, PATH)
    extra = {key: value for key, value in note.extra.items() if key != "aliases"} | {"rating": 6, "new": ["a"]}
    after = render_note(replace(note, extra=extra), HAND_EDITED, PATH)
    changed = HAND_EDITED.replace("aliases:\n- Hook registry\n", "").replace("rating: 5", "rating: 6")
    assert after == changed.replace("null}\n---", "null}\nnew:\n- a\n---")


def test_new_keys_go_to_their_place_and_dropped_ones_leave() -> None:
    note = parse_note(HAND_EDITED, PATH)
    after = render_note(replace(note, superseded_by="def", valid_to=date(2026, 2, 1)), HAND_EDITED, PATH)
    assert "valid_to: 2026-02-01\n" in after
    assert after.index("status:") < after.index("superseded_by: def")
    assert render_note(note, after, PATH).count("valid_to") == 0


def test_a_rewritten_hand_made_note_gets_the_id_it_was_known_by() -> None:
    text = "# Ports\n\nWe use 8080."
    note = parse_note(text, PATH)
    rewritten = render_note(replace(note, status=Status.STALE), text, PATH)
    assert rewritten == f"---\nid: {note.id}\nstatus: stale\n---\n\n{text}"
    assert parse_note(rewritten, "projects/renamed.md").id == note.id


def test_a_merge_key_or_anchor_never_breaks_a_rewrite() -> None:
    text = "---\nbase: &b {x: 1}\nother: *b\ntitle: &t Title\nalso: *t\n---\nbody\n"
    note = replace(parse_note(text, PATH), title="New")
    assert parse_note(render_note(note, text, PATH), PATH) == note


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    note = Note(id="a", title="x \ud83d y", body="z\udc00", namespace=Namespace.PROJECTS)
    text = render_note(note)
    text.encode()
    assert parse_note(text, PATH).title == "x \ufffd y"
    assert parse_note(text, PATH).body == "z\ufffd"

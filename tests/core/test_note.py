"""Ids and names follow from content alone, and sort by time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from seci.core.note import Namespace, Note, Provenance, normalise_title, note_id, slugify

WHEN = datetime(2026, 1, 21, 14, 36, 9, tzinfo=UTC)
SOURCES = (Provenance("claude-code:a", (12, 14)),)

moments = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)).map(lambda m: m.replace(tzinfo=UTC))


@given(moments, st.text(max_size=30))
def test_an_id_is_a_ulid_whose_time_can_be_read(moment: datetime, title: str) -> None:
    made = note_id(moment, SOURCES, title)
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{26}", made)
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    millis = 0
    for character in made[:10]:
        millis = millis * 32 + alphabet.index(character)
    assert millis == int(moment.timestamp() * 1000)


@given(moments, moments)
def test_ids_sort_by_time(a: datetime, b: datetime) -> None:
    if abs(a - b) >= timedelta(milliseconds=2):
        assert (note_id(a, SOURCES, "x") < note_id(b, SOURCES, "x")) == (a < b)


def test_an_id_depends_on_sessions_turns_and_the_normalised_title_only() -> None:
    made = note_id(WHEN, SOURCES, "Hook registry must be rebuilt")
    assert note_id(WHEN, SOURCES, "hook  registry, must be REBUILT!") == made
    assert note_id(WHEN, (Provenance("claude-code:a", (12, 15)),), "Hook registry must be rebuilt") != made
    assert note_id(WHEN, (Provenance("claude-code:b", (12, 14)),), "Hook registry must be rebuilt") != made
    two = (Provenance("b:1", (1,)), Provenance("a:1", (2,)))
    assert note_id(WHEN, two, "x") == note_id(WHEN, two[::-1], "x")


def test_without_a_time_the_time_part_is_zero() -> None:
    assert note_id(None, SOURCES, "x").startswith("0000000000")


@given(st.text(max_size=200))
def test_a_slug_is_a_file_name_anywhere(title: str) -> None:
    slug = slugify(title)
    assert slug and len(slug) <= 60
    assert not set(slug) & set('/\\:*?"<>| .')
    assert slug == slug.lower() or not slug.isascii()


def test_slugs_read_well() -> None:
    assert slugify("Why ONNX? It's 8× faster — really") == "why-onnx-it-s-8-faster-really"
    assert slugify("Überprüfung der Größe") == "uberprufung-der-große"
    assert slugify("決定：Postgres を使う") == "決定-postgres-を使う"
    assert slugify("メッセージは必ず英語で") == "メッセージは必ず英語で"
    assert slugify("Ελλάδα, мой край, 커밋") == "ελλάδα-мой-край-커밋"
    assert slugify("???") == "note"
    assert slugify("word " * 40) == "-".join(["word"] * 12)
    note = Note(id="01KBP2AAAAAAAAAAAAABCDEFGH", title="Use tabs", body="", namespace=Namespace.BRAIN)
    assert note.file_name == "use-tabs-abcdefgh.md"


def test_titles_that_differ_in_words_stay_different() -> None:
    assert normalise_title("Use tabs") != normalise_title("Don't use tabs")

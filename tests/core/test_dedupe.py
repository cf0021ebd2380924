"""A note that stands in the vault is not written again; one that says something else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seci.core.dedupe import NoteIndex
from seci.core.note import Namespace, Note, Provenance, Tier

NOTE = Note(
    id="01KBP2AAAAAAAAAAAAAAAAAAA1",
    title="The billing API listens on port 8080",
    body="It is behind the old proxy, and the health check of the load balancer asks it every ten seconds.",
    namespace=Namespace.DOCS,
    sources=(Provenance("claude-code:a", (1, 2)),),
)


def index() -> NoteIndex:
    found = NoteIndex()
    found.add(NOTE)
    return found


def test_the_same_words_from_another_session_repeat_it() -> None:
    assert index().has(replace(NOTE, id="01KBP2AAAAAAAAAAAAAAAAAAA2", sources=(Provenance("codex:b", (7,)),)))


@pytest.mark.parametrize(
    ("old", "new"), [("8080", "8081"), ("ten", "never"), ("every ten seconds", "every hour or so, or less")]
)
def test_another_number_or_negation_or_wording_is_another_note(old: str, new: str) -> None:
    other = replace(NOTE, id="x" * 26, title=NOTE.title.replace(old, new), body=NOTE.body.replace(old, new))
    assert not index().has(other)


def test_episodes_repeat_only_themselves() -> None:
    episode = replace(NOTE, id="y" * 26, tier=Tier.EPISODE, body=NOTE.body + " Done.")
    assert not index().has(episode)


def test_the_turns_that_notes_cite_are_known() -> None:
    assert index().turns("claude-code:a") == {1, 2}
    assert index().turns("claude-code:b") == frozenset()


def test_the_same_words_the_other_way_round_are_another_note() -> None:
    tabs = replace(NOTE, title="Indentation", body="Alice prefers tabs to spaces.")
    found = NoteIndex()
    found.add(tabs)
    assert found.has(replace(tabs, id="z" * 26))
    assert not found.has(replace(tabs, id="z" * 26, body="Alice prefers spaces to tabs."))

"""Weights work on what they were trained on: one way from a session to the network's inputs, and a seal on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from seci.core.chunk import chunk_session
from seci.core.session import Role
from seci.embedding.cache import open_embedder
from seci.embedding.exports import default_cache
from seci.router.conversations import written_conversations
from seci.router.corpus import labelled_streams
from seci.router.inference import OnnxRouter
from seci.router.inputs import digest_inputs, read_inputs
from seci.router.sequences import assemble_sequences
from seci.router.weights import read_card, shipped_weights

from .conftest import HashedWords, make_session


class Recording(OnnxRouter):
    """An `OnnxRouter` that keeps what its network would be given."""

    def __init__(self, embedder: HashedWords) -> None:
        self.card = read_card(shipped_weights())
        self.embedder = embedder
        self.threshold = 0.5
        self.given: list[Any] = []

    def judge(self, turns: Any, sequences: Any, mask: Any, features: Any) -> list[Any]:
        self.given.append((sequences, mask, features))
        return [None] * len(turns)


def test_training_and_work_read_a_session_alike(embedder: HashedWords) -> None:
    session, labels = make_session("s", 4)
    named = tuple(replace(t, role=Role.PARTICIPANT, speaker="Mara" if t.index % 2 else "Jo") for t in session.turns)
    session = replace(session, turns=named)
    router = Recording(embedder)
    (stream,) = labelled_streams([session], {session.key: labels}, embedder)
    trained = stream.examples(router.card.settings)
    router.decide(session)
    ((sequences, mask, features),) = router.given
    assert np.array_equal(sequences, trained.sequences)
    assert np.array_equal(mask, trained.mask)
    assert np.array_equal(features, trained.features)

    router.given.clear()
    live = router.stream(session)
    for turn in session.turns:
        live.push(turn)
    assert np.array_equal(np.concatenate([row[0] for row in router.given]), sequences)
    assert np.array_equal(np.concatenate([row[2] for row in router.given]), features)


def test_what_is_embedded_are_the_passages_of_the_index_without_speakers(embedder: HashedWords) -> None:
    session, _ = make_session("s", 4)
    named = replace(session, turns=tuple(replace(turn, speaker="Mara") for turn in session.turns))
    read_inputs([named], embedder)
    assert embedder.embedded == [c.passage for c in chunk_session(named, "x.md", embedder.counter, embedder.window)]
    assert not any("Mara" in passage for passage in embedder.embedded)


def test_the_digest_changes_with_what_is_read(embedder: HashedWords) -> None:
    session, _ = make_session("s", 4)
    first = digest_inputs([session], embedder)
    assert digest_inputs([session], HashedWords()) == first
    other = replace(session, turns=(replace(session.turns[0], text="something else"), *session.turns[1:]))
    assert digest_inputs([other], embedder) != first


@pytest.mark.model
def test_the_shipped_weights_were_trained_on_what_is_read_today() -> None:
    """When this fails, passages, features or the written conversations have changed: train the shipped router again."""
    import os

    embedder = open_embedder(default_cache(os.environ))
    sessions = [item.session for item in written_conversations()]
    assert read_card(shipped_weights()).training["inputs"] == digest_inputs(sessions, embedder)


def test_a_history_of_two_chunks_is_read(embedder: HashedWords) -> None:
    session, _ = make_session("s", 4, turns=12)
    inputs = read_inputs([session], embedder)
    sequences, mask = assemble_sequences(inputs.vectors, 2, 5)
    assert mask[11].tolist() == [1, 1, 1]
    assert np.allclose(sequences[11, -1], inputs.vectors[11])

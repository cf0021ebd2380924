"""The exported router: the network's own answers, the same in a batch as turn by turn, and clear refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from seci.core.note import NoteType
from seci.core.session import Role, Session
from seci.errors import ModelError
from seci.router.corpus import Stream
from seci.router.evaluate import measure_latency
from seci.router.experiment import score_stream, train_router
from seci.router.export import export_router
from seci.router.features import feature_names
from seci.router.inference import OnnxRouter, open_router
from seci.router.persist import save_model
from seci.router.settings import RouterSettings
from seci.router.weights import RouterCard, read_card

from .conftest import WIDTH, HashedWords, make_session

pytest.importorskip("torch")


@pytest.fixture
def trained(streams: list[Stream], settings: RouterSettings, encoder: Path, tmp_path: Path) -> Path:
    small = settings.but(epochs=2)
    made = train_router(streams[:4], streams[4:5], small, encoder)
    card = RouterCard(
        small, WIDTH, 0.5, 0.2, {}, {"scores": score_stream(made.model, streams[5]).tolist()}, feature_names()
    )
    save_model(tmp_path / "trained", made.model, card)
    return tmp_path / "trained"


@pytest.fixture
def router(trained: Path, encoder: Path, embedder: HashedWords, tmp_path: Path) -> OnnxRouter:
    export_router(trained, encoder, tmp_path / "router.onnx")
    return OnnxRouter(tmp_path / "router.onnx", read_card(trained), embedder)


def test_the_export_decides_as_the_network_does(router: OnnxRouter, trained: Path) -> None:
    session, _ = make_session("s5", 5)
    expected = read_card(trained).training["scores"]
    found = [decision.probability for decision in router.decide(session)]
    assert np.allclose(found, expected, atol=1e-3)


def test_a_stream_decides_as_the_batch_does(router: OnnxRouter) -> None:
    session, _ = make_session("long", 77, turns=90)
    stream = router.stream(session)
    assert [stream.push(turn) for turn in session.turns] == router.decide(session)


def test_the_threshold_admits_from_itself_on(router: OnnxRouter) -> None:
    session, _ = make_session("s", 9)
    decisions = router.decide(session)
    assert {decision.add for decision in decisions} == {True, False}
    assert all(decision.add == (decision.probability >= 0.5) for decision in decisions)
    assert all(decision.type is NoteType.OTHER for decision in decisions if not decision.add)
    router.threshold = 0.0
    assert all(decision.add for decision in router.decide(session))


def test_of_a_persons_turns_what_is_unsure_is_admitted(router: OnnxRouter) -> None:
    session, _ = make_session("s", 9)
    router.threshold = 2.0
    unsure = sorted(decision.probability for decision in router.decide(session))[len(session.turns) // 2]
    router.card = replace(router.card, lenient=unsure)
    decided = router.decide(session)
    assert not any(decision.add for decision in decided)
    for turn, before, after in zip(session.turns, decided, router.admit(session), strict=True):
        assert after.add == (turn.role is Role.USER and before.probability >= unsure)
        assert after.probability == before.probability


def test_each_passage_is_embedded_once(router: OnnxRouter, embedder: HashedWords) -> None:
    session, _ = make_session("s", 9)
    embedder.embedded.clear()
    router.decide(session)
    assert len(embedder.embedded) == len(session.turns)


def test_an_empty_session_has_no_decisions(router: OnnxRouter) -> None:
    assert router.decide(Session("made", "empty", ())) == []


def test_latency_counts_every_turn(router: OnnxRouter) -> None:
    session, _ = make_session("s", 9)
    spent = measure_latency(router, [session])
    assert spent.turns == len(session.turns)
    assert 0.0 < spent.stream_p50_ms <= spent.stream_p95_ms


def test_it_is_exported_once_and_found_again(
    trained: Path, encoder: Path, embedder: HashedWords, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(ModelError, match="not prepared"):
        open_router(embedder, encoder, cache, trained=trained, may_export=False)
    open_router(embedder, encoder, cache, trained=trained)
    (graph,) = cache.glob("router-*.onnx")
    before = graph.stat().st_mtime_ns
    session, _ = make_session("s", 9)
    router = open_router(embedder, encoder, cache, trained=trained, threshold=0.9, may_export=False)
    assert graph.stat().st_mtime_ns == before
    assert router.threshold == 0.9
    assert len(router.decide(session)) == len(session.turns)


def test_a_router_of_another_embedding_model_is_refused(trained: Path, encoder: Path, tmp_path: Path) -> None:
    other = HashedWords()
    other.name = "another-model"
    with pytest.raises(ModelError, match="another-model"):
        open_router(other, encoder, tmp_path, trained=trained)


def test_damaged_files_are_named(trained: Path, embedder: HashedWords, encoder: Path, tmp_path: Path) -> None:
    graph = tmp_path / "broken.onnx"
    graph.write_bytes(b"not a graph")
    with pytest.raises(ModelError, match=r"broken\.onnx"):
        OnnxRouter(graph, read_card(trained), embedder)
    card = trained / "router.json"
    value = json.loads(card.read_text())
    card.write_text(json.dumps(value | {"features": ["length"]}))
    with pytest.raises(ModelError, match="other plain features"):
        open_router(embedder, encoder, tmp_path, trained=trained)
    card.write_text("{")
    with pytest.raises(ModelError, match=r"router\.json"):
        open_router(embedder, encoder, tmp_path, trained=trained)
    with pytest.raises(ModelError, match="no trained router"):
        open_router(embedder, encoder, tmp_path, trained=tmp_path / "nowhere")

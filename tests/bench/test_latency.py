"""The generated index is one that a vault could have, the same one every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from seci.bench.generated import Generator
from seci.core.chunk import Kind
from tests.conftest import Result


def test_generated_documents_are_the_same_every_time_and_as_many_as_asked() -> None:
    batches = [list(Generator(16).documents(230)) for _ in range(2)]
    documents = [document for batch in batches[0] for document, _ in batch]
    assert documents == [document for batch in batches[1] for document, _ in batch]
    assert sum(len(document.chunks) for document in documents) == 230
    assert {document.record.kind for document in documents} == set(Kind)
    vectors = np.concatenate([vector for batch in batches[0] for _, vector in batch])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert Generator(16).question() == Generator(16).question()


def test_vectors_lie_in_clusters_a_session_around_one_centre() -> None:
    (batch,) = Generator(64).documents(40)
    (_, one), (_, other) = batch
    within = float((one @ one.T).mean())
    assert within > float((one @ other.T).mean()) + 0.3


def test_growth_is_measured_and_drawn(seci: Callable[..., Result], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    call = ("bench", "latency", "--sizes", "200,100", "--questions", "5", "--out", tmp_path / "out", "--json")
    told = seci(*call)
    assert told.code == 0, told.err
    shape = json.loads(told.out)
    assert [point["chunks"] for point in shape["growth"]] == [100, 200]
    assert all(point["p95_multiple"] >= point["p50_multiple"] > 0.5 for point in shape["growth"])
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "latency.json",
        "latency-growth.png",
        "latency-growth.svg",
    }
    assert seci("bench", "latency", "--sizes", "many").code == 2


def test_contexts_are_measured_in_a_vault_of_notes(seci: Callable[..., Result], tmp_path: Path) -> None:
    told = seci("bench", "assembly", "--notes", "60,30", "--questions", "5", "--out", tmp_path / "out", "--json")
    assert told.code == 0, told.err
    shape = json.loads(told.out)
    assert [point["notes"] for point in shape["growth"]] == [30, 60]
    assert all(point["p50_ms"] > point["embed_ms"] / 2 for point in shape["growth"])
    assert json.loads((tmp_path / "out" / "assembly.json").read_text()) == shape
    assert seci("bench", "assembly", "--notes", "0").code == 2

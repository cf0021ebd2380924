"""The cross-encoder: what it thinks of pairs, that a batch changes nothing, and that what is trained can be used."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from seci.bench.consolidate import LabelledPair
from seci.bench.pairtraining import train_reader
from seci.core.note import Namespace, Note, NoteType
from seci.core.opinion import Opinion
from seci.core.verdict import Relation
from seci.embedding.crossencoder.inference import OnnxPairReader, open_reader
from seci.embedding.crossencoder.weights import ADAPTERS, CARD, shipped_adapters
from seci.errors import ModelError

DISK = "The nightly build failed because the runner's disk was full."
SAME = "With no space left on the runner, the nightly build broke."
OTHER = "What broke the nightly build was the network; the runner had plenty of disk."
PAIRS = [(DISK, SAME), (DISK, OTHER), (DISK, "Buy milk."), (DISK, DISK + " More words follow." * 90), ("", ".")]


def make(body: str) -> Note:
    return Note("x", "", body, Namespace.DOCS, type=NoteType.FACT)


@pytest.fixture(scope="module")
def reader(model_cache: Path) -> OnnxPairReader:
    return open_reader(model_cache, threads=1)


@pytest.mark.model
def test_a_batch_changes_no_opinion(reader: OnnxPairReader) -> None:
    pairs = [(make(a), make(b)) for a, b in PAIRS]
    together = reader.read(pairs)
    assert together == [reader.read([pair])[0] for pair in pairs]
    for opinion in together:
        assert sum((opinion.merge, opinion.supersede, opinion.contradiction, opinion.keep)) == pytest.approx(
            1, abs=0.01
        )
    assert reader.read([]) == []


@pytest.mark.model
def test_it_tells_what_no_word_list_does(reader: OnnxPairReader) -> None:
    same, other, unrelated = reader.read([(make(a), make(b)) for a, b in PAIRS[:3]])
    assert same.merge > other.merge + 0.3
    assert other.contradiction > same.contradiction + 0.3
    assert unrelated.keep > 0.5


@pytest.mark.model
def test_what_is_trained_is_what_is_exported(tmp_path: Path) -> None:
    lessons = [
        LabelledPair(str(i), "", "en", make(a), make(b), relation)
        for i, (a, b, relation) in enumerate(
            [(DISK, SAME, Relation.MERGE), (DISK, OTHER, Relation.CONTRADICTION), (SAME, "Buy milk.", Relation.KEEP)]
        )
    ]
    told: list[str] = []
    train_reader(lessons, tmp_path / "trained", 2, told.append)
    assert [line.split(":")[0] for line in told] == ["epoch 1", "epoch 2"]
    reader = open_reader(tmp_path / "cache", trained=tmp_path / "trained")
    (opinion,) = reader.read([(make(DISK), make(SAME))])
    assert isinstance(opinion, Opinion) and 0 < opinion.merge < 1
    with pytest.raises(ModelError, match="no trained adapters"):
        open_reader(tmp_path / "cache", trained=tmp_path / "nowhere")


@pytest.mark.model
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("cut", "the adapters cannot be used"),
        ("card", "is not the card of a cross-encoder"),
        ("format", "has format 99, this version reads 1"),
    ],
)
def test_damaged_adapters_are_named(tmp_path: Path, damage: str, said: str) -> None:
    copy = shutil.copytree(shipped_adapters(), tmp_path / "adapters")
    if damage == "cut":
        (copy / ADAPTERS).write_bytes((copy / ADAPTERS).read_bytes()[:500])
    else:
        (copy / CARD).write_text('{"format": 99}' if damage == "format" else "{}")
    with pytest.raises(ModelError, match=said) as caught:
        open_reader(tmp_path / "cache", trained=copy)
    assert str(copy / (ADAPTERS if damage == "cut" else CARD)) in str(caught.value)

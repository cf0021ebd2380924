"""What every index does, whatever it is made of. Each test runs against the one in memory and the real one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from seci.core.chunk import Chunk, Kind, digest_passage, join_heading
from seci.core.document import Document, Record
from seci.core.note import Namespace, NoteType, Provenance, Status, Tier
from seci.core.ports import Index
from seci.core.session import Role
from seci.index.dual import open_index
from seci.index.keyword import Stamp
from seci.index.memory import MemoryIndex
from seci.index.tables import split_terms

DIMENSIONS = 8
STAMP = Stamp("test-model", DIMENSIONS, 16)


@pytest.fixture(params=["memory", "dual"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    if request.param == "memory":
        yield MemoryIndex()
    else:
        with open_index(tmp_path / ".seci", STAMP) as dual:
            yield dual


def unit(text: str) -> np.ndarray:
    """A vector that only equal texts share."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
    vector = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def entry(path: str, texts: list[str], kind: Kind = Kind.RAW, **record: object) -> tuple[Document, np.ndarray]:
    chunks = tuple(
        Chunk(
            id=f"{path}#{n}",
            kind=kind,
            parent=str(record.get("key", f"key-{path}")),
            path=path,
            text=text,
            tokens=len(text.split()),
            digest=digest_passage(join_heading("", text, kind)),
            turns=(n,) if kind is Kind.RAW else (),
            role=Role.USER if kind is Kind.RAW else None,
            at=datetime(2026, 1, 1, n // 60, n % 60, tzinfo=UTC) if kind is Kind.RAW else None,
        )
        for n, text in enumerate(texts)
    )
    known = {"key": f"key-{path}", "id": f"id-{path}", "digest": f"digest of {texts}", **record}
    vectors = np.array([unit(text) for text in texts], np.float32).reshape(len(texts), DIMENSIONS)
    return Document(Record(path=path, kind=kind, **known), chunks), vectors  # type: ignore[arg-type]


def found(index: Index, terms: list[str], kind: Kind = Kind.RAW) -> list[str]:
    shelf = index.shelf(kind)
    scores = shelf.bm25(split_terms(" ".join(terms)))
    return [chunk.id for chunk in shelf.chunks([row for row in shelf.best(scores, 10) if scores[row] > 0])]


def nearest(index: Index, text: str, kind: Kind = Kind.RAW, limit: int = 10) -> list[str]:
    shelf = index.shelf(kind)
    return [chunk.text for chunk in shelf.chunks(shelf.best(shelf.cosine(unit(text)), limit))]


def test_an_empty_index_finds_nothing(index: Index) -> None:
    assert index.listing() == []
    assert found(index, ["anything"]) == []
    assert nearest(index, "anything") == []
    assert index.shelf(Kind.DISTILLED).size == 0


def test_what_was_put_in_is_found_by_word_and_by_vector(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["the hook registry", "a red bicycle"]), entry("sessions/b.md", ["a hook"])])
    assert index.listing() == [
        ("sessions/a.md", "digest of ['the hook registry', 'a red bicycle']"),
        ("sessions/b.md", "digest of ['a hook']"),
    ]
    assert found(index, ["registry"]) == ["sessions/a.md#0"]
    assert set(found(index, ["hook"])) == {"sessions/a.md#0", "sessions/b.md#0"}
    assert nearest(index, "a red bicycle")[0] == "a red bicycle"


def test_cosine_is_that_of_the_vectors(index: Index) -> None:
    texts = [f"text number {n}" for n in range(200)]
    index.apply([entry("sessions/a.md", texts)])
    shelf = index.shelf(Kind.RAW)
    query = unit("a question")
    expected = {text: float(unit(text).astype(float) @ query.astype(float)) for text in texts}
    rows = list(range(shelf.size))
    for chunk, score in zip(shelf.chunks(rows), shelf.cosine(query), strict=True):
        assert score == pytest.approx(expected[chunk.text], abs=1e-6)


def test_bm25_prefers_rare_words_and_short_texts(index: Index) -> None:
    index.apply(
        [
            entry("sessions/common.md", ["port lies far away", "port seen from afar", "port near mountains"]),
            entry("sessions/rare.md", ["zanzibar lies far away", "zanzibar"]),
        ]
    )
    assert found(index, ["zanzibar", "port"])[:2] == ["sessions/rare.md#1", "sessions/rare.md#0"]


def test_bm25_against_a_value_worked_out_by_hand(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["apple apple pear", "pear", "plum plum"])])
    shelf = index.shelf(Kind.RAW)
    scores = dict(zip((c.text for c in shelf.chunks([0, 1, 2])), shelf.bm25(split_terms("apple")), strict=True))
    # N 3, n 1: idf = ln(1 + 2.5 / 1.5); 2 occurrences in 3 words, mean length 2
    assert scores["apple apple pear"] == pytest.approx(0.9808293 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)), abs=1e-5)
    assert scores["pear"] == scores["plum plum"] == 0


def test_the_kinds_are_kept_apart(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["hook"]), entry("docs/n.md", ["hook"], Kind.DISTILLED)])
    assert found(index, ["hook"]) == ["sessions/a.md#0"]
    assert found(index, ["hook"], Kind.DISTILLED) == ["docs/n.md#0"]
    assert nearest(index, "hook", Kind.DISTILLED) == ["hook"]


def test_a_document_replaces_what_stood_at_its_path(index: Index) -> None:
    index.apply([entry("docs/n.md", ["old words", "more old words"], Kind.DISTILLED)])
    index.apply([entry("docs/n.md", ["new"], Kind.DISTILLED)])
    assert found(index, ["old"], Kind.DISTILLED) == []
    assert found(index, ["new"], Kind.DISTILLED) == ["docs/n.md#0"]
    assert nearest(index, "old words", Kind.DISTILLED) == ["new"]


def test_what_was_taken_out_is_gone(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["hook"]), entry("sessions/b.md", ["hook"])])
    index.shelf(Kind.RAW)
    index.apply(removed=["sessions/a.md", "sessions/never-there.md"])
    assert [path for path, _ in index.listing()] == ["sessions/b.md"]
    assert found(index, ["hook"]) == ["sessions/b.md#0"]
    assert nearest(index, "hook") == ["hook"]


def test_the_rest_is_scored_as_if_what_was_taken_out_had_never_been(index: Index) -> None:
    stays = entry("sessions/a.md", ["hook and bicycle", "bicycle"])
    index.apply([stays, entry("sessions/b.md", ["hook " * n for n in range(1, 9)])])
    index.shelf(Kind.RAW)
    index.apply(removed=["sessions/b.md"])
    alone = MemoryIndex()
    alone.apply([stays])
    ours, theirs = index.shelf(Kind.RAW), alone.shelf(Kind.RAW)
    scores = ours.bm25(split_terms("hook bicycle"))
    rows = ours.best(scores, 10)
    expected = theirs.bm25(split_terms("hook bicycle"))
    assert [float(scores[row]) for row in rows] == pytest.approx(sorted(map(float, expected), reverse=True))


def test_equal_scores_stand_in_order_of_ids_however_they_came(index: Index) -> None:
    names = [f"sessions/{n:03}.md" for n in range(150)]
    index.apply([entry(name, ["the same words"]) for name in names[1::2]])
    index.shelf(Kind.RAW)
    for name in names[140::2]:
        index.apply([entry(name, ["the same words"])])
    index.apply([entry(name, ["the same words"]) for name in reversed(names[:140:2])])
    assert [id.partition("#")[0] for id in found(index, ["words"])] == names[:10]
    shelf = index.shelf(Kind.RAW)
    scores = shelf.cosine(unit("something else"))
    assert len({float(scores[row]) for row in shelf.best(scores, 200)}) == 1
    assert [c.path for c in shelf.chunks(shelf.best(scores, 20))] == names[:20]


def test_vectors_are_known_by_digest(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["hook", "bicycle"])])
    known = index.known_vectors([digest_passage("hook"), digest_passage("never seen")])
    assert list(known) == [digest_passage("hook")]
    np.testing.assert_array_equal(known[digest_passage("hook")], unit("hook"))


def test_records_come_back_whole(index: Index) -> None:
    record = {
        "key": "01KBP2",
        "id": "01KBP2",
        "title": 'Töne: "quoted" 東京',
        "body": "A body.\n\nWith two paragraphs.",
        "tokens": 12,
        "project": "owner/name",
        "created": datetime(2026, 1, 21, 14, 36, 9, tzinfo=UTC),
        "updated": datetime(2026, 2, 1, tzinfo=UTC),
        "namespace": Namespace.QUICK_REFERENCE,
        "tier": Tier.PROCEDURE,
        "type": NoteType.COMMAND,
        "status": Status.SUPERSEDED,
        "importance": 0.7,
        "confidence": 0.9,
        "valid_from": date(2026, 1, 21),
        "valid_to": date(2026, 3, 1),
        "superseded_by": "01KBP3",
        "supersedes": ("01KBP0", "01KBP1"),
        "tags": ("hooks", "ümlaut"),
        "sources": (Provenance("claude-code:abc", (12, 14)),),
    }
    document, vectors = entry("quick-reference/n.md", ["A body."], Kind.DISTILLED, **record)
    index.apply([(document, vectors)])
    shelf = index.shelf(Kind.DISTILLED)
    assert shelf.records([0]) == [document.record]
    assert shelf.chunks([0]) == list(document.chunks)
    np.testing.assert_array_equal(shelf.vectors([0]), vectors)


def test_columns_say_what_the_chunks_say(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["one", "two words", "and three words"])])
    shelf = index.shelf(Kind.RAW)
    order = np.argsort(shelf.turn)
    assert shelf.turn[order].tolist() == [0, 1, 2]
    assert shelf.tokens[order].tolist() == [1, 2, 3]
    assert shelf.role.tolist() == [1, 1, 1]
    assert shelf.at[order].tolist() == [datetime(2026, 1, 1, 0, n, tzinfo=UTC).timestamp() for n in range(3)]
    assert len(set(shelf.document.tolist())) == 1
    assert bool(shelf.live.all())


def test_a_document_without_chunks_is_held(index: Index) -> None:
    index.apply([entry("sessions/empty.md", [])])
    assert [path for path, _ in index.listing()] == ["sessions/empty.md"]


def test_an_index_in_order_has_nothing_to_complain_of(index: Index) -> None:
    index.apply([entry("sessions/a.md", ["hook", "bicycle"]), entry("docs/n.md", ["x"], Kind.DISTILLED)])
    index.apply([entry("sessions/a.md", ["hook"])], removed=["docs/n.md"])
    assert index.verify() == []

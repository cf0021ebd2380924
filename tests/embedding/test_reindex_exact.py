"""With the real model: an index that grew and one that was rebuilt are the same to the last bit."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from seci.core.chunk import Kind
from seci.core.ports import StoredSession
from seci.core.session import Role, Session, Turn
from seci.embedding.onnx import OnnxEmbedder
from seci.flows.reindex import reindex
from seci.index.dual import DualIndex, open_index
from seci.index.keyword import Stamp

pytestmark = pytest.mark.model

WORDS = [
    "the",
    "hook",
    "registry",
    "keeps",
    "old",
    "paths",
    "after",
    "an",
    "agent",
    "was",
    "added",
    "so",
    "rebuild",
    "it",
    "before",
    "deploying",
    "on",
    "port",
    "8080",
]
QUESTIONS = ("which port", "rebuild the registry", "agent paths")


class Archive:
    def __init__(self, sessions: dict[str, Session]) -> None:
        self.sessions = sessions

    def listing(self) -> Iterator[tuple[str, str]]:
        for path, session in self.sessions.items():
            yield path, hashlib.sha256(repr(session).encode()).hexdigest()

    def load(self, path: str) -> StoredSession:
        return StoredSession(path, self.sessions[path], dict(self.listing())[path])


def make_sessions() -> dict[str, Session]:
    generator = random.Random(5)
    sessions = {}
    for number in range(4):
        texts = [" ".join(generator.choices(WORDS, k=generator.choice((3, 12, 40, 270)))) for _ in range(5)]
        turns = tuple(Turn(n, Role.USER if n % 2 else Role.ASSISTANT, text) for n, text in enumerate(texts))
        sessions[f"sessions/{number}.md"] = Session("test", str(number), turns)
    return sessions


def answers(index: DualIndex, embedder: OnnxEmbedder) -> list[list[tuple[str, float]]]:
    shelf = index.shelf(Kind.RAW)
    found = []
    for question in QUESTIONS:
        scores = shelf.cosine(embedder.embed_query(question))
        rows = shelf.best(scores, 100)
        found.append([(c.id, float(scores[row])) for c, row in zip(shelf.chunks(rows), rows, strict=True)])
    return found


def test_grown_and_rebuilt_answer_alike(exported: Path, embedder: OnnxEmbedder, tmp_path: Path) -> None:
    stamp = Stamp(embedder.name, embedder.dimensions, embedder.window)
    sessions = make_sessions()
    with open_index(tmp_path / "rebuilt", stamp) as index:
        reindex(Archive(sessions), index, embedder, embedder.counter)
        expected = answers(index, embedder)
        assert int(index.shelf(Kind.RAW).tokens.max()) <= embedder.window
    other = OnnxEmbedder(exported, threads=2)
    with open_index(tmp_path / "grown", stamp) as index:
        so_far: dict[str, Session] = {}
        for path, session in reversed(sessions.items()):
            so_far[path] = Session(session.source, session.id, session.turns[:3])
            reindex(Archive(so_far), index, other, other.counter)
            index.shelf(Kind.RAW)
        reindex(Archive(dict(sessions)), index, other, other.counter)
        assert answers(index, embedder) == expected
    assert len(expected[0]) > 20

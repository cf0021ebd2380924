"""Pairs from the index's vectors: nothing is embedded that the index has, and the contradiction pass before recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from seci.core.apart import keep_apart
from seci.core.chunk import Kind
from seci.core.context import Candidate
from seci.core.note import Namespace, Note, NoteType, Status, Tier
from seci.core.ports import StoredNote
from seci.errors import VaultError
from seci.flows.pairing import NotePairs, find_outdated
from seci.flows.reindex import build_document
from seci.index.memory import MemoryIndex

START = datetime(2026, 1, 1, tzinfo=UTC)


class WordCounter:
    def count(self, text: str) -> int:
        return len(text.split())

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        words = text.split()
        return [" ".join(words[i : i + limit]) for i in range(0, len(words), limit)]


class WordEmbedder:
    """A dimension for each word it has met; remembers what it was asked."""

    name, dimensions, window = "words", 64, 20

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._words: dict[str, int] = {}

    @property
    def counter(self) -> WordCounter:
        return WordCounter()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        rows = np.full((len(texts), self.dimensions), 1e-6, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", "").split():
                row[self._words.setdefault(word, len(self._words)) % self.dimensions] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.embed([text])[0], np.float32)


def note(number: int, body: str, day: int = 0) -> Note:
    return Note(f"{number:026d}", "", body, Namespace.DOCS, type=NoteType.FACT, created=START + timedelta(days=day))


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def index() -> MemoryIndex:
    return MemoryIndex()


def put(index: MemoryIndex, embedder: WordEmbedder, *notes: Note) -> None:
    for one in notes:
        document = build_document(StoredNote(f"docs/{one.id}.md", one, one.id), embedder.counter, embedder.window)
        index.apply([(document, embedder.embed([chunk.passage for chunk in document.chunks]))])


def test_only_what_the_index_lacks_is_embedded_and_only_once(index: MemoryIndex, embedder: WordEmbedder) -> None:
    known, fresh = note(1, "The API listens on port 8080."), note(2, "The API listens on port 8081.")
    put(index, embedder, known)
    embedder.asked.clear()
    pairs = NotePairs(index, embedder, embedder.counter)
    (pair,) = pairs([fresh, known])
    assert (pair.a, pair.b) == (known.id, fresh.id) and 0.8 < pair.similarity < 0.9
    assert embedder.asked == [fresh.body]
    assert pairs([replace(known, importance=0.9)]) == []
    assert embedder.asked == [fresh.body]


def test_a_note_of_several_chunks_has_the_direction_of_their_mean(index: MemoryIndex, embedder: WordEmbedder) -> None:
    long = note(1, " ".join(["left"] * 20 + ["right"] * 20))
    (vector,) = NotePairs(index, embedder, embedder.counter).vectors([long])
    left, right = embedder.embed(["left", "right"])
    assert float(np.linalg.norm(vector)) == pytest.approx(1)
    assert float(vector @ left) == pytest.approx(float(vector @ right)) == pytest.approx(0.5**0.5, abs=1e-3)


def test_superseded_notes_are_compared_with_nothing(index: MemoryIndex, embedder: WordEmbedder) -> None:
    gone = replace(note(1, "The API listens on port 8080."), status=Status.SUPERSEDED)
    assert NotePairs(index, embedder, embedder.counter)([gone, note(2, gone.body)]) == []


def candidate(one: Note) -> Candidate:
    return Candidate(one.id, Kind.DISTILLED, Tier.MEMORY, f"docs/{one.id}.md", one.title, one.body, 0.5)


OLD = "The deadline of the beta for all testers is 10 March."


def test_the_outdated_of_two_conflicting_notes_is_found(index: MemoryIndex, embedder: WordEmbedder) -> None:
    old, new = note(1, OLD), note(2, OLD.replace("is 10", "moved to 20"), 30)
    other = note(3, "The deadline of the alpha for two partners is 1 February.")
    put(index, embedder, old, new, other)
    assert find_outdated([candidate(n) for n in (old, new, other)], index) == {old.id: new.id}


def test_what_a_person_keeps_apart_stands_in_a_context(index: MemoryIndex, embedder: WordEmbedder) -> None:
    old, new = note(1, OLD), note(2, OLD.replace("is 10", "moved to 20"), 30)
    put(index, embedder, old, new)
    files = {f"docs/{old.id}.md": keep_apart(old, [new.id]), f"docs/{new.id}.md": new}
    assert find_outdated([candidate(n) for n in (old, new)], index, files.__getitem__) == {}

    def gone(path: str) -> Note:
        raise VaultError("is not there", subject=path)

    assert find_outdated([candidate(n) for n in (old, new)], index, gone) == {old.id: new.id}


def test_without_an_order_in_time_both_stay(index: MemoryIndex, embedder: WordEmbedder) -> None:
    pair = note(1, OLD), note(2, OLD.replace("10 March", "20 March"))
    put(index, embedder, *pair)
    assert find_outdated([candidate(n) for n in pair], index) == {}

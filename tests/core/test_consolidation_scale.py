"""A plan costs what its pairs cost, and pairs grow with the notes, not with their square."""

from __future__ import annotations

import os
import random
import time
import zlib
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from seci.core.consolidation import plan_consolidation
from seci.core.neighbours import CandidatePair, content_words, select_pairs
from seci.core.note import Namespace, Note, NoteType, Provenance, note_id

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=400)
SENTENCES = [
    "The {a} service listens on port {n}.",
    "{a} prefers {b} to {c}.",
    "The timeout of the {a} {b} is {n} seconds.",
    "The {a} moved from {b} to {c}.",
    "Never {a} the {b} without a {c}.",
]
BUDGET = 60.0  # CPU seconds for ten thousand notes (issue 6)


def make_notes(count: int) -> list[Note]:
    """Notes in invented words, a tenth of them said twice."""
    chance = random.Random(5)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "ai")]
    words = ["".join(chance.choices(syllables, k=3)) for _ in range(count // 2 + 500)]
    notes: list[Note] = []
    for i in range(count):
        a, b, c = chance.choices(words, k=3)
        body = chance.choice(SENTENCES).format(a=a, b=b, c=c, n=chance.randint(2, 9999))
        if notes and chance.random() < 0.1:
            body = chance.choice(notes).body
        created, sources = START + timedelta(hours=i % 4000), (Provenance(f"x:{i // 8}", (i % 8,)),)
        ident = note_id(created, sources, body)
        notes.append(Note(ident, "", body, Namespace.DOCS, type=NoteType.FACT, created=created, sources=sources))
    return sorted(notes, key=lambda note: note.id)


def _direction(word: str) -> NDArray[np.float32]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(128).astype(np.float32)


def find_pairs(notes: list[Note]) -> list[CandidatePair]:
    words = [content_words(note.body) for note in notes]
    directions: dict[str, NDArray[np.float32]] = {}
    vectors = np.zeros((len(notes), 128), np.float32)
    for row, said in zip(vectors, words, strict=True):
        for word in said:
            if word not in directions:
                directions[word] = _direction(word)
            row += directions[word]
        row /= np.linalg.norm(row)
    return select_pairs([note.id for note in notes], vectors, words)


def test_pairs_grow_with_the_notes() -> None:
    small, large = (len(find_pairs(make_notes(count))) for count in (500, 2000))
    assert small < 40 * 500 and large < 40 * 2000
    assert large < 6 * small, "four times the notes, and far more than four times the pairs"


def test_every_note_said_twice_is_found_among_many() -> None:
    notes = make_notes(1500)
    plan = plan_consolidation(notes, find_pairs(notes), NOW)
    bodies = [note.body for note in plan.after.values()]
    assert len(bodies) == len(set(bodies))
    assert len(plan.successors) >= len(notes) - len({note.body for note in notes})


@pytest.mark.torture
@pytest.mark.skipif("SECI_TORTURE" not in os.environ, reason="make torture runs it")
def test_ten_thousand_notes_in_a_minute() -> None:
    notes = make_notes(10_000)
    began = time.process_time()
    plan = plan_consolidation(notes, find_pairs(notes), NOW)
    assert time.process_time() - began < BUDGET
    assert plan.merges

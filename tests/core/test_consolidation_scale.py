"""A plan costs what its pairs cost, and pairs grow with the notes, not with their square."""

from __future__ import annotations

import os
import time

import pytest

from seci.bench.growth import NOW, make_notes, make_vectors
from seci.core.consolidation import plan_consolidation
from seci.core.neighbours import CandidatePair, content_words, select_pairs
from seci.core.note import Note

BUDGET = 60.0  # CPU seconds for ten thousand notes (issue 6)


def find_pairs(notes: list[Note]) -> list[CandidatePair]:
    words = [content_words(note.body) for note in notes]
    return select_pairs([note.id for note in notes], make_vectors(words), words)


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

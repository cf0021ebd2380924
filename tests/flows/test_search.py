"""Several rankings at once are those that each question alone would get."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from seci.bench.generated import Generator
from seci.core.chunk import Kind
from seci.core.ranking import Query, Unit
from seci.flows import together
from seci.flows.search import Finder, search, search_each
from seci.index.memory import MemoryIndex
from seci.index.tables import question_terms


def test_shelves_that_are_looked_through_at_the_same_time_answer_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generator, index = Generator(16), MemoryIndex()
    for batch in generator.documents(300):
        index.apply(batch)
    finder = Finder(index, lambda question: np.eye(16, dtype=np.float32)[len(question) % 16], question_terms)
    both = Query(generator.question(), limit=200)
    queries = [
        replace(both, kinds=frozenset({Kind.DISTILLED}), unit=Unit.NOTE),
        replace(both, kinds=frozenset({Kind.RAW}), unit=Unit.TURN),
        both,
    ]
    alone = [search(query, finder) for query in queries]
    monkeypatch.setattr(together, "LARGE", 1)
    monkeypatch.setattr(together, "_processors", lambda: 4)
    together._pool.cache_clear()
    assert search_each(queries, finder) == alone
    assert all(ranking.hits for ranking in alone)
    assert {hit.kind for hit in alone[2].hits} == set(Kind)

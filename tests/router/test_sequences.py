"""The history in chunks: right-aligned, cut from the session's start, blind to what comes later."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seci.core.session import Role, Session, Turn
from seci.router.sequences import assemble_sequences, recent_chunks
from seci.router.vectors import embed_turns

from .conftest import HashedWords


def unit_rows(count: int, width: int = 4) -> np.ndarray:
    rows = np.random.default_rng(count).standard_normal((count, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_first_turn_has_no_history() -> None:
    sequences, mask = assemble_sequences(unit_rows(3), 2, 5)
    assert mask[0].tolist() == [0, 0, 1]
    assert not sequences[0, :2].any()


def test_chunks_are_cut_from_the_start_and_the_last_may_be_short() -> None:
    rows = unit_rows(13)
    chunks = recent_chunks(list(rows[:12]), 2, 5)
    assert len(chunks) == 2
    for chunk, part in zip(chunks, (rows[5:10], rows[10:12]), strict=True):
        mean = part.mean(axis=0)
        assert np.allclose(chunk, mean / np.linalg.norm(mean))


@given(st.integers(1, 40), st.integers(0, 4), st.integers(1, 6))
def test_a_prefix_gives_the_same_sequences(count: int, chunks: int, size: int) -> None:
    rows = unit_rows(count)
    whole, mask = assemble_sequences(rows, chunks, size)
    part, part_mask = assemble_sequences(rows[: count // 2], chunks, size)
    assert np.array_equal(whole[: count // 2], part)
    assert np.array_equal(mask[: count // 2], part_mask)
    assert np.array_equal(whole[:, -1], rows)


def test_a_turn_past_the_window_is_read_whole(embedder: HashedWords) -> None:
    long = " ".join(f"word{number}" for number in range(30))
    session = Session("s", "1", (Turn(0, Role.USER, long), Turn(1, Role.USER, "short"), Turn(2, Role.USER, " ")))
    vectors = embed_turns(session, embedder)
    assert len(embedder.embedded) == 4  # three windows of the long turn, one of the short, none of the blank
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1.0, 1.0, 0.0], atol=1e-5)
    assert not np.allclose(vectors[0], embedder.embed_query(" ".join(long.split()[:12])))

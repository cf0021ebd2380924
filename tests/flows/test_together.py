"""Pieces of work at the same time give what they give one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from seci.flows import together
from seci.flows.together import LARGE, Work, run_together


@pytest.fixture
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "_processors", lambda: 2)
    together._pool.cache_clear()


@pytest.mark.usefixtures("two_processors")
def test_large_pieces_run_at_the_same_time_and_answer_in_order() -> None:
    meeting = threading.Barrier(2, timeout=10)

    def meet(name: str) -> Callable[[], str]:
        def work() -> str:
            meeting.wait()  # nobody passes alone
            return name

        return work

    assert run_together([Work(LARGE, meet("first")), Work(LARGE, meet("second"))]) == ["first", "second"]


@pytest.mark.usefixtures("two_processors")
def test_small_pieces_stay_in_the_thread_that_asks() -> None:
    pieces = [Work(size, threading.get_ident) for size in (LARGE, LARGE - 1)]
    assert set(run_together(pieces)) == {threading.get_ident()}


@pytest.mark.usefixtures("two_processors")
def test_what_goes_wrong_in_a_piece_is_raised() -> None:
    def fail() -> int:
        raise ValueError("no such row")

    with pytest.raises(ValueError, match="no such row"):
        run_together([Work(LARGE, fail), Work(LARGE, lambda: 1)])

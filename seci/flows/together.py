"""Work on large arrays, several pieces at the same time where the machine has the processors: numpy lets others run
while it computes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

T = TypeVar("T")
LARGE = 20_000  # rows; below that handing over costs as much as it saves


@dataclass(frozen=True, slots=True)
class Work(Generic[T]):
    """A piece of work over so many rows. It must touch nothing that another one changes, and no database."""

    size: int
    run: Callable[[], T]


def run_together(pieces: Sequence[Work[T]]) -> list[T]:
    """The results, in order; the last piece runs here."""
    if len(pieces) < 2 or min(piece.size for piece in pieces) < LARGE or _processors() < 2:
        return [piece.run() for piece in pieces]
    others = [_pool().submit(piece.run) for piece in pieces[:-1]]
    last = pieces[-1].run()
    return [*(other.result() for other in others), last]


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_processors() - 1, thread_name_prefix="search")


def _processors() -> int:
    return os.cpu_count() or 1

"""A process that dies in the middle of an apply: `python crashing_writer.py STATE STEP`.

It kills itself, with the signal that nothing can catch, at the STEPth of the points that matter: before and after
each write to Chroma, the announcement, each row that goes into the tables, and the commit.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import DIMENSIONS, make_entry

from seci.index.chroma import ChromaIndex
from seci.index.dual import open_index
from seci.index.keyword import KeywordTables, Stamp

points = 0


def dying(original: Callable[..., Any], last: int) -> Callable[..., Any]:
    def step(*arguments: Any) -> Any:
        _point(last)
        result = original(*arguments)
        _point(last)
        return result

    return step


def _point(last: int) -> None:
    global points
    points += 1
    if points == last:
        os.kill(os.getpid(), signal.SIGKILL)


def main(state: str, step: int) -> None:
    with open_index(Path(state), Stamp("test-model", DIMENSIONS, 16)) as index:
        index.settle()
        for owner, name in (
            (KeywordTables, "announce"),
            (ChromaIndex, "remove"),
            (ChromaIndex, "put"),
            (KeywordTables, "replace"),
            (KeywordTables, "_insert"),
        ):
            setattr(owner, name, dying(getattr(owner, name), step))
        index.apply(
            [make_entry("sessions/new.md", "a new turn", "another one"), make_entry("docs/kept.md", "it was changed")],
            ["sessions/old.md"],
        )
    print(points)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

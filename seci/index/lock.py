"""Who may open Chroma: the holder of `.seci/index.lock`, and nobody else.

Two processes in one Chroma folder corrupt it, so the lock is taken before the folder is touched and kept until it is
closed. The operating system frees it when the holder dies, however it dies.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seci.errors import IndexBusyError, IndexingError
from seci.index.tables import HOLDER, LOCK


@contextmanager
def own_index(state: Path, wait: float = 0.0) -> Iterator[None]:
    """Holds the lock of the index in a vault's `.seci` folder. After `wait` seconds raises IndexBusyError that names
    the holder."""
    from filelock import FileLock, Timeout

    try:
        state.mkdir(exist_ok=True)  # never a vault that is gone
        lock = FileLock(state / LOCK, timeout=wait, thread_local=False)
        lock.acquire()
    except Timeout:
        raise IndexBusyError(
            f"the index is held by {read_holder(state)}",
            subject=str(state / LOCK),
            hint="wait for it to end, or stop it",
        ) from None
    except OSError as error:
        raise IndexingError(f"cannot be locked: {error.strerror or error}", subject=str(state / LOCK)) from error
    try:
        _write_holder(state)
        yield
    finally:
        lock.release()


def read_holder(state: Path) -> str:
    """ "`seci watch`, process 4711" of whoever took the lock last, or "another process"."""
    try:
        holder = json.loads((state / HOLDER).read_text(encoding="utf-8"))
        return f"`{holder['command']}`, process {holder['pid']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _write_holder(state: Path) -> None:
    """In a file of its own: whoever tries the lock truncates the lock file."""
    program = Path(sys.argv[0]).name.replace("entry.py", "seci")  # as a resident process is started
    command = " ".join([program, *sys.argv[1:2]]).strip() or "python"
    try:
        (state / HOLDER).write_text(json.dumps({"pid": os.getpid(), "command": command}), encoding="utf-8")
    except OSError as error:
        raise IndexingError(f"cannot be written: {error.strerror or error}", subject=str(state / HOLDER)) from error

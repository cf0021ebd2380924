"""Whose call this is: the process's own, or one that a client forwarded to the resident process.

A resident runs many calls at once in one process, so a command never asks `os` for its directory, its variables or
its terminal; it asks here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from seci.app import App

INTERRUPTED = 130  # exit code, as every shell gives it for Ctrl-C


def _open_fresh(vault: Path | None, cwd: Path, environ: Mapping[str, str]) -> App:
    from seci.app import open_app

    return open_app(vault, cwd, environ)


@dataclass(frozen=True, slots=True)
class Invocation:
    """`stdout` and `stderr` None mean the process's own; `width` None means that the output is not a terminal."""

    cwd: Path
    environ: Mapping[str, str]
    stdout: IO[str] | None = None
    stderr: IO[str] | None = None
    stdin: IO[str] | None = None
    width: int | None = None
    open: Callable[[Path | None, Path, Mapping[str, str]], App] = field(default=_open_fresh)

    def open_app(self, vault: Path | None) -> App:
        """The vault that is meant, with its adapters. Raises VaultNotFoundError."""
        return self.open(vault, self.cwd, self.environ)

    def stream(self, stderr: bool = False) -> IO[str]:
        return (self.stderr or sys.stderr) if stderr else (self.stdout or sys.stdout)


_forwarded: ContextVar[Invocation | None] = ContextVar("invocation", default=None)


def current() -> Invocation:
    """The call that is being answered."""
    return _forwarded.get() or Invocation(Path.cwd(), os.environ)


def answer_as(invocation: Invocation, run: Callable[[], int]) -> int:
    """Runs a command for somebody else's call and gives its exit code."""
    token = _forwarded.set(invocation)
    try:
        return run()
    finally:
        _forwarded.reset(token)

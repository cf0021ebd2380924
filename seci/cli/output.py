"""How results reach the terminal: JSON on standard output, or rich for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from seci.cli.invocation import current

if TYPE_CHECKING:
    from rich.console import Console


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    current().stream().write(text + "\n")


def console(stderr: bool = False) -> Console:
    """A console without colours where the output is not a terminal."""
    from rich.console import Console

    call = current()
    stream = call.stream(stderr)
    terminal = call.width is not None or stream.isatty()
    return Console(
        file=stream,
        highlight=False,
        emoji=False,  # what somebody wrote is shown as it was written: ":memo:" is a word of theirs
        soft_wrap=not terminal,
        force_terminal=terminal,
        width=call.width,
    )


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> None:
    """A table; the last column takes the width that is left."""
    from rich import box
    from rich.table import Table

    target = console()
    if not target.is_terminal:
        target.soft_wrap = False
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        last = number == len(columns) - 1
        table.add_column(column, no_wrap=not last, overflow="fold", ratio=1 if last else None)
    for row in rows:
        table.add_row(*(_plain(cell) for cell in row))
    target.print(table)


def _plain(cell: str) -> str:
    from rich.markup import escape

    return escape(cell)


class Advance(Protocol):
    """Called once for each finished step, with the total where it has become known."""

    def __call__(self, steps: int = 1, total: int | None = None) -> None: ...


@contextmanager
def progress(label: str, quiet: bool, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on standard error, shown only on a terminal and only when the work takes over a second."""
    if quiet or current().width is not None or not sys.stderr.isatty():
        yield lambda steps=1, total=None: None
        return
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(label, total=total)
    began = time.monotonic()
    started = False

    def advance(steps: int = 1, total: int | None = None) -> None:
        nonlocal started
        if total is not None:
            bar.update(task, total=total)
        bar.advance(task, steps)
        if not started and time.monotonic() - began > 1.0:
            bar.start()
            started = True

    try:
        yield advance
    finally:
        if started:
            bar.stop()

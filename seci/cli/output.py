"""How results reach the terminal: JSON on standard output, or rich for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from seci.cli.invocation import current

if TYPE_CHECKING:
    from rich.console import Console

    from seci.core.session import Failure
    from seci.errors import SeciError


PATIENCE = 1.0  # seconds that work may take without a word


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    current().stream().write(text + "\n")


def error_shape(error: SeciError) -> dict[str, Any]:
    """What a command prints of an error under --json."""
    fields = {"kind": type(error).__name__, "subject": error.subject, "reason": error.reason, "hint": error.hint}
    return {"error": fields}


def print_failures(failures: Iterable[Failure]) -> None:
    """What was left out and why, on standard error."""
    for failure in failures:
        console(stderr=True).print(f"left out  {failure.path}: {failure.reason}", markup=False)


def print_diff(text: str) -> None:
    """Coloured on a terminal, long lines folded; as it is elsewhere."""
    out = console()
    if out.is_terminal:
        from rich.syntax import Syntax

        out.print(Syntax(text, "diff", theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        out.print(text, markup=False, end="")


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


class Advance(Protocol):
    """Called once for each finished step, with the total where it has become known."""

    def __call__(self, steps: int = 1, total: int | None = None) -> None: ...


def _of(total: int | None) -> str:
    return "" if total is None else f"/{total}"


def count(number: int, thing: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


@contextmanager
def progress(label: str, quiet: bool, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on standard error, shown only on a terminal and only when the work takes over a second."""
    if quiet or current().width is not None or not sys.stderr.isatty():
        yield lambda steps=1, total=None: None
        return
    from threading import Timer

    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn(label),
        BarColumn(),
        TextColumn("{task.completed}{task.fields[of]}"),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(label, total=total, of=_of(total))
    # By the clock and not with the first step, which may be the one that takes long.
    starting = Timer(PATIENCE, bar.start)
    starting.daemon = True
    starting.start()

    def advance(steps: int = 1, total: int | None = None) -> None:
        if total is not None:
            bar.update(task, total=total, of=_of(total))
        bar.advance(task, steps)

    try:
        yield advance
    finally:
        starting.cancel()
        starting.join()
        if bar.live.is_started:
            bar.stop()

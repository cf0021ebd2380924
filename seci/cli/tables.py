"""Tables for whoever reads them: a grid where the terminal is wide enough for it, one entry below the other where it is
not, and whole lines without a frame where a file or another program reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seci.cli.invocation import current
from seci.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console

NARROWEST = 24  # columns that the last cell of a row needs to be read with ease, unless all it says is shorter
_GAP = 3  # columns between two cells of a grid: what rich's frame and padding take

Rows = Sequence[Sequence[str]]


def print_table(columns: Sequence[str], rows: Rows, title: str | None = None) -> None:
    """A table; the last column takes the width that is left. Nothing is ever cut off."""
    rows = [[*(" ".join(cell.split("\n")) for cell in row[:-1]), row[-1]] for row in rows]
    target = console()
    if not target.is_terminal:
        _write_lines(columns, rows, title)
    elif target.width - _taken(columns, rows) >= min(NARROWEST, _widest(columns[-1], [row[-1] for row in rows])):
        _print_grid(target, columns, rows, title)
    else:
        _print_stacked(target, columns, rows, title)


def _widest(*parts: str | Sequence[str]) -> int:
    from rich.cells import cell_len

    cells = [cell for part in parts for cell in ([part] if isinstance(part, str) else part)]
    return max((cell_len(line) for cell in cells for line in cell.split("\n")), default=0)


def _taken(columns: Sequence[str], rows: Rows) -> int:
    """What all columns but the last take of the width."""
    return sum(_widest(name, [row[i] for row in rows]) + _GAP for i, name in enumerate(columns[:-1]))


def _print_grid(target: Console, columns: Sequence[str], rows: Rows, title: str | None) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        last = number == len(columns) - 1
        table.add_column(column, no_wrap=not last, overflow="fold", ratio=1 if last else None)
    for row in rows:
        table.add_row(*map(Text, row))
    target.print(table)


def _print_stacked(target: Console, columns: Sequence[str], rows: Rows, title: str | None) -> None:
    """For each row its short cells, each behind its column's name, and below them, indented, the last one."""
    from rich.padding import Padding
    from rich.text import Text

    if title:
        target.print(title, markup=False, style="italic")
    for row in rows:
        named = [f"{name} {cell}".strip() for name, cell in zip(columns[:-1], row, strict=False) if cell]
        target.print("  ".join(named), markup=False, style="dim", overflow="fold")
        target.print(Padding(Text(row[-1], overflow="fold"), (0, 0, 0, 2)))


def _write_lines(columns: Sequence[str], rows: Rows, title: str | None) -> None:
    """One line a row, in columns; a cell of several lines goes on below itself."""
    from rich.cells import set_cell_size

    widths = [_widest(name, [row[i] for row in rows]) for i, name in enumerate(columns[:-1])]
    lines = [f"\n{title}"] if title else []
    for row in (columns, *rows):
        first, *more = row[-1].split("\n")
        cells = [set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, first]).rstrip())
        lines += [f"{' ' * (sum(widths) + 2 * len(widths))}{line}".rstrip() for line in more]
    text = "\n".join(lines).encode("utf-8", "replace").decode("utf-8")
    current().stream().write(f"{text}\n")

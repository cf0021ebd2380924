"""Tables are readable wherever they go: nothing is cut, and no column becomes a strip of single letters."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from seci.cli.invocation import Invocation, answer_as
from seci.cli.main import run
from seci.cli.tables import print_table
from tests.conftest import Result

COLUMNS = ("id", "namespace", "title")
ROWS = [
    ("k3j2", "quick-reference", "Run the migrations against staging"),
    ("9xq1", "docs", "Every index in migrations/ is built\nCONCURRENTLY, [redacted:token] and all"),
]


def answer(command: Callable[[], object], width: int | None) -> str:
    out = io.StringIO()
    answer_as(Invocation(Path.cwd(), os.environ, stdout=out, width=width), lambda: (command() and 0) or 0)
    return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())


def render(width: int | None) -> str:
    return answer(lambda: print_table(COLUMNS, ROWS, title="two notes"), width)


def test_where_no_terminal_reads_it_a_row_is_a_line() -> None:
    assert render(None) == (
        "\ntwo notes\n"
        "id    namespace        title\n"
        "k3j2  quick-reference  Run the migrations against staging\n"
        "9xq1  docs             Every index in migrations/ is built\n"
        "                       CONCURRENTLY, [redacted:token] and all\n"
    )


@pytest.mark.parametrize("width", [100, 60, 40, 20])
def test_every_width_shows_every_word(width: int) -> None:
    said = render(width)
    lines = said.splitlines()
    assert max(map(len, lines)) <= width
    for word in " ".join(cell for row in ROWS for cell in row).split():
        assert word in said
    assert not [line for line in lines if len(line.strip()) == 1], "a column of one letter a line"


def test_a_narrow_terminal_gets_one_entry_below_the_other() -> None:
    assert [line.rstrip() for line in render(20).splitlines()] == [
        "two notes",
        "id k3j2  namespace",
        "quick-reference",
        "  Run the migrations",
        "  against staging",
        "id 9xq1  namespace",
        "docs",
        "  Every index in",
        "  migrations/ is",
        "  built",
        "  CONCURRENTLY,",
        "  [redacted:token]",
        "  and all",
    ]
    assert "id    " in render(100), "and a wide one gets a table"


COMMANDS = (["list"], ["audit"], ["doctor"], ["log"], ["consolidate", "--dry-run"], ["search", "postgres", "-k", "3"])


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_commands_cut_nothing(vault: Path, seci: Callable[..., Result], arguments: list[str]) -> None:
    plain = seci(*arguments).out
    assert not re.search(r"[ \t]{2,}\n", plain), "no padding"
    narrow = answer(lambda: run(arguments), 20)
    assert not re.findall(r"^ *\w *\n *\w *$", narrow, re.MULTILINE), "a column of one letter a line"
    if arguments[0] == "list":
        titles = [line.split(maxsplit=4)[4] for line in plain.splitlines()[1:]]
        assert len(titles) == len(list(vault.glob("*/*-*.md")))
        for title in titles:
            assert re.sub(r"\W", "", title) in re.sub(r"\W", "", narrow)


def test_a_diff_is_folded_and_not_cut(vault: Path, seci: Callable[..., Result]) -> None:
    folded = "".join(answer(lambda: run(["diff"]), 60).split())
    for line in seci("diff").out.splitlines():
        assert "".join(line.split()) in folded


def test_the_status_fits_into_twenty_columns(
    vault: Path, seci: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert re.search(r"^ {10} +\d+  projects$", seci("status").out, re.MULTILINE)
    monkeypatch.setenv("COLUMNS", "20")
    counts = [line for line in seci("status").out.splitlines() if line.endswith(("projects", "brain", "docs"))]
    assert len(counts) == 3 and max(map(len, counts)) <= 20

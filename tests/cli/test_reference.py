"""The written reference is what the commands say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seci.cli.reference import main, render_reference
from tests.conftest import REPOSITORY, Result


def test_the_reference_is_up_to_date() -> None:
    assert (REPOSITORY / "docs" / "cli.md").read_text("utf-8") == render_reference(), "run make docs"


def test_every_option_and_command_explains_itself() -> None:
    for line in render_reference().splitlines():
        if line.startswith("| `"):
            assert not line.endswith("|  |"), f"has no help: {line}"


def test_no_command_is_cut_off_in_the_list_of_them(seci: Callable[..., Result]) -> None:
    assert "..." not in seci("--help").out.replace("[ARGS]...", "")


def test_a_stale_page_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "cli.md"
    assert main(["--check", str(page)]) == 1
    assert main([str(page)]) == 0
    assert main(["--check", str(page)]) == 0

"""The page on sources: its example works, and no source is missing from it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from seci.core.ports import Claim, Source
from seci.core.session import Failure, Role, Session
from seci.sources.registry import Registry, load_registry

PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")


@pytest.fixture
def pigeon() -> Source:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, type] = {}
    exec(compile(code, "docs/sources.md", "exec"), names)
    source: Source = names["PigeonSource"]()
    return source


def test_the_example_reads_what_it_says_it_reads(pigeon: Source, tmp_path: Path) -> None:
    log = tmp_path / ".pigeon" / "loft.pigeon"
    log.parent.mkdir()
    log.write_text(
        "2026-03-01T10:00:00Z me> Which way is north?\ncoo\n2026-03-01T10:00:05Z pigeon> Behind the church.\n",
        encoding="utf-8",
    )
    registry = Registry([pigeon])
    session, failure = sorted(registry.read([log]), key=lambda item: isinstance(item, Failure))
    assert isinstance(session, Session)
    assert [(turn.role, turn.text) for turn in session.turns] == [
        (Role.USER, "Which way is north?"),
        (Role.ASSISTANT, "Behind the church."),
    ]
    assert failure == Failure(f"{log}:2", "nobody speaks on this line")
    assert list(pigeon.discover(tmp_path, {})) == [log]
    assert pigeon.claim(tmp_path / "other.txt") is Claim.NONE


def test_the_entry_point_group_is_the_one_that_is_read() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert list(tomllib.loads(text)["project"]["entry-points"]) == ["seci.sources"]


def test_every_source_is_on_the_page() -> None:
    (table,) = re.findall(r"\| `--from`.*?\n\n", PAGE, re.DOTALL)
    first_column = [line.split("|")[1] for line in table.splitlines()[2:] if line]
    assert {name for cell in first_column for name in re.findall(r"`([^`]+)`", cell)} == set(load_registry().names)

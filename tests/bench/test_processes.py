"""Whole commands, really run, each beside an interpreter that does nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_commands_are_compared_with_a_bare_interpreter(
    seci: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seci.bench.processes.IDLE_SECONDS", 0.5)
    call = ("bench", "processes", "--notes", "12", "--rounds", "3", "--out", tmp_path / "out", "--json")
    told = seci(*call)
    assert told.code == 0, told.err
    shape = json.loads(told.out)
    ran = {command["command"]: command for command in shape["commands"]}
    assert set(shape["targets"]) < set(ran)
    assert ran["python -c pass"]["p50_multiple"] == 1
    assert all(command["p50_multiple"] > 0.5 for command in ran.values())
    assert shape["resident"]["memory_mb"] > 50
    assert json.loads((tmp_path / "out" / "processes.json").read_text()) == shape

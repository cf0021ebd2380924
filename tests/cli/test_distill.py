"""What `seci distill` says when there is nothing to read, when it is stopped, and whom it keeps waiting."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from seci.client.repository import read_head
from tests.conftest import EXAMPLES, Result

Seci = Callable[..., Result]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    place = tmp_path / "broken.jsonl"
    place.write_bytes(b"\x00\x01\x02")
    return place


def test_one_bad_file_is_one_line(seci: Seci, vault: Path, broken: Path) -> None:
    told = seci("distill", broken)
    assert (told.code, told.out) == (4, "")
    assert told.err == f"error: {broken}: is binary and of no known session format\n"


def test_of_several_bad_files_each_is_one_line(seci: Seci, vault: Path, broken: Path) -> None:
    (broken.parent / "empty.jsonl").touch()
    told = seci("distill", broken.parent)
    assert told.code == 4
    assert [line.split(":")[0].split()[0] for line in told.err.splitlines()] == ["left", "left", "error"]
    assert told.err.count("is empty") == 1


def test_bad_files_are_one_object(seci: Seci, vault: Path, broken: Path) -> None:
    told = seci("distill", broken, "--json")
    shape = json.loads(told.out)
    assert told.code == 4
    assert shape["error"]["reason"] == shape["failures"][0]["reason"] == "is binary and of no known session format"


def test_where_no_tool_keeps_sessions_it_says_where_it_looked(
    seci: Seci, vault: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))
    told = seci("distill", "--all")
    assert told.code == 0
    lines = {line.split()[0]: line for line in told.err.splitlines()}
    assert "~/.claude/projects" in lines["claude-code"]
    assert f"{tmp_path}/elsewhere/sessions and 1 more" in lines["codex"]
    assert len(lines) <= 15 and max(map(len, lines.values())) < 120
    kept = Path(os.environ["HOME"], ".claude", "projects", "x")
    shutil.copytree(EXAMPLES, kept)
    assert seci("distill", "--all").err == "", "nothing new is not nothing found"


@contextmanager
def interrupted_when(ready: Callable[[], bool]) -> Iterator[None]:
    def wait() -> None:
        until = time.monotonic() + 30
        while not ready() and time.monotonic() < until:
            time.sleep(0.02)
        interrupt_main()

    waiting = threading.Thread(target=wait)
    waiting.start()
    yield
    waiting.join()


def test_stopped_before_anything_is_written(seci: Seci, vault: Path, tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    session.write_text(json.dumps({"role": "user", "content": "Always paint the dock in ultramarine."}))
    before = read_head(str(vault))
    began = time.monotonic()
    with FileLock(vault / ".seci" / "lock"), interrupted_when(lambda: time.monotonic() - began > 1.5):
        told = seci("distill", session)
    assert told.code == 130
    assert told.err.strip() == "interrupted: nothing was written; the same command starts over"
    assert read_head(str(vault)) == before
    assert "of 1 session," in seci("distill", session).out


def test_stopped_after_the_commit(seci: Seci, vault: Path, tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    session.write_text(json.dumps({"role": "user", "content": "Always paint the dock in ultramarine."}))
    before = read_head(str(vault))

    def committed() -> bool:
        return read_head(str(vault)) != before and not (vault / ".seci" / "journal.json").exists()

    with FileLock(vault / ".seci" / "index.lock"), interrupted_when(committed):
        told = seci("distill", session)
    assert told.code == 130 and "the notes are committed" in told.err
    status = subprocess.run(["git", "status", "--short"], cwd=vault, capture_output=True, text=True, check=True)
    assert status.stdout == ""
    assert "ultramarine" in seci("search", "ultramarine dock", "-k", "1").out


@pytest.mark.model
def test_the_router_is_exported_before_others_have_to_wait(
    seci: Seci, vault: Path, model_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import seci.router.inference as inference

    cache = tmp_path / "cache"
    shutil.copytree(model_cache, cache, ignore=shutil.ignore_patterns("router-*"))
    monkeypatch.setenv("SECI_CACHE", str(cache))
    session = tmp_path / "s.jsonl"
    session.write_text(json.dumps({"role": "user", "content": "Always paint the dock in ultramarine."}))
    exported = []

    def export(trained: Path, encoder: Path, graph: Path) -> None:
        try:
            FileLock(vault / ".seci" / "lock", timeout=0).acquire().lock.release()
        except Timeout:
            pytest.fail("exported while the vault was locked")
        exported.append(shutil.copy(model_cache / graph.name, graph))

    monkeypatch.setattr(inference, "prepare_graph", export)
    assert "of 1 session," in seci("distill", session).out and len(exported) == 1

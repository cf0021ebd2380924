"""The resident process for real: started, asked by many at once, killed, and gone without a trace."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seci.client.wire import socket_of
from seci.config import trust_vault

SECONDS = 60


@pytest.fixture
def environ(model_cache: Path, vault: Path, tmp_path: Path) -> dict[str, str]:
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    fresh = {name: value for name, value in os.environ.items() if name != "SECI_RESIDENT"}
    fresh |= {"SECI_CACHE": str(model_cache), "XDG_RUNTIME_DIR": str(runtime), "SECI_RESIDENT": "off"}
    trust_vault(vault, fresh)
    return fresh


def seci(environ: dict[str, str], *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "seci.entry", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environ, timeout=SECONDS, check=False
    )


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def start(vault: Path, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "seci.entry", "watch", "--vault", str(vault), "--idle", "300"],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: socket_of(str(vault)))
    return process


@pytest.fixture
def resident(vault: Path, environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = start(vault, environ)
    environ["SECI_RESIDENT"] = ""  # from here on questions go to it
    yield process
    process.terminate()
    process.wait(SECONDS)


def prompt(session: str, text: str, cwd: Path) -> str:
    fields = {"session_id": session, "cwd": str(cwd), "hook_event_name": "UserPromptSubmit", "prompt": text}
    return json.dumps(fields)


def test_many_at_once_are_all_answered_by_one(vault: Path, environ: dict[str, str], resident: object) -> None:
    def hook(number: int) -> subprocess.CompletedProcess[str]:
        text = "why were the delivery webhooks of customers sent twice since Friday?"
        return seci(environ, "hook", "codex", stdin=prompt(f"s{number}", text, vault / "nowhere"))

    def search(number: int) -> subprocess.CompletedProcess[str]:
        return seci(environ, "search", "postgres full text search", "--json")

    with ThreadPoolExecutor(25) as pool:
        hooks, searches = pool.map(hook, range(20)), pool.map(search, range(5))
        found = [json.loads(done.stdout) for done in searches]
        answers = [(done.returncode, done.stderr) for done in hooks]
    assert all(not shape["degraded"] and shape["hits"] == found[0]["hits"] for shape in found)
    assert answers == [(0, "")] * 20
    holder = json.loads((vault / ".seci" / "index.holder").read_text())
    assert holder["pid"] == resident.pid  # type: ignore[attr-defined]


def test_it_answers_as_a_command_of_its_own_would(vault: Path, environ: dict[str, str], resident: object) -> None:
    asked = ("remember", "postgres or elasticsearch", "--now", "2026-04-01", "--budget", "500")
    forwarded = seci(environ, *asked)
    alone = seci(environ | {"SECI_RESIDENT": "off"}, *asked)
    assert forwarded.stdout == alone.stdout != ""
    wrong = seci(environ, "search", "x", "--method", "magic")
    assert (wrong.returncode, "hybrid, dense, keyword" in wrong.stderr) == (2, True)
    assert seci(environ, "search", "--nonsense").returncode == 2


def test_it_follows_the_files(vault: Path, environ: dict[str, str], resident: object) -> None:
    note = vault / "docs" / "zebra.md"
    note.write_text("The ultramarine zebra guards the loading dock.\n")

    def first() -> str:
        hits = json.loads(seci(environ, "search", "ultramarine zebra", "-k", "1", "--json").stdout)["hits"]
        return str(hits[0]["path"]) if hits else ""

    wait_for(lambda: first() == "docs/zebra.md")
    note.rename(vault / "docs" / "quagga.md")
    wait_for(lambda: first() == "docs/quagga.md")
    (vault / "docs" / "quagga.md").unlink()
    wait_for(lambda: first() != "docs/quagga.md")


def test_a_writer_hands_its_changes_over(
    vault: Path, environ: dict[str, str], resident: object, tmp_path: Path
) -> None:
    file = tmp_path / "s.jsonl"
    text = "From now on always paint the loading dock in ultramarine, because drivers miss it at night."
    file.write_text(json.dumps({"role": "user", "content": text}))
    assert seci(environ, "distill", str(file)).returncode == 0
    found = json.loads(seci(environ, "search", "ultramarine loading dock", "-k", "1", "--json").stdout)
    assert "ultramarine" in found["hits"][0]["snippet"]


def test_a_second_one_says_so_and_leaves(vault: Path, environ: dict[str, str], resident: object) -> None:
    second = seci(environ, "watch")
    assert second.returncode == 0
    assert "nothing to do" in second.stderr


def test_the_socket_is_the_users_alone_and_goes_with_it(vault: Path, environ: dict[str, str]) -> None:
    process = start(vault, environ)
    place = socket_of(str(vault))
    assert place is not None
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(place)).st_mode) == 0o700
    process.terminate()
    assert process.wait(SECONDS) == 0
    assert not os.path.exists(place)
    assert socket_of(str(vault)) is None


def test_after_a_kill_the_next_one_answers_like_a_rebuild(vault: Path, environ: dict[str, str]) -> None:
    process = start(vault, environ)
    for number in range(5):
        (vault / "docs" / f"zebra-{number}.md").write_text(f"Zebra number {number} guards the loading dock.\n")
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait(SECONDS)
    question = ("search", "zebra loading dock", "-k", "8", "--json")
    after = json.loads(seci(environ, *question).stdout)["hits"]
    assert json.loads(seci(environ, "reindex", "--check", "--json").stdout) == {"equal": True, "differences": []}
    shutil.rmtree(vault / ".seci" / "index")
    assert json.loads(seci(environ, *question).stdout)["hits"] == after


def test_a_vault_that_disappears_and_comes_back(
    vault: Path, environ: dict[str, str], resident: object, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    vault.rename(away)
    time.sleep(3)
    assert seci(environ, "search", "postgres", "--vault", str(vault)).returncode == 3
    shutil.rmtree(vault, ignore_errors=True)  # a lock file that a write under way has left
    away.rename(vault)
    wait_for(lambda: json.loads(seci(environ, "search", "postgres", "--json").stdout)["hits"])
    wait_for(lambda: resident_of(vault))


def resident_of(vault: Path) -> int | None:
    """The process number that the vault's pointer names, where it is one that lives."""
    try:
        number = int((vault / ".seci" / "resident").read_text().splitlines()[1])
        os.kill(number, 0)
    except (OSError, IndexError):
        return None
    return number


def test_it_stops_when_nobody_asks(vault: Path, environ: dict[str, str]) -> None:
    done = seci(environ, "watch", "--idle", "1")
    assert done.returncode == 0
    assert socket_of(str(vault)) is None

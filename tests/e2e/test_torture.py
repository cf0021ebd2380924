"""The resident process under load: everything at once, killed at any moment, thousands of files in one go.

Long; run by `make torture`.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seci.client.wire import ask, encode_request, socket_of
from seci.config import trust_vault

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(not os.environ.get("SECI_TORTURE"), reason="long; SECI_TORTURE=1 runs it"),
]

SECONDS = 300
ROUNDS = int(os.environ.get("SECI_TORTURE_ROUNDS", "100"))
BURST = 5000
QUESTION = ("search", "zebra guards the loading dock", "-k", "20", "--json")


class Household:
    """A vault, an environment of its own, and at most one resident process that the test started."""

    def __init__(self, vault: Path, environ: dict[str, str]) -> None:
        self.vault = vault
        self.environ = environ
        self.process: subprocess.Popen[bytes] | None = None

    def seci(self, *arguments: str, stdin: str = "", resident: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "seci.entry", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=self.environ | ({} if resident else {"SECI_RESIDENT": "off"}),
            timeout=SECONDS,
            check=False,
        )

    def start(self) -> None:
        (self.vault / ".seci" / "resident").unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "seci.entry", "watch", "--vault", str(self.vault), "--idle", "600"],
            env=self.environ | {"SECI_RESIDENT": "off"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(lambda: socket_of(str(self.vault)))

    def kill(self, number: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(SECONDS)
            self.process = None

    def bring_up_to_date(self) -> dict[str, int]:
        """What a writer asks of the resident process."""
        request = encode_request(str(self.vault), "", b"", {}, ["reindex", "--vault", str(self.vault), "--json"])
        answer = ask(str(self.vault), request, SECONDS)
        assert answer is not None and answer[0] == 0, answer
        report: dict[str, int] = json.loads(answer[1])
        return report

    def hits(self, *, resident: bool) -> list[dict[str, object]]:
        done = self.seci(*QUESTION, resident=resident)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, object]] = json.loads(done.stdout)["hits"]
        return found


@pytest.fixture
def household(vault: Path, model_cache: Path, tmp_path: Path) -> Iterator[Household]:
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    environ = {name: value for name, value in os.environ.items() if name != "SECI_RESIDENT"}
    environ |= {"SECI_CACHE": str(model_cache), "XDG_RUNTIME_DIR": str(runtime)}
    trust_vault(vault, environ)
    made = Household(vault, environ)
    yield made
    made.kill(signal.SIGTERM)


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def write_note(vault: Path, name: str, number: int) -> None:
    (vault / "docs" / f"{name}.md").write_text(f"Zebra number {number} guards the loading dock at gate {number}.\n")


def test_hooks_searches_and_a_distill_at_the_same_moment(household: Household, tmp_path: Path) -> None:
    household.start()
    session = tmp_path / "s.jsonl"
    text = "From now on always paint the loading dock in ultramarine, because drivers miss it at night."
    session.write_text(json.dumps({"role": "user", "content": text}))
    asked = "Which header carries the idempotency key of webhook deliveries to a customer?"

    def hook(number: int) -> tuple[int, bool]:
        fields = {"session_id": f"s{number}", "cwd": "/home/mira/src/parcel-api", "prompt": asked}
        done = household.seci("hook", "codex", stdin=json.dumps(fields | {"hook_event_name": "UserPromptSubmit"}))
        return done.returncode, "Idempotency-Key" in done.stdout

    def search(number: int) -> tuple[int, int]:
        done = household.seci("search", "postgres full text search", "--json")
        return done.returncode, len(json.loads(done.stdout)["hits"])

    with ThreadPoolExecutor(26) as pool:
        distilled = pool.submit(household.seci, "distill", str(session), "--json")
        hooks, searches = pool.map(hook, range(20)), pool.map(search, range(5))
        assert list(hooks) == [(0, True)] * 20
        assert list(searches) == [(0, 10)] * 5
    assert distilled.result().returncode == 0
    found = json.loads(household.seci("search", "ultramarine loading dock", "-k", "1", "--json").stdout)["hits"]
    assert "ultramarine" in found[0]["snippet"]
    assert household.process is not None
    holder = json.loads((household.vault / ".seci" / "index.holder").read_text())
    assert holder["pid"] == household.process.pid


def test_killed_at_any_moment_the_next_start_answers_as_a_rebuild(household: Household) -> None:
    dice = random.Random(7)
    for number in range(ROUNDS):
        household.start()
        for zebra in range(dice.randrange(1, 6)):
            write_note(household.vault, f"zebra-{dice.randrange(40)}", number * 10 + zebra)
        if dice.random() < 0.3:
            (household.vault / "docs" / f"zebra-{dice.randrange(40)}.md").unlink(missing_ok=True)
        time.sleep(dice.random() * 1.5)
        household.kill()
        if number % 10 == 9:
            household.start()
            after = household.hits(resident=True)
            household.kill(signal.SIGTERM)
            check = household.seci("reindex", "--check", "--json", resident=False)
            assert json.loads(check.stdout) == {"equal": True, "differences": []}
            shutil.rmtree(household.vault / ".seci" / "index")
            assert household.hits(resident=False) == after, f"round {number}"


def test_a_burst_of_changed_files_is_one_batch(household: Household) -> None:
    household.start()
    wait_for(lambda: household.seci("search", "postgres", "--json").returncode == 0)
    for number in range(BURST):
        write_note(household.vault, f"burst-{number}", number)
    wait_for(lambda: household.bring_up_to_date().get("unchanged", 0) > BURST)
    household.kill(signal.SIGTERM)
    check = household.seci("reindex", "--check", "--json", resident=False)
    assert json.loads(check.stdout) == {"equal": True, "differences": []}

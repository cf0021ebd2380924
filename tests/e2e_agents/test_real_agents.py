"""Real agents, with seci installed into them, against a model on loopback.

Outside the ordinary test run because of their size: `make e2e-agents` installs them from npm and names their folder in
AGENTS_BIN.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from seci.agents.agent import find_command
from seci.client.wire import socket_of
from seci.config import trust_vault
from tests.e2e_agents.agents import AGENTS, RealAgent, bare_environment, run_agent, write_settings
from tests.e2e_agents.codex_trust import approve_hooks
from tests.e2e_agents.model import SAID, ScriptedModel, serve_model

TOOLS = os.environ.get("AGENTS_BIN", "")
PROMPT = "Which header carries the idempotency key of webhook deliveries to a customer?"
KNOWN = "Idempotency-Key"  # stands in a note of the sample sessions, and not in the prompt
SECONDS = 240

pytestmark = pytest.mark.skipif(not TOOLS, reason="AGENTS_BIN does not name a folder with the agents' programs")


@pytest.fixture(params=AGENTS, ids=lambda agent: agent.name)
def agent(request: pytest.FixtureRequest) -> RealAgent:
    found: RealAgent = request.param
    if shutil.which(found.run[0], path=TOOLS) is None:
        pytest.skip(f"{found.run[0]} is not in {TOOLS}")
    return found


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serve_model() as found:
        yield found


class Desk:
    """A user's machine: a home folder with a vault that knows the sample sessions, and the project they are about."""

    def __init__(self, folder: Path, demo_vault: Path, model_cache: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "parcel-api"
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", str(self.project)], check=True)
        self.vault = self.home / ".local" / "share" / "seci" / "vault"
        shutil.copytree(demo_vault, self.vault)
        self.environ = bare_environment(self.home, Path(TOOLS)) | {"SECI_CACHE": str(model_cache)}
        self.environ["SECI_CONFIG"] = str(folder / "config.toml")
        trust_vault(self.vault, self.environ)

    def seci(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "seci.entry", *arguments]
        done = subprocess.run(
            command, env=self.environ, cwd=self.project, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def archived(self, source: str) -> list[str]:
        """The archived sessions of a source, as text."""
        texts = [path.read_text() for path in (self.vault / "sessions").rglob("*.md")]
        return [text for text in texts if f"{source}:" in text and SAID in text]

    def stop_resident(self) -> None:
        pointer = self.vault / ".seci" / "resident"
        if socket_of(str(self.vault)) is not None:
            os.kill(int(pointer.read_text().splitlines()[1]), 15)
            wait_for(lambda: not pointer.exists())


@pytest.fixture
def desk(tmp_path: Path, demo_vault: Path, model_cache: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, demo_vault, model_cache)
    yield made
    made.stop_resident()


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.2)


def test_an_agent_remembers_and_is_remembered(
    agent: RealAgent, desk: Desk, model: ScriptedModel, tmp_path: Path
) -> None:
    assert Path(find_command()).is_absolute(), "seci has to be installed beside this Python"
    before = write_settings(agent, desk.home, model.url)
    plain = run_agent(agent, PROMPT, desk.project, desk.environ, model.url)
    assert (plain.returncode, SAID in plain.stdout) == (0, True), plain.stderr
    assert not any(KNOWN in request for request in model.requests)
    before |= {path: path.read_bytes() for path in before}  # agents write to their own settings on a first run
    model.requests.clear()

    desk.seci("install", agent.name)
    if agent.name == "codex":
        approve_hooks(desk.home / ".codex" / "config.toml", desk.project, desk.environ | agent.variables(model.url))
    told = run_agent(agent, PROMPT, desk.project, desk.environ, model.url)

    assert (told.returncode, told.stdout) == (plain.returncode, plain.stdout), told.stderr
    context = next(request for request in model.requests if KNOWN in request)
    assert "seci-context" in context

    wait_for(lambda: desk.archived(agent.name))
    (session,) = desk.archived(agent.name)
    assert PROMPT in session
    assert "seci-context" not in session, "what was injected must not come back as something said"

    desk.seci("uninstall", agent.name)
    for path, content in before.items():
        if path.relative_to(desk.home).as_posix() not in agent.rewritten:
            assert path.read_bytes() == content, path
    for name in agent.rewritten:
        assert "seci" not in (desk.home / name).read_text(), name
    left = {path.parent.name for path in desk.home.rglob("SKILL.md")} & {"remember", "distill", "consolidate"}
    assert not left and not list(desk.home.rglob("seci.js")) and not list(desk.home.rglob("seci.json"))

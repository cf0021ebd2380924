"""Hooks as agents run them, without a resident process: silent in trouble, and always with an exit code of 0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from seci.config import trust_vault

QUESTION = "Which header carries the idempotency key of webhook deliveries to a customer?"


@pytest.fixture
def trusted(vault: Path) -> Path:
    trust_vault(vault, os.environ)
    return vault


def hook(agent: str, stdin: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "seci.entry", "hook", agent],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
        timeout=30,
        check=False,
    )


PROJECT = Path("/home/mira/src/parcel-api")  # as the sample sessions recorded it


def event(name: str, cwd: Path, **fields: str) -> str:
    return json.dumps({"session_id": "s", "cwd": str(cwd), "hook_event_name": name, **fields})


def test_a_prompt_gets_what_is_relevant(trusted: Path) -> None:
    done = hook("claude-code", event("UserPromptSubmit", PROJECT, prompt=QUESTION))
    assert done.returncode == 0
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "Idempotency-Key" in context
    assert context.startswith("<seci-context>") and context.rstrip().endswith("</seci-context>")


def test_another_project_and_no_project_get_none(trusted: Path, tmp_path: Path) -> None:
    for folder in (tmp_path / "another-api", Path("/")):
        assert hook("claude-code", event("UserPromptSubmit", folder, prompt=QUESTION)).stdout == ""


@pytest.mark.parametrize("prompt", ["thanks", "go on", "yes please do that", "ok", "Write a haiku about autumn leaves"])
def test_a_prompt_that_needs_no_memory_gets_none(trusted: Path, prompt: str) -> None:
    done = hook("claude-code", event("UserPromptSubmit", PROJECT, prompt=prompt))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_vault_that_nobody_registered_is_not_used(vault: Path) -> None:
    done = hook("claude-code", event("UserPromptSubmit", vault, prompt=QUESTION))
    assert (done.returncode, done.stdout) == (0, "")
    assert not (vault / ".seci" / "spool").exists()


@pytest.mark.parametrize("stdin", ["", "not json", "[]", "{}", '{"hook_event_name": "Stop"}', "\x00\xff"])
def test_rubbish_is_answered_with_silence(trusted: Path, stdin: str) -> None:
    done = hook("codex", stdin)
    assert (done.returncode, done.stdout) == (0, "")


def test_an_end_puts_the_session_on_the_spool_and_it_is_distilled(trusted: Path, tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    text = "From now on always paint the loading dock in ultramarine, because drivers miss it at night."
    transcript.write_text(json.dumps({"role": "user", "content": text}))
    done = hook("claude-code", event("SessionEnd", trusted, transcript_path=str(transcript)))
    assert (done.returncode, done.stdout) == (0, "")
    assert len(list((trusted / ".seci" / "spool").glob("*.json"))) == 1


def test_the_same_event_told_twice_is_answered_once(trusted: Path) -> None:
    """Copilot runs its own hooks and those of a project's Claude settings."""
    asked = event("UserPromptSubmit", PROJECT, prompt=QUESTION)
    first = hook("copilot-cli", asked, COPILOT_CLI="1")
    second = hook("claude-code", asked, COPILOT_CLI="1")
    assert list(json.loads(first.stdout)) == ["additionalContext"]
    assert second.stdout == ""


def test_a_damaged_index_is_silence(trusted: Path) -> None:
    (trusted / ".seci" / "index" / "keyword.sqlite3").write_bytes(b"rubbish" * 1000)
    done = hook("claude-code", event("UserPromptSubmit", PROJECT, prompt=QUESTION))
    assert (done.returncode, done.stdout) == (0, "")

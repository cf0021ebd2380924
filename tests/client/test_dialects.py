"""Each agent is answered in its own shape, whoever runs the hook."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from seci.client.dialects import END, OTHER, PAUSE, PROMPT, START, canonical, parse_event, render_answer

DATA = Path(os.environ.get("SECI_DATA", Path(__file__).parents[3] / "shared" / "data")) / "formats" / "hook-stdin"

NESTED = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "known"}}


def answer(agent: str, fields: dict[str, object], environ: dict[str, str] | None = None, context: str = "known") -> str:
    return render_answer(parse_event(agent, json.dumps(fields), environ or {}), context)


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini-cli"])
def test_claude_codex_and_gemini_take_the_nested_form_and_no_other_key(agent: str) -> None:
    assert json.loads(answer(agent, {"hook_event_name": "SessionStart", "session_id": "s"})) == NESTED


def test_copilot_takes_the_top_level_form() -> None:
    assert json.loads(answer("copilot-cli", {"hook_event_name": "UserPromptSubmit", "prompt": "x"})) == {
        "additionalContext": "known"
    }


def test_a_claude_hook_run_by_copilot_answers_copilot() -> None:
    fields: dict[str, object] = {"hook_event_name": "SessionStart", "session_id": "s"}
    assert json.loads(answer("claude-code", fields, {"COPILOT_CLI": "1"})) == {"additionalContext": "known"}


def test_vs_code_takes_no_context_with_a_prompt() -> None:
    assert answer("claude-code", {"hookEventName": "UserPromptSubmit", "sessionId": "s", "prompt": "x"}) == ""
    assert json.loads(answer("claude-code", {"hookEventName": "SessionStart", "sessionId": "s"})) == NESTED


def test_cursor_takes_context_at_the_start_and_lets_prompts_pass() -> None:
    assert json.loads(answer("cursor", {"hook_event_name": "sessionStart"})) == {"additional_context": "known"}
    assert json.loads(answer("cursor", {"hook_event_name": "beforeSubmitPrompt"})) == {"continue": True}


def test_silence_is_valid_json_for_gemini_and_nothing_for_the_others() -> None:
    assert json.loads(answer("gemini-cli", {"hook_event_name": "SessionStart"}, context="")) == {}
    assert answer("claude-code", {"hook_event_name": "SessionStart"}, context="") == ""


def test_an_end_never_carries_context() -> None:
    """On Stop, context would make Claude's turn go on."""
    for agent in ("claude-code", "codex", "copilot-cli"):
        assert answer(agent, {"hook_event_name": "Stop", "session_id": "s"}) == ""


def test_gemini_repeats_hook_context_in_the_prompt_and_it_is_taken_out() -> None:
    event = parse_event(
        "gemini-cli",
        json.dumps({"hook_event_name": "BeforeAgent", "prompt": "<hook_context>a</hook_context>\n\nb"}),
        {},
    )
    assert event.prompt == "b"


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "3"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_event("codex", text, {})


def test_aliases() -> None:
    assert [canonical(name) for name in ("claude", "gemini", "copilot", "codex", "vim")] == [
        "claude-code",
        "gemini-cli",
        "copilot-cli",
        "codex",
        None,
    ]


EXPECTED = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "BeforeAgent": PROMPT,
    "SessionEnd": END,
    "Stop": PAUSE,
    "PreCompact": PAUSE,
    "PreCompress": PAUSE,
    "AfterAgent": PAUSE,
    "sessionStart": START,
    "userPromptSubmitted": PROMPT,
    "agentStop": PAUSE,
    "sessionEnd": END,
}


@pytest.mark.skipif(not DATA.is_dir(), reason="the captured hook inputs are not here (SECI_DATA)")
def test_captured_inputs_are_understood() -> None:
    files = sorted(DATA.glob("*/*.json"))
    assert len(files) > 30
    for file in files:
        agent = canonical(file.parent.name)
        assert agent is not None
        event = parse_event(agent, file.read_text("utf-8"), {"COPILOT_CLI": "1"} if agent == "copilot-cli" else {})
        assert event.kind == EXPECTED.get(file.stem.split("-")[-1], OTHER), file
        assert event.session and event.cwd == "/home/dev/wk/proj/demo", file

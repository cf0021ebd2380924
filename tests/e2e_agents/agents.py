"""How each agent under test is set up and run without a screen, against a model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 180


@dataclass(frozen=True)
class RealAgent:
    """`settings` maps files below the home folder to what stands in them before seci is installed (`{url}`: the
    model's address); `run` is the command line before the prompt."""

    name: str
    run: tuple[str, ...]
    settings: Mapping[str, str]
    variables: Callable[[str], Mapping[str, str]]
    rewritten: tuple[str, ...] = field(default=())  # files that the agent itself writes to while it runs


def _codex_settings() -> str:
    return (
        '# mine\nmodel = "scripted"\nmodel_provider = "scripted"\n\n'
        '[model_providers.scripted]\nname = "scripted"\nbase_url = "{url}/v1"\n'
        'env_key = "SCRIPTED_KEY"\nwire_api = "responses"\n'
    )


def _opencode_settings() -> str:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": "{url}/v1", "apiKey": "dummy"},
        "models": {"scripted": {"name": "scripted"}},
    }
    settings = {"model": "scripted/scripted", "small_model": "scripted/scripted", "provider": {"scripted": provider}}
    return json.dumps(settings, indent=4)


AGENTS = (
    RealAgent(
        "claude-code",
        ("claude", "-p"),
        {".claude/settings.json": '{\n    "env": {},\n    "includeCoAuthoredBy": false}'},
        lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        },
        rewritten=(".claude.json",),
    ),
    RealAgent(
        "codex",
        ("codex", "exec", "--skip-git-repo-check"),
        {".codex/config.toml": _codex_settings()},
        lambda url: {"SCRIPTED_KEY": "dummy"},
        rewritten=(".codex/config.toml",),
    ),
    RealAgent(
        "gemini-cli",
        ("gemini", "-m", "gemini-2.5-flash", "-p"),
        {".gemini/settings.json": '{\n\t"security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n'},
        lambda url: {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
    ),
    RealAgent(
        "copilot-cli",
        ("copilot", "-p"),
        {".copilot/mcp-config.json": '{"mcpServers": {}}'},
        lambda url: {
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        },
    ),
    RealAgent(
        "opencode",
        ("opencode", "run"),
        {".config/opencode/opencode.json": _opencode_settings()},
        lambda url: {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
    ),
)


def write_settings(agent: RealAgent, home: Path, url: str) -> dict[Path, bytes]:
    """Writes the agent's settings as they are before seci comes, and gives them."""
    written = {}
    for name, text in agent.settings.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{url}", url))
        written[path] = path.read_bytes()
    return written


def run_agent(
    agent: RealAgent, prompt: str, project: Path, environ: Mapping[str, str], url: str
) -> subprocess.CompletedProcess[str]:
    """One run without a screen."""
    return subprocess.run(
        [*agent.run, prompt],
        cwd=project,
        env={**environ, **agent.variables(url)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def bare_environment(home: Path, tools: Path) -> dict[str, str]:
    """An environment with nothing of the developer's in it but where programs are."""
    return {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8"}

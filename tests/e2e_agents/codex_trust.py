"""What a user does with `/hooks` in Codex: look at the hooks that are not trusted yet and approve them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def approve_hooks(config: Path, project: Path, environ: Mapping[str, str]) -> None:
    """Asks Codex for its hooks and their present hashes, and writes the approvals into its configuration."""
    hooks = [hook for entry in _list_hooks(project, environ) for hook in entry["hooks"]]
    assert hooks and all(hook["trustStatus"] == "untrusted" for hook in hooks)
    with config.open("a") as file:
        for hook in hooks:
            file.write(f'\n[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n')


def _list_hooks(project: Path, environ: Mapping[str, str]) -> list[dict[str, Any]]:
    client = {"clientInfo": {"name": "test", "title": "test", "version": "0"}}
    messages = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(project)]}},
    ]
    server = subprocess.Popen(
        ["codex", "app-server"],
        cwd=project,
        env=dict(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin and server.stdout
    try:
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id") == 2:
                found: list[dict[str, Any]] = answer["result"]["data"]
                return found
    finally:
        server.kill()
        server.wait()
    raise AssertionError("codex app-server said nothing about its hooks")

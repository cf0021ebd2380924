"""Copilot CLI: a hooks file of seci's own, an MCP server, skills in the shared folder.

Events are named in PascalCase: Copilot takes context from UserPromptSubmit, but not from userPromptSubmitted.
"""

from __future__ import annotations

import shlex

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_server, remove_server
from seci.agents.plan import Edit, edit_file, edit_settings, render_settings

EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "Stop": 5, "SessionEnd": 5}


class CopilotCli:
    name = "copilot-cli"

    def plan(self, place: Place) -> list[Edit]:
        base = place.folder("COPILOT_HOME", ".copilot")
        hooks = place.project / ".github" / "hooks" if place.project else base / "hooks"
        command = shlex.join([place.command, "hook", self.name])
        entries = {
            event: [{"type": "command", "bash": command, "powershell": command, "timeoutSec": seconds}]
            for event, seconds in EVENTS.items()
        }
        server = {"type": "local", "command": place.command, "args": ["mcp"], "tools": ["*"]}
        servers = place.project / ".mcp.json" if place.project else base / "mcp-config.json"
        return [
            edit_file(hooks / "seci.json", render_settings({"version": 1, "hooks": entries}, None).decode()),
            edit_settings(servers, add_server("mcpServers", server), remove_server("mcpServers")),
            *skill_edits((place.project or place.home) / ".agents" / "skills"),
        ]

    def advice(self) -> str:
        return ""

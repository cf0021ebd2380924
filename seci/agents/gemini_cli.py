"""Gemini CLI: hooks and MCP server in settings.json, with time-outs in milliseconds; skills in the shared folder."""

from __future__ import annotations

import shlex

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_nested, add_server, remove_nested, remove_server
from seci.agents.plan import Edit, Settings, edit_settings

EVENTS = {"SessionStart": 10_000, "BeforeAgent": 10_000, "PreCompress": 5_000, "SessionEnd": 5_000}


class GeminiCli:
    name = "gemini-cli"

    def plan(self, place: Place) -> list[Edit]:
        base = (place.project or place.home) / ".gemini"
        command = shlex.join([place.command, "hook", self.name])
        server = {"command": place.command, "args": ["mcp"]}

        def add(settings: Settings) -> Settings:
            groups = {
                event: {"hooks": [{"type": "command", "name": "seci", "command": command, "timeout": milliseconds}]}
                for event, milliseconds in EVENTS.items()
            }
            return add_server("mcpServers", server)(add_nested(settings, groups))

        def remove(settings: Settings) -> Settings:
            return remove_server("mcpServers")(remove_nested(settings))

        return [
            edit_settings(base / "settings.json", add, remove),
            *skill_edits((place.project or place.home) / ".agents" / "skills"),
        ]

    def advice(self) -> str:
        return ""

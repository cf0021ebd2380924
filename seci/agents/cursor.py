"""Cursor: a flat hooks.json, mcp.json, skills in its own folder."""

from __future__ import annotations

import shlex

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_flat, add_server, remove_flat, remove_server
from seci.agents.plan import Edit, Settings, edit_settings

EVENTS = ("sessionStart", "beforeSubmitPrompt", "preCompact", "stop", "sessionEnd")


class Cursor:
    name = "cursor"

    def plan(self, place: Place) -> list[Edit]:
        base = (place.project or place.home) / ".cursor"
        command = shlex.join([place.command, "hook", self.name])
        server = {"command": place.command, "args": ["mcp"]}

        def add(settings: Settings) -> Settings:
            return add_flat(settings, {event: {"command": command, "timeout": 10} for event in EVENTS})

        return [
            edit_settings(base / "hooks.json", add, remove_flat),
            edit_settings(base / "mcp.json", add_server("mcpServers", server), remove_server("mcpServers")),
            *skill_edits(base / "skills"),
        ]

    def advice(self) -> str:
        return "Cursor takes context at the start of a session only; ask for more with /remember or the MCP tools."

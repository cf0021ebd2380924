"""opencode: a plugin that calls `seci hook opencode`, an MCP server in opencode.json, skills in the shared folder."""

from __future__ import annotations

import json
from importlib import resources

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_server, remove_server
from seci.agents.plan import Edit, edit_file, edit_settings


class Opencode:
    name = "opencode"

    def plan(self, place: Place) -> list[Edit]:
        base = place.folder("XDG_CONFIG_HOME", ".config") / "opencode"
        settings = place.project / "opencode.json" if place.project else base / "opencode.json"
        plugins = place.project / ".opencode" / "plugins" if place.project else base / "plugins"
        server = {"type": "local", "command": [place.command, "mcp"], "enabled": True}
        source = resources.files("seci.agents").joinpath("opencode_plugin.js").read_text("utf-8")
        return [
            edit_file(plugins / "seci.js", source.replace("__SECI_COMMAND__", json.dumps(place.command))),
            edit_settings(settings, add_server("mcp", server), remove_server("mcp")),
            *skill_edits((place.project or place.home) / ".agents" / "skills"),
        ]

    def advice(self) -> str:
        return ""

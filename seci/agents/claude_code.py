"""Claude Code: hooks in settings.json, skills, an MCP server in ~/.claude.json or the project's .mcp.json."""

from __future__ import annotations

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_nested, add_server, remove_nested, remove_server
from seci.agents.plan import Edit, Settings, edit_settings

# Event -> seconds. SessionEnd has 1.5 seconds in all unless a settings file asks for more.
EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "PreCompact": 5, "Stop": 5, "SessionEnd": 5}


class ClaudeCode:
    name = "claude-code"

    def plan(self, place: Place) -> list[Edit]:
        base = place.project / ".claude" if place.project else place.folder("CLAUDE_CONFIG_DIR", ".claude")
        if place.project:
            servers = place.project / ".mcp.json"
        elif place.environ.get("CLAUDE_CONFIG_DIR"):
            servers = base / ".claude.json"
        else:
            servers = place.home / ".claude.json"
        server = {"type": "stdio", "command": place.command, "args": ["mcp"]}

        def add(settings: Settings) -> Settings:
            groups = {
                event: {
                    "hooks": [
                        {"type": "command", "command": place.command, "args": ["hook", self.name], "timeout": seconds}
                    ]
                }
                for event, seconds in EVENTS.items()
            }
            return add_nested(settings, groups)

        return [
            edit_settings(base / "settings.json", add, remove_nested),
            edit_settings(servers, add_server("mcpServers", server), remove_server("mcpServers")),
            *skill_edits(base / "skills"),
        ]

    def advice(self) -> str:
        return ""

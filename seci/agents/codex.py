"""Codex: hooks.json, an MCP server in config.toml, skills in the shared folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from seci.agents.agent import Place, skill_edits
from seci.agents.hooks import add_nested, remove_nested
from seci.agents.plan import Edit, Settings, edit_settings, read_bytes
from seci.errors import UserError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "PreCompact": 5, "Stop": 5, "SessionEnd": 3}


class Codex:
    name = "codex"

    def plan(self, place: Place) -> list[Edit]:
        base = place.project / ".codex" if place.project else place.folder("CODEX_HOME", ".codex")
        command = shlex.join([place.command, "hook", self.name])

        def add(settings: Settings) -> Settings:
            return add_nested(
                settings,
                {
                    event: {"hooks": [{"type": "command", "command": command, "timeout": seconds}]}
                    for event, seconds in EVENTS.items()
                },
            )

        return [
            edit_settings(base / "hooks.json", add, remove_nested),
            self._server(place, base / "config.toml"),
            *skill_edits((place.project or place.home) / ".agents" / "skills"),
        ]

    def _server(self, place: Place, path: Path) -> Edit:
        """config.toml keeps its comments and order; only the table of seci's server is written."""
        import tomlkit

        before = read_bytes(path)
        document = _parse_toml(path, before or b"")
        wanted = {"command": place.command, "args": ["mcp"]}
        servers = document.get("mcp_servers")
        if servers is not None and servers.get("seci") == wanted:
            return Edit(path, before, before, lambda content: _without_server(path, content))
        table = tomlkit.table()
        table.update(wanted)
        if servers is None:
            servers = tomlkit.table(is_super_table=True)
            document["mcp_servers"] = servers
        servers["seci"] = table
        after = tomlkit.dumps(document).encode()
        return Edit(path, before, after, lambda content: _without_server(path, content))

    def advice(self) -> str:
        return "Codex runs new hooks only after you approve them: type /hooks in Codex once."


def _without_server(path: Path, content: bytes) -> bytes:
    import tomlkit

    document = _parse_toml(path, content)
    servers = document.get("mcp_servers")
    if servers is None or servers.pop("seci", None) is None:
        return content
    if not servers:
        del document["mcp_servers"]
    return (tomlkit.dumps(document).rstrip("\n") + "\n").encode()


def _parse_toml(path: Path, content: bytes) -> TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        return tomlkit.parse(content.decode("utf-8"))
    except (ParseError, UnicodeDecodeError) as error:
        raise UserError(f"is not TOML that seci can change: {error}", subject=str(path)) from error

"""The hook tables that agents share: Claude Code's nesting, which Codex and Gemini CLI took over, and flat lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seci.agents.plan import Settings


def is_ours(command: object) -> bool:
    """True for a hook that runs `seci hook`, however it was installed."""
    if isinstance(command, dict):
        parts = [command.get("command"), command.get("bash"), *(command.get("args") or [])]
        text = " ".join(part for part in parts if isinstance(part, str))
        return "seci" in text and " hook " in f"{text} "
    return False


def add_nested(settings: Settings, events: Mapping[str, Mapping[str, Any]]) -> Settings:
    """One group for each event, after what is there. `events` maps an event to its group."""
    hooks = settings.setdefault("hooks", {})
    for event, group in events.items():
        hooks.setdefault(event, []).append(dict(group))
    return settings


def remove_nested(settings: Settings) -> Settings:
    """Takes seci's hooks out of every group; groups, events and the table go when that leaves them empty."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return settings
    for event, groups in list(hooks.items()):
        if not isinstance(groups, list):
            continue
        kept = []
        for group in groups:
            if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
                kept.append(group)
                continue
            others = [hook for hook in group["hooks"] if not is_ours(hook)]
            if len(others) == len(group["hooks"]):
                kept.append(group)
            elif others:
                kept.append({**group, "hooks": others})
        if kept:
            hooks[event] = kept
        elif groups:
            del hooks[event]
    if not hooks:
        del settings["hooks"]
    return settings


def add_flat(settings: Settings, events: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Cursor's and Copilot's shape: a version and a flat list for each event."""
    settings.setdefault("version", 1)
    hooks = settings.setdefault("hooks", {})
    for event, hook in events.items():
        hooks.setdefault(event, []).append(dict(hook))
    return settings


def remove_flat(settings: Settings) -> Settings:
    """The opposite of `add_flat`; a file that then holds nothing but its version is empty."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return settings
    for event, entries in list(hooks.items()):
        if isinstance(entries, list):
            kept = [entry for entry in entries if not is_ours(entry)]
            if kept:
                hooks[event] = kept
            elif entries:
                del hooks[event]
    if not hooks:
        del settings["hooks"]
    return {} if settings == {"version": 1} else settings


def add_server(key: str, server: Mapping[str, Any]) -> Callable[[Settings], Settings]:
    """A function that puts seci into a table of MCP servers."""

    def add(settings: Settings) -> Settings:
        settings.setdefault(key, {})["seci"] = dict(server)
        return settings

    return add


def remove_server(key: str) -> Callable[[Settings], Settings]:
    """The opposite; the table goes when that leaves it empty."""

    def remove(settings: Settings) -> Settings:
        servers = settings.get(key)
        if isinstance(servers, dict) and servers.pop("seci", None) is not None and not servers:
            del settings[key]
        return settings

    return remove

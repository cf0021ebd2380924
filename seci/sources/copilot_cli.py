"""GitHub Copilot CLI: `~/.copilot/session-state/<id>/events.jsonl`, with `workspace.yaml` beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.lines import json_rows, read_head
from seci.sources.places import session_key
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time, too_long, tool_line

_NEEDED = (b"session.", b"user.message", b"assistant.message", b"subagent.")


class CopilotCliSource(BaseSource):
    """A session; what its subagents said becomes sessions of their own below it."""

    name = "copilot-cli"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or ".jsonl" not in bundle.suffixes:
            return Claim.NONE
        head = read_head(bundle)
        event = b'"type":"session.start"' in head or b'"type": "session.start"' in head
        return Claim.SPECIFIC if event and b'"parentId"' in head else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        session: str | None = None
        cwd: str | None = None
        threads: dict[str, TurnList] = {"": TurnList()}  # by the tool call that started a subagent
        for item in json_rows(bundle, wanted=lambda line: any(mark in line for mark in _NEEDED)):
            if isinstance(item, Failure):
                yield item
                continue
            data = as_dict(item[1].get("data"))
            kind = item[1].get("type")
            if kind in ("session.start", "session.resume"):
                context = as_dict(data.get("context"))
                session = session or as_str(data.get("sessionId"))
                cwd = cwd or as_str(context.get("gitRoot")) or as_str(context.get("cwd"))
            elif kind in ("user.message", "assistant.message"):
                thread = threads.setdefault(as_str(data.get("parentToolCallId")) or "", TurnList())
                say_event(thread, item[1], data)
                if thread.is_full():
                    yield too_long(f"{bundle}:{item[0]}")
                    break
        session = session or bundle.parent.name
        for call, turns in threads.items():
            if said := turns.freeze():
                yield Session(
                    self.name,
                    f"{session}/{call}" if call else session,
                    said,
                    cwd=cwd,
                    title=None if call else _name(bundle),
                    parent=session_key(self.name, session) if call else None,
                    path=str(bundle),
                )

    def side_files(self, bundle: Path) -> Iterator[Path]:
        yield bundle.with_name("workspace.yaml")

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("COPILOT_HOME") or home / ".copilot") / "session-state",)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (root,) = self.places(home, environ)
        yield from sorted(root.glob("*/events.jsonl"))


def say_event(turns: TurnList, event: dict[str, Any], data: dict[str, Any]) -> None:
    """Adds a `user.message` or `assistant.message`; `content` is what was typed, without what was injected."""
    role = Role.USER if event.get("type") == "user.message" else Role.ASSISTANT
    turns.say(
        role,
        as_str(data.get("content")) or "",
        at=parse_time(event.get("timestamp")),
        message_id=as_str(data.get("messageId")) or as_str(event.get("id")),
    )
    for call in as_list(data.get("toolRequests")):
        turns.tool(tool_line(as_dict(call).get("name"), as_dict(call).get("arguments")))


def _name(bundle: Path) -> str | None:
    """The session's name from `workspace.yaml`, of which only this flat line is needed."""
    for line in read_head(bundle.with_name("workspace.yaml")).decode("utf-8", "replace").splitlines():
        if line.startswith("name: "):
            return line.removeprefix("name: ").strip().strip("'\"") or None
    return None

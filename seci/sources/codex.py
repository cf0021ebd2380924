"""Codex CLI: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, compressed to `.zst` after a week.

Two dialects write the conversation as events: `user_message` and `agent_message`, and since about 0.148
`item_completed`. Where a file has neither, the model's view (`response_item`) is read, without what was injected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.lines import head_rows, json_rows, read_head
from seci.sources.places import parse_remote, session_key
from seci.sources.turns import TurnList, as_dict, as_str, block_texts, parse_time, too_long, tool_line

_INJECTED = (
    "<environment_context>",
    "# AGENTS.md",
    "<user_instructions>",
    "<skills_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<user_action>",
    "<skill>",
)
_REQUEST = re.compile(r"\A# Context from my IDE setup:.*?^## My request for Codex:\s*", re.DOTALL | re.MULTILINE)
_PATCHED = re.compile(r"\*\*\* (?:Add|Update|Delete) File: (.+)")
_SHELL = re.compile(r"(?:/\S*/)?(?:ba|z)?sh -l?c ")
_TEXT = frozenset({"text", "input_text", "output_text"})
_SPEAKERS = {"usermessage": Role.USER, "agentmessage": Role.ASSISTANT}
_EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
_SKIPPED = (b'"type":"compacted"', b'"type":"world_state"', b'"type":"token_usage_record"')


class CodexSource(BaseSource):
    """A rollout, plain or compressed; a `.zst` beside the plain file of the same name is passed over."""

    name = "codex"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or ".jsonl" not in bundle.suffixes:
            return Claim.NONE
        meta = any(row.get("type") == "session_meta" for row in head_rows(bundle, 3))
        head = read_head(bundle)[:400]
        spelled = b'"session_meta"' in head and b'"payload"' in head  # the row itself may be larger than the head
        return Claim.SPECIFIC if meta or spelled else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        rollout = _Rollout(bundle)
        for item in json_rows(bundle, wanted=_wanted, ignorable=_ignorable):
            if isinstance(item, Failure):
                yield item
            else:
                rollout.row(item[1])
                if rollout.is_full():
                    yield too_long(f"{bundle}:{item[0]}")
                    break
        if session := rollout.session():
            yield session

    def side_files(self, bundle: Path) -> Iterator[Path]:
        yield bundle.with_name(bundle.name + ".zst")

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        root = Path(environ.get("CODEX_HOME") or home / ".codex")
        return root / "sessions", root / "archived_sessions"

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        for folder in self.places(home, environ):
            found = sorted(folder.rglob("rollout-*.jsonl*"))
            plain = {path.name for path in found}
            yield from (p for p in found if p.suffix != ".zst" or p.name.removesuffix(".zst") not in plain)


class _Rollout:
    """Reads the conversation as events and, in case there are none, as the model saw it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._events = TurnList()
        self._items = TurnList()
        self._last: tuple[Role, str, str] | None = None  # role, text and dialect of the last event
        self._calls: set[str] = set()
        self._id: str | None = None
        self._cwd: str | None = None
        self._parent: str | None = None
        self._project: str | None = None

    def row(self, row: dict[str, Any]) -> None:
        payload = as_dict(row.get("payload"))
        at = parse_time(row.get("timestamp"))
        kind = row.get("type")
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "event_msg":
            self._event(payload, at)
        elif kind == "response_item":
            self._response(payload, at)
        elif kind == "turn_context":
            self._cwd = self._cwd or as_str(payload.get("cwd"))

    def is_full(self) -> bool:
        return self._events.is_full() or self._items.is_full()

    def session(self) -> Session | None:
        turns = (self._events if len(self._events) else self._items).freeze()
        if not turns:
            return None
        name = self._path.name.split(".jsonl")[0]
        return Session(
            CodexSource.name,
            self._id or name[-36:],
            turns,
            project=self._project,
            cwd=self._cwd,
            parent=session_key(CodexSource.name, self._parent) if self._parent else None,
            path=str(self._path),
        )

    def _meta(self, payload: dict[str, Any]) -> None:
        if self._id:
            return  # a fork repeats its ancestor's
        self._id = as_str(payload.get("id")) or as_str(payload.get("session_id"))
        self._cwd = as_str(payload.get("cwd"))
        self._project = parse_remote(as_dict(payload.get("git")).get("repository_url"))
        spawn = as_dict(as_dict(as_dict(payload.get("source")).get("subagent")).get("thread_spawn"))
        self._parent = as_str(spawn.get("parent_thread_id")) or as_str(payload.get("parent_thread_id"))

    def _event(self, payload: dict[str, Any], at: datetime | None) -> None:
        kind = as_str(payload.get("type"))
        if kind in _EVENTS:
            self._say(_EVENTS[kind], as_str(payload.get("message")) or "", at, "legacy", None)
        elif kind == "item_completed":
            item = as_dict(payload.get("item"))
            what = str(item.get("type")).casefold()
            if what in _SPEAKERS:
                text = "\n\n".join(block_texts(item.get("content"), _TEXT))
                self._say(_SPEAKERS[what], text, at, "items", as_str(item.get("id")))
            elif what in ("commandexecution", "mcptoolcall"):
                self._tool(item.get("tool") or "exec_command", item, as_str(item.get("id")))

    def _response(self, payload: dict[str, Any], at: datetime | None) -> None:
        kind = payload.get("type")
        if kind == "message":
            role = {"user": Role.USER, "assistant": Role.ASSISTANT}.get(str(payload.get("role")))
            texts = block_texts(payload.get("content"), _TEXT)
            if role:
                kept = [text for text in texts if not text.lstrip().startswith(_INJECTED)]
                self._items.say(role, _plain("\n\n".join(kept)), at=at, message_id=as_str(payload.get("id")))
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            arguments = payload.get("arguments") or payload.get("input") or payload.get("action")
            self._tool(payload.get("name") or "shell", arguments, as_str(payload.get("call_id")))

    def _say(self, role: Role, text: str, at: datetime | None, dialect: str, name: str | None) -> None:
        if text.lstrip().startswith(_INJECTED):
            return
        text = _plain(text)
        if self._last and self._last[:2] == (role, text) and self._last[2] != dialect:
            return  # one message in both dialects
        if self._events.say(role, text, at=at, message_id=name):
            self._last = (role, text, dialect)

    def _tool(self, name: object, arguments: object, call: str | None) -> None:
        if call:
            if call in self._calls:
                return
            self._calls.add(call)
        if isinstance(arguments, str) and (patched := _PATCHED.findall(arguments)):
            arguments = " ".join(patched)
        line = _SHELL.sub("", tool_line(name, arguments))
        self._events.tool(line)
        self._items.tool(line)


def _plain(text: str) -> str:
    return _REQUEST.sub("", text)


def _wanted(line: bytes) -> bool:
    return not any(mark in line[:200] for mark in _SKIPPED)


def _ignorable(head: bytes) -> bool:
    """Compacted rows repeat the history and may be most of a file of hundreds of MB."""
    return any(mark.replace(b'":"', b'": "') in head or mark in head for mark in _SKIPPED)

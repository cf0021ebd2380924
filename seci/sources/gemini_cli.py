"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id8>.jsonl`, a log of operations; once one JSON object.

A message is written again under its id when its tool results arrive; `$set` with `messages` rebuilds the history and
`$rewindTo` cuts it. A resumed session's rebuilt history can lack the user's own prompt while it keeps the answer:
such a prompt was said, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session, Turn
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.lines import json_rows, read_head
from seci.sources.places import session_key
from seci.sources.turns import (
    TEXT_LIMIT,
    TURN_LIMIT,
    TurnList,
    as_dict,
    as_list,
    as_str,
    parse_time,
    too_long,
    tool_line,
)

_INJECTED = ("<session_context>", "<state_snapshot>", "<system-reminder>")
_HOOK = re.compile(r"<hook_context>.*?</hook_context>\s*", re.DOTALL)
_SPEAKERS = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}


class GeminiCliSource(BaseSource):
    name = "gemini-cli"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or not {".json", ".jsonl"} & set(bundle.suffixes):
            return Claim.NONE
        head = read_head(bundle)[:4096]
        return Claim.SPECIFIC if b'"sessionId"' in head and b'"projectHash"' in head else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        log = _Log()
        if bundle.suffix == ".json":
            try:
                document = as_dict(read_document(bundle))
            except UnreadableDocument as error:
                yield Failure(str(bundle), str(error))
                return
            log.header(document)
            log.rebuild(as_list(document.get("messages")))
        else:
            for item in json_rows(bundle):
                if isinstance(item, Failure):
                    yield item
                else:
                    log.operation(item[1])
                    if log.is_full():
                        yield too_long(f"{bundle}:{item[0]}")
                        break
        turns = log.turns()
        if turns:
            yield Session(
                self.name,
                log.session or bundle.stem,
                turns,
                cwd=_project_root(bundle),
                parent=session_key(self.name, bundle.parent.name) if log.subagent else None,
                path=str(bundle),
            )

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini" / "tmp",)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (root,) = self.places(home, environ)
        yield from sorted(root.glob("*/chats/**/session-*.json*"))


class _Message(NamedTuple):
    """What is kept of a message: tool results can be large and are not."""

    id: str
    type: str
    at: datetime | None
    text: str
    tools: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """A tool's answer can repeat the id of the message that called it."""
        return self.id, self.type


class _Log:
    def __init__(self) -> None:
        self.session: str | None = None
        self.subagent = False
        self._messages: dict[tuple[str, str], _Message] = {}
        self._length = 0  # characters taken in, those of replaced messages included

    def is_full(self) -> bool:
        return len(self._messages) >= TURN_LIMIT or self._length >= TEXT_LIMIT

    def header(self, row: dict[str, Any]) -> None:
        self.session = as_str(row.get("sessionId")) or self.session
        self.subagent = self.subagent or row.get("kind") == "subagent"

    def operation(self, row: dict[str, Any]) -> None:
        if "$rewindTo" in row:
            self._rewind(row["$rewindTo"])
        elif "$set" in row:
            values = as_dict(row["$set"])
            self.header(values)
            if isinstance(values.get("messages"), list):
                self.rebuild(values["messages"])
        elif "type" in row and as_str(row.get("id")):
            message = parse_message(row)
            self._length += len(message.text)
            self._messages[message.id, message.type] = message
        elif "sessionId" in row:
            self.header(row)

    def rebuild(self, messages: list[Any]) -> None:
        rebuilt = {m.key: m for m in map(parse_message, (m for m in messages if isinstance(m, dict)))}
        kept: dict[tuple[str, str], _Message] = {}
        unanswered: dict[tuple[str, str], _Message] = {}
        for key, message in self._messages.items():
            if key in rebuilt:
                if message.type != "user":
                    kept |= unanswered
                unanswered = {}
                kept[key] = rebuilt[key]._replace(tools=rebuilt[key].tools or message.tools)
            elif message.type == "user" and message.text:
                unanswered[key] = message
        self._messages = kept | {key: kept.get(key, message) for key, message in rebuilt.items()}

    def turns(self) -> tuple[Turn, ...]:
        turns = TurnList()
        for message in self._messages.values():
            if role := _SPEAKERS.get(message.type):
                turns.say(role, message.text, at=message.at, message_id=message.id)
                for line in message.tools:
                    turns.tool(line)
        return turns.freeze()

    def _rewind(self, target: object) -> None:
        ids = [key[0] for key in self._messages]
        keep = ids.index(str(target)) if str(target) in ids else 0
        self._messages = dict(list(self._messages.items())[:keep])


def parse_message(message: dict[str, Any]) -> _Message:
    """A message as it was shown; without text where it is a tool's result or injected context."""
    tools: tuple[str, ...] = ()
    if "toolCalls" in message:
        calls = map(as_dict, as_list(message["toolCalls"]))
        tools = tuple([tool_line(call.get("name"), call.get("args")) for call in calls])
    at = parse_time(message.get("timestamp"))
    return _Message(str(message.get("id")), str(message.get("type")), at, _text(message), tools)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list) and any("functionResponse" in as_dict(part) for part in content):
        return ""
    shown = message.get("displayContent") or content
    if isinstance(shown, str):
        return _said(shown)
    texts = [_said(_part(part)) for part in as_list(shown)]
    return "\n\n".join(text for text in texts if text)


def _said(text: str) -> str:
    if "<hook_context>" in text:
        text = _HOOK.sub("", text)
    text = text.strip()
    return "" if text.startswith(_INJECTED) else text


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    text = as_dict(part).get("text")
    return text if isinstance(text, str) and not as_dict(part).get("thought") else ""


def _project_root(bundle: Path) -> str | None:
    """The path that `.project_root` above the chat names, or that `projects.json` gives for the folder's name."""
    project = bundle.parent.parent
    if root := read_head(project / ".project_root").decode("utf-8", "replace").strip():
        return root
    for place in (bundle.parent, project, project.parent.parent):
        try:
            projects = as_dict(as_dict(read_document(place / "projects.json")).get("projects"))
        except UnreadableDocument:
            continue
        named = [path for path, name in projects.items() if name == project.name]
        if place == bundle.parent and len(projects) == 1:
            named = named or list(projects)  # the index was copied together with its only project's chats
        return named[0] if named else None
    return None

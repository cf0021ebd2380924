"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id8>.jsonl`, a log of operations; once one JSON object.

A message is written again under its id when its tool results arrive; `$set` with `messages` rebuilds the history and
`$rewindTo` cuts it. A resumed session's rebuilt history can lack the user's own prompt while it keeps the answer:
such a prompt was said, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.lines import json_rows, read_head
from seci.sources.places import session_key
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time, tool_line

_INJECTED = ("<session_context>", "<state_snapshot>", "<system-reminder>")
_HOOK = re.compile(r"<hook_context>.*?</hook_context>\s*", re.DOTALL)
_SPEAKERS = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}

Key = tuple[str, str]  # message id and type: a tool's answer repeats the id of the message that called it


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

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        root = Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini" / "tmp"
        yield from sorted(root.glob("*/chats/**/session-*.json*"))


class _Log:
    def __init__(self) -> None:
        self.session: str | None = None
        self.subagent = False
        self._messages: dict[Key, dict[str, Any]] = {}

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
        elif as_str(row.get("id")) and "type" in row:
            self._messages[_key(row)] = row
        elif "sessionId" in row:
            self.header(row)

    def rebuild(self, messages: list[Any]) -> None:
        rebuilt = {_key(message): message for message in messages if isinstance(message, dict)}
        kept: dict[Key, dict[str, Any]] = {}
        unanswered: dict[Key, dict[str, Any]] = {}
        for key, message in self._messages.items():
            if key in rebuilt:
                if message.get("type") != "user":
                    kept |= unanswered
                unanswered = {}
                kept[key] = {"toolCalls": message.get("toolCalls"), **rebuilt[key]}
            elif message.get("type") == "user" and _text(message):
                unanswered[key] = message
        self._messages = kept | {key: kept.get(key, message) for key, message in rebuilt.items()}

    def turns(self) -> tuple[Any, ...]:
        turns = TurnList()
        for message in self._messages.values():
            role = _SPEAKERS.get(str(message.get("type")))
            if role is None:
                continue
            turns.say(
                role, _text(message), at=parse_time(message.get("timestamp")), message_id=as_str(message.get("id"))
            )
            for call in as_list(message.get("toolCalls")):
                turns.tool(tool_line(as_dict(call).get("name"), as_dict(call).get("args")))
        return turns.freeze()

    def _rewind(self, target: object) -> None:
        ids = [key[0] for key in self._messages]
        keep = ids.index(str(target)) if str(target) in ids else 0
        self._messages = dict(list(self._messages.items())[:keep])


def _key(message: dict[str, Any]) -> Key:
    return str(message.get("id")), str(message.get("type"))


def _text(message: dict[str, Any]) -> str:
    """What was said in a message, as it was shown; empty for tool results and injected context."""
    content = message.get("content")
    parts = as_list(content) if not isinstance(content, str) else [content]
    if any("functionResponse" in as_dict(part) for part in parts):
        return ""
    shown = message.get("displayContent") or parts
    texts = [shown] if isinstance(shown, str) else [_part(part) for part in as_list(shown)]
    plain = [_HOOK.sub("", text).strip() for text in texts]
    return "\n\n".join(text for text in plain if text and not text.startswith(_INJECTED))


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

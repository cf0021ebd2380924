"""Claude Code: `~/.claude/projects/<slug>/<session>.jsonl`, a tree of rows with one row for each content
block.

Read from real files of January to November 2026. What counts as a turn, beyond the rule of the vault:
assistant text starts a new turn after a user's turn, and where a new message opens with text; a message that
opens with thinking goes on with the turn before it. The turn's time is that of its first row, thinking
included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.lines import json_rows, read_head
from seci.sources.rowtree import RowTree
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, too_long, tool_line

_INJECTED = (  # how text begins that the tool wrote into a user row
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<task-notification>",
    "<system-reminder>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<user-memory-input>",
)
_REJECTION = "The tool use was rejected"  # what a tool result says of a call that the user turned down
_REJECTION_BYTES = _REJECTION.encode()
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_NOT_HUMAN = {"task_notification", "task-notification", "system"}
# fmt: off
_KNOWN_TYPES = {
    "user", "assistant", "system", "summary", "progress", "attachment", "file-history-snapshot",
    "queue-operation", "last-prompt", "mode", "permission-mode", "ai-title", "custom-title", "tag", "agent-name",
    "pr-link", "tools-used", "cost-state", "atis-latch", "api-request", "api-request-shape",
    "api-request-blob",
}
# fmt: on
_TITLE_KEYS = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_UUID = re.compile(rb'"uuid":"([^"\\]+)"')
_PARENT = re.compile(rb'"parentUuid":"([^"\\]+)"')
_LOGICAL_PARENT = re.compile(rb'"logicalParentUuid":"([^"\\]+)"')


class ClaudeCodeSource(BaseSource):
    """A transcript and, where it stands in its project's folder, the subagents' transcripts below it."""

    name = "claude-code"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or ".jsonl" not in bundle.suffixes:
            return Claim.NONE
        head = read_head(bundle)
        rows = b'"sessionId":' in head.replace(b'" :', b'":') and b'"parentUuid"' in head
        queue = head.startswith((b'{"type":"queue-operation"', b'{"type":"file-history-snapshot"'))
        summary = head.startswith(b'{"type":"summary"') and b'"leafUuid"' in head
        return Claim.SPECIFIC if rows or queue or summary else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        yield from _Transcript(bundle).read()
        for path in sorted(self._subagents(bundle).glob("agent-*.jsonl")):
            yield from _Transcript(path).read()

    def side_files(self, bundle: Path) -> Iterator[Path]:
        yield bundle.with_suffix("")

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        configured = environ.get("CLAUDE_CONFIG_DIR")
        roots = [Path(configured)] if configured else [home / ".claude", home / ".config" / "claude"]
        return tuple(root / "projects" for root in roots)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        for folder in self.places(home, environ):
            yield from sorted(folder.glob("*/*.jsonl"))

    @staticmethod
    def _subagents(bundle: Path) -> Path:
        return bundle.with_suffix("") / "subagents"


class _Conversation:
    """One thread of rows on its way to becoming a session."""

    def __init__(self) -> None:
        self.turns = TurnList()
        self.rows: list[list[int]] = []  # for each turn the tree numbers of its rows
        self._speech: Literal["none", "blank", "said"] = "none"  # of the assistant since the user's last turn
        self._blank: list[int] = []  # rows of an assistant turn that has no text yet
        self._message: object = None
        self._at: datetime | None = None

    def user(self, text: str, at: datetime | None, uuid: str | None, number: int) -> None:
        if self.turns.say(Role.USER, text, at=at, message_id=uuid):
            self.rows.append([number])
            self._speech = "none"

    def assistant(self, text: str, at: datetime | None, message: object, number: int) -> None:
        text = text.strip()
        if self._speech == "none" or (text and message != self._message):
            self._speech, self._at, self._blank = "blank", at, []
        self._message = message
        if self._speech == "said":
            self.rows[-1].append(number)
            self.turns.extend(text)
            return
        self._blank.append(number)
        if self.turns.say(Role.ASSISTANT, text, at=self._at, message_id=as_str(message)):
            self.rows.append(self._blank)
            self._speech = "said"


class _Transcript:
    """Reads one file: a session, and below it the sidechains that older versions kept in the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = RowTree()
        self.threads: dict[str, _Conversation] = {}  # by agent; "" is the session itself
        self.agent_of: dict[str, str] = {}  # row uuid -> agent, for sidechain rows that name none
        self.sessions: dict[str, int] = {}  # session id -> rows that carry it
        self.cwd: str | None = None
        self.title: str | None = None
        self.version: str | None = None
        self.unknown: set[str] = set()

    def read(self) -> Iterator[Session | Failure]:
        for item in json_rows(self.path, wanted=self._wanted):
            if isinstance(item, Failure):
                yield item
            else:
                thread = self._row(*item)
                if thread and thread.turns.is_full():
                    yield too_long(f"{self.path}:{item[0]}")
                    break
        session = self._session_id()
        found = False
        for agent, thread in sorted(self.threads.items()):
            gone = [i for i, rows in enumerate(thread.rows) if all(map(self.tree.dropped, rows))]
            turns = thread.turns.freeze(gone)
            if turns:
                found = True
                yield Session(
                    source=ClaudeCodeSource.name,
                    id=agent or session,
                    turns=turns,
                    cwd=self.cwd,
                    title=None if agent else self.title,
                    parent=f"{ClaudeCodeSource.name}:{session}" if agent else None,
                    path=str(self.path),
                )
        if not found and self.unknown:
            version = f" written by version {self.version}" if self.version else ""
            yield Failure(str(self.path), f"no row of a known type{version} (found {', '.join(sorted(self.unknown))})")

    def _session_id(self) -> str:
        """The id that the rows carry; the one in the file's name where a fork copied rows of several
        sessions."""
        named = [session for session in self.sessions if session in self.path.name]
        return (named or list(self.sessions) or [self.path.name.split(".jsonl")[0]])[0]

    def _wanted(self, line: bytes) -> bool:
        """Whether a line must be parsed. Of one that cannot hold a turn only its place in the tree is
        taken."""
        if line.startswith(b'{"type":"api-request'):
            return False  # repeats the conversation as it was sent
        results = b'"tool_result"' in line and b'"assistant"' not in line and _REJECTION_BYTES not in line
        if (b'"user"' in line or b'"assistant"' in line or b'"isSidechain":true' in line) and not results:
            return True
        uuids = _UUID.findall(line)
        if len(uuids) != 1 or not line.startswith(b'{"parentUuid":'):
            return True
        parents = _PARENT.findall(line) or _LOGICAL_PARENT.findall(line)
        if len(parents) > 1:
            return True
        self.tree.add(uuids[0].decode("utf-8", "replace"), parents[0].decode("utf-8", "replace") if parents else None)
        return False

    def _row(self, line: int, row: dict[str, Any]) -> _Conversation | None:
        """Takes a row in; the thread that it belongs to where it is part of a conversation."""
        kind, uuid = as_str(row.get("type")), as_str(row.get("uuid"))
        if kind in _TITLE_KEYS:
            self.title = as_str(row.get(_TITLE_KEYS[kind])) or self.title
            return None
        if uuid and self.tree.holds(uuid):
            return None  # the same row again
        agent = self._agent(row, uuid)
        parent = as_str(row.get("parentUuid")) or as_str(row.get("logicalParentUuid"))
        number = self.tree.add(uuid or f"line {line}", parent)
        if kind and kind not in _KNOWN_TYPES:
            self.unknown.add(kind)
            self.version = as_str(row.get("version")) or self.version
        message = row.get("message")
        if kind not in ("user", "assistant") or not isinstance(message, dict):
            return None
        if session := as_str(row.get("sessionId")):
            self.sessions[session] = self.sessions.get(session, 0) + 1
        self.cwd = self.cwd or as_str(row.get("cwd"))
        thread = self.threads.setdefault(agent, _Conversation())
        if kind == "user":
            for call in _rejected(message):
                thread.turns.reject(call)
            if text := parse_prompt(row, message):
                thread.user(text, parse_time(row.get("timestamp")), uuid, number)
        else:
            text = "\n\n".join(block_texts(message.get("content")))
            thread.assistant(text, parse_time(row.get("timestamp")), message.get("id"), number)
            for block in as_list(message.get("content")):
                if as_dict(block).get("type") == "tool_use":
                    thread.turns.tool(tool_line(block.get("name"), block.get("input")), as_str(block.get("id")))
        return thread

    def _agent(self, row: dict[str, Any], uuid: str | None) -> str:
        """The session id of the subagent that a row belongs to, empty for the session itself."""
        if row.get("isSidechain") is not True:
            return ""
        named = as_str(row.get("agentId"))
        parent = as_str(row.get("parentUuid"))
        started = self.agent_of.get(parent or "") or f"sidechain-{uuid or parent}"
        agent = f"agent-{named}" if named else started
        if uuid:
            self.agent_of[uuid] = agent
        return agent


def _rejected(message: dict[str, Any]) -> Iterator[str]:
    """The ids of the tool calls that the user turned down, as their results tell."""
    for block in map(as_dict, as_list(message.get("content"))):
        if block.get("type") != "tool_result" or block.get("is_error") is not True:
            continue
        call = as_str(block.get("tool_use_id"))
        if call and any(_REJECTION in text for text in block_texts(block.get("content"))):
            yield call


def parse_prompt(row: dict[str, Any], message: dict[str, Any]) -> str:
    """What a human typed in a `user` row; empty for tool results, meta rows, summaries, commands and
    reminders."""
    if row.get("isMeta") is True or row.get("isCompactSummary") is True:
        return ""
    origins = (row.get("turnOrigin"), row.get("promptSource"), as_dict(row.get("origin")).get("kind"))
    if any(isinstance(origin, str) and origin in _NOT_HUMAN for origin in origins):
        return ""
    content = message.get("content")
    if any(as_dict(block).get("type") == "tool_result" for block in as_list(content)):
        return ""
    texts = [_REMINDER.sub("", text).strip() for text in block_texts(content)]
    return "\n\n".join(text for text in texts if text and not text.startswith(_INJECTED))

"""Cursor: the editor's `state.vscdb`, the agent's transcripts under `~/.cursor/projects`, and its stores.

Cursor is closed source; keys and fields are those that several independent readers agree on. The order of a
conversation is that of its header list, never that of the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.cursor_store import TABLES, parse_query, read_store
from seci.sources.databases import BrokenDatabase, Snapshot, database_side_files, holds_table, open_snapshot
from seci.sources.documents import parse_value
from seci.sources.lines import head_rows, json_rows
from seci.sources.places import editor_places, parse_dashed_path, session_key
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, too_long, tool_line

_ROLES = {1: Role.USER, 2: Role.ASSISTANT, "user": Role.USER, "ai": Role.ASSISTANT, "assistant": Role.ASSISTANT}
_COMPACTION = 22  # capability of a bubble that stands for what was summarised
_OLD_CHAT = "workbench.panel.aichat.view.aichat.chatdata"


class CursorSource(BaseSource):
    """Both stores; a conversation has one id in both, so it is one session."""

    name = "cursor"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        if bundle.suffix == ".jsonl":
            rows = head_rows(bundle, 3)
            told = bool(rows) and all("role" in row and isinstance(row.get("message"), dict) for row in rows)
            return Claim.SPECIFIC if told and not any("uuid" in row or "type" in row for row in rows) else Claim.NONE
        if bundle.suffix not in (".vscdb", ".db"):
            return Claim.NONE
        if holds_table(bundle, *TABLES):
            return Claim.SPECIFIC
        kept = holds_table(bundle, "cursorDiskKV") or (bundle.suffix == ".vscdb" and holds_table(bundle, "ItemTable"))
        return Claim.SPECIFIC if kept else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.suffix == ".jsonl":
            yield from self._transcript(bundle)
            return
        if holds_table(bundle, *TABLES):
            yield from read_store(bundle, self.name)
            return
        try:
            with open_snapshot(bundle) as store:
                yield from self._store(store, bundle)
        except BrokenDatabase as error:
            yield Failure(str(bundle), f"not a readable database: {error}")

    def side_files(self, bundle: Path) -> Iterator[Path]:
        return database_side_files(bundle)

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        root = home / ".cursor"
        return root / "projects", root / "chats", *editor_places(home, environ, "Cursor")

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        projects, chats, *users = self.places(home, environ)
        told = sorted(projects.glob("*/agent-transcripts/**/*.jsonl"))
        yield from told
        names = {path.stem for path in told}  # a transcript says more than the store of the same chat
        stores = sorted(chats.glob("*/*/store.db"))
        yield from (path for path in stores if path.parent.name not in names)
        for user in users:
            yield from sorted(user.glob("globalStorage/state.vscdb"))

    def _transcript(self, bundle: Path) -> Iterator[Session | Failure]:
        turns = TurnList()
        for item in json_rows(bundle):
            if isinstance(item, Failure):
                yield item
                continue
            role = item[1].get("role")
            content = as_dict(item[1].get("message")).get("content")
            if not isinstance(role, str) or role not in _ROLES:
                continue
            turns.say(_ROLES[role], parse_query("\n\n".join(block_texts(content))))
            for block in as_list(content):
                if as_dict(block).get("type") == "tool_use":
                    turns.tool(tool_line(as_dict(block).get("name"), as_dict(block).get("input")))
            if turns.is_full():
                yield too_long(f"{bundle}:{item[0]}")
                break
        if said := turns.freeze():
            yield Session(self.name, bundle.stem, said, cwd=_transcript_folder(bundle), path=str(bundle))

    def _store(self, store: Snapshot, bundle: Path) -> Iterator[Session | Failure]:
        tables = store.tables()
        if "cursorDiskKV" in tables:
            headers = _composer_headers(store, tables)
            for (name,) in list(store.rows("SELECT key FROM cursorDiskKV WHERE key LIKE 'composerData:%'")):
                yield from self._composer(store, str(name), headers, bundle)
        if "ItemTable" in tables:
            for (value,) in store.rows("SELECT value FROM ItemTable WHERE key = ?", (_OLD_CHAT,)):
                for tab in as_list(as_dict(parse_value(value)).get("tabs")):
                    yield from self._old_chat(as_dict(tab), bundle)

    def _composer(
        self, store: Snapshot, key: str, headers: dict[str, dict[str, Any]], bundle: Path
    ) -> Iterator[Session | Failure]:
        value = next((row[0] for row in store.rows("SELECT value FROM cursorDiskKV WHERE key = ?", (key,))), None)
        composer = as_dict(parse_value(value))
        name = as_str(composer.get("composerId")) or key.split(":", 1)[1]
        if not composer and value:
            yield Failure(f"{bundle}: {key}", "is not a JSON object")
        start = parse_time(composer.get("createdAt"))
        turns = TurnList()
        for header in as_list(composer.get("fullConversationHeadersOnly")):
            bubble = f"bubbleId:{name}:{as_dict(header).get('bubbleId')}"
            for (text,) in store.rows("SELECT value FROM cursorDiskKV WHERE key = ?", (bubble,)):
                _say_bubble(turns, as_dict(parse_value(text)), start)
        if not len(turns):
            for bubble_data in as_list(composer.get("conversation")):
                _say_bubble(turns, as_dict(bubble_data), start)
        if said := turns.freeze():
            header = headers.get(name, {})
            about = as_dict(header.get("subagentInfo") or composer.get("subagentInfo"))
            parent = as_str(about.get("parentComposerId"))
            yield Session(
                self.name,
                name,
                said,
                cwd=_folder(header) or _folder(composer),
                title=as_str(composer.get("name")) or as_str(header.get("name")),
                parent=session_key(self.name, parent) if parent else None,
                path=str(bundle),
            )

    def _old_chat(self, tab: dict[str, Any], bundle: Path) -> Iterator[Session]:
        turns = TurnList()
        for bubble in as_list(tab.get("bubbles")):
            _say_bubble(turns, as_dict(bubble), parse_time(tab.get("lastSendTime")))
        name = as_str(tab.get("tabId"))
        if (said := turns.freeze()) and name:
            yield Session(self.name, name, said, title=as_str(tab.get("chatTitle")), path=str(bundle))


def _transcript_folder(bundle: Path) -> str | None:
    """The project's folder, from `<project>/agent-transcripts/<id>/<id>.jsonl`; a copy may have the project below."""
    for place in bundle.parents:
        if place.parent.name == "agent-transcripts":
            return parse_dashed_path(place.parent.parent.name if place.name == bundle.stem else place.name)
        if place.name == "agent-transcripts":
            return parse_dashed_path(place.parent.name)
    return None


def _say_bubble(turns: TurnList, bubble: dict[str, Any], start: Any) -> None:
    kind = bubble.get("type")
    if not isinstance(kind, (int, str)) or kind not in _ROLES or bubble.get("capabilityType") == _COMPACTION:
        return
    turns.say(
        _ROLES[kind],
        parse_query(as_str(bubble.get("text")) or as_str(bubble.get("rawText")) or ""),
        at=parse_time(bubble.get("createdAt")) or start,
        message_id=as_str(bubble.get("bubbleId")) or as_str(bubble.get("id")),
    )
    call = as_dict(bubble.get("toolFormerData"))
    arguments = call.get("rawArgs") or call.get("params")
    turns.tool(tool_line(call.get("name"), parse_value(arguments) if isinstance(arguments, str) else arguments))


def _composer_headers(store: Snapshot, tables: Mapping[str, set[str]]) -> dict[str, dict[str, Any]]:
    """What the newer table records about each conversation: its name, folder and parent."""
    if not {"composerId", "value"} <= tables.get("composerHeaders", set()):
        return {}
    return {
        str(name): as_dict(parse_value(value))
        for name, value in store.rows("SELECT composerId, value FROM composerHeaders")
    }


def _folder(composer: dict[str, Any]) -> str | None:
    uri = as_dict(as_dict(composer.get("workspaceIdentifier")).get("uri"))
    return as_str(uri.get("fsPath")) or as_str(uri.get("path"))

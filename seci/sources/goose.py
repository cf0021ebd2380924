"""Goose: the database `sessions.db`, and the JSON Lines files of older versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.databases import BrokenDatabase, Snapshot, database_side_files, holds_table, open_snapshot
from seci.sources.documents import parse_value
from seci.sources.lines import head_rows, json_rows
from seci.sources.places import data_home
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, too_long, tool_line

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class GooseSource(BaseSource):
    name = "goose"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        if bundle.suffix == ".jsonl":
            rows = head_rows(bundle, 1)
            return Claim.SPECIFIC if rows and "working_dir" in rows[0] else Claim.NONE
        return Claim.SPECIFIC if holds_table(bundle, "sessions", "messages") else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.suffix == ".jsonl":
            yield from self._file(bundle)
            return
        try:
            with open_snapshot(bundle) as store:
                yield from self._database(store, bundle)
        except BrokenDatabase as error:
            yield Failure(str(bundle), f"not a readable database: {error}")

    def side_files(self, bundle: Path) -> Iterator[Path]:
        return database_side_files(bundle)

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        roots = [data_home(home, environ), home / "Library" / "Application Support" / "Block"]
        if roaming := environ.get("APPDATA"):
            roots.append(Path(roaming) / "Block")
        return tuple(root / "goose" / "sessions" for root in roots)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        for sessions in self.places(home, environ):
            yield from sorted(sessions.glob("sessions.db"))
            yield from sorted(sessions.glob("*.jsonl"))

    def _database(self, store: Snapshot, bundle: Path) -> Iterator[Session | Failure]:
        columns = store.tables()
        wanted = [name for name in ("id", "name", "description", "working_dir") if name in columns.get("sessions", ())]
        hidden = "metadata_json" if "metadata_json" in columns.get("messages", ()) else "NULL"
        query = (
            f"SELECT id, role, content_json, created_timestamp, {hidden} FROM messages"
            " WHERE session_id = ? ORDER BY created_timestamp, id"
        )
        for row in list(store.rows(f"SELECT {', '.join(wanted)} FROM sessions ORDER BY id")):
            about = dict(zip(wanted, row, strict=True))
            turns = TurnList()
            for name, role, content, created, metadata in store.rows(query, (about["id"],)):
                if as_dict(parse_value(metadata)).get("userVisible") is not False:
                    say_message(turns, role, parse_value(content), created, str(name))
                if turns.is_full():
                    yield too_long(f"{bundle}: session {about['id']}")
                    break
            yield from _session(turns, str(about["id"]), about, bundle)

    def _file(self, bundle: Path) -> Iterator[Session | Failure]:
        about: dict[str, Any] = {}
        turns = TurnList()
        for item in json_rows(bundle):
            if isinstance(item, Failure):
                yield item
            elif "working_dir" in item[1]:
                about = about or item[1]
            else:
                row = item[1]
                say_message(turns, row.get("role"), row.get("content"), row.get("created"), as_str(row.get("id")))
                if turns.is_full():
                    yield too_long(f"{bundle}:{item[0]}")
                    break
        yield from _session(turns, bundle.stem, about, bundle)


def say_message(turns: TurnList, role: object, content: object, created: object, name: str | None) -> None:
    """Adds one message; tool answers have no text and leave no turn."""
    if not isinstance(role, str) or role not in _ROLES:
        return
    turns.say(_ROLES[role], "\n\n".join(block_texts(content)), at=parse_time(created), message_id=name)
    for block in map(as_dict, as_list(content)):
        if block.get("type") == "toolRequest":
            call = as_dict(block.get("toolCall"))
            value = as_dict(call.get("value")) or call
            turns.tool(tool_line(value.get("name"), value.get("arguments")))


def _session(turns: TurnList, name: str, about: Mapping[str, Any], bundle: Path) -> Iterator[Session]:
    if said := turns.freeze():
        yield Session(
            GooseSource.name,
            name,
            said,
            cwd=as_str(about.get("working_dir")),
            title=as_str(about.get("name")) or as_str(about.get("description")),
            path=str(bundle),
        )

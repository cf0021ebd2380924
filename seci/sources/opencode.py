"""opencode: the database `opencode.db`, the JSON files of versions before 1.2, and `opencode export`.

All three hold the same sessions, messages and parts under the same ids; only their place differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.databases import BrokenDatabase, Snapshot, database_side_files, holds_table, open_snapshot
from seci.sources.documents import UnreadableDocument, parse_value, read_document
from seci.sources.lines import read_head
from seci.sources.places import data_home, session_key
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time, too_long, tool_line

Message = tuple[str, dict[str, Any], list[dict[str, Any]]]  # id, data, parts in order

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class OpencodeSource(BaseSource):
    """A database, an export, or the folder `storage` of an old version."""

    name = "opencode"

    def claim(self, bundle: Path) -> Claim:
        if bundle.is_dir():
            old = (bundle / "session" / "info").is_dir() or (
                (bundle / "session").is_dir() and (bundle / "message").is_dir()
            )
            return Claim.SPECIFIC if old else Claim.NONE
        if bundle.suffix == ".json":
            head = read_head(bundle)
            exported = b'"info"' in head[:200] and b'"messages"' in head and b'"ses_' in head
            return Claim.SPECIFIC if exported else Claim.NONE
        return Claim.SPECIFIC if holds_table(bundle, "session", "message", "part") else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.is_dir():
            yield from self._folder(bundle)
        elif bundle.suffix == ".json":
            yield from self._export(bundle)
        else:
            try:
                with open_snapshot(bundle) as store:
                    yield from self._database(store, bundle)
            except BrokenDatabase as error:
                yield Failure(str(bundle), f"not a readable database: {error}")

    def side_files(self, bundle: Path) -> Iterator[Path]:
        return database_side_files(bundle)

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (data_home(home, environ) / "opencode",)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (root,) = self.places(home, environ)
        yield from sorted(root.glob("opencode*.db"))
        if self.claim(root / "storage"):
            yield root / "storage"

    def _database(self, store: Snapshot, bundle: Path) -> Iterator[Session | Failure]:
        columns = store.tables().get("session", set())
        wanted = [name for name in ("id", "parent_id", "directory", "title", "revert") if name in columns]
        for row in list(store.rows(f"SELECT {', '.join(wanted)} FROM session ORDER BY time_created, id")):
            info = dict(zip(wanted, row, strict=True))
            query = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
            rows = store.rows(query, (info["id"],))
            messages = ((str(name), _parse(data), _parts(store, str(name))) for name, data in rows)
            revert = as_str(_parse(info.get("revert")).get("messageID"))
            yield from self._session(str(info["id"]), as_str(info.get("parent_id")), info, messages, revert, bundle)

    def _export(self, bundle: Path) -> Iterator[Session | Failure]:
        try:
            document = as_dict(read_document(bundle))
        except UnreadableDocument as error:
            yield Failure(str(bundle), str(error))
            return
        info = as_dict(document.get("info"))
        messages = []
        for message in map(as_dict, as_list(document.get("messages"))):
            data = as_dict(message.get("info"))
            messages.append((str(data.get("id")), data, [as_dict(part) for part in as_list(message.get("parts"))]))
        yield from self._session(
            as_str(info.get("id")) or bundle.stem,
            as_str(info.get("parentID")),
            info,
            messages,
            as_str(as_dict(info.get("revert")).get("messageID")),
            bundle,
        )

    def _folder(self, bundle: Path) -> Iterator[Session | Failure]:
        older = bundle / "session" / "info"  # then messages and parts lie below `session` too, parts by session
        for path in sorted(older.glob("*.json") if older.is_dir() else (bundle / "session").glob("*/*.json")):
            try:
                info = as_dict(read_document(path))
            except UnreadableDocument as error:
                yield Failure(str(path), str(error))
                continue
            name = as_str(info.get("id")) or path.stem
            messages: list[Message] = []
            root = bundle / "session" if older.is_dir() else bundle
            below = root / "part" / path.stem if older.is_dir() else root / "part"
            for file in sorted((root / "message" / path.stem).glob("*.json")):
                parts = [_read(part) for part in sorted((below / file.stem).glob("*.json"))]
                messages.append((file.stem, _read(file), parts))
            messages.sort(key=lambda message: (_created(message[1]), message[0]))
            revert = as_str(as_dict(info.get("revert")).get("messageID"))
            yield from self._session(name, as_str(info.get("parentID")), info, messages, revert, path)

    def _session(
        self,
        name: str,
        parent: str | None,
        info: Mapping[str, Any],
        messages: Iterable[Message],
        revert: str | None,
        path: Path,
    ) -> Iterator[Session | Failure]:
        """The session; what the user took back (`revert`, ids sort by time) keeps its numbers and is left out."""
        turns = TurnList()
        reverted: list[int] = []
        cwd = as_str(info.get("directory"))
        for message, data, parts in messages:
            cwd = cwd or as_str(as_dict(data.get("path")).get("root"))
            before = len(turns)
            say_message(turns, message, data, parts)
            if revert and message >= revert:
                reverted += range(before, len(turns))
            if turns.is_full():
                yield too_long(f"{path}: session {name}")
                break
        if said := turns.freeze(reverted):
            yield Session(
                self.name,
                name,
                said,
                cwd=cwd,
                title=as_str(info.get("title")),
                parent=session_key(self.name, parent) if parent else None,
                path=str(path),
            )


def say_message(turns: TurnList, name: str, data: dict[str, Any], parts: Iterable[dict[str, Any]]) -> None:
    """Adds one message; synthetic and ignored text and summaries of a compaction are left out."""
    role = _ROLES.get(str(data.get("role")))
    if role is None or (role is Role.ASSISTANT and data.get("summary") is True):
        return
    texts: list[str] = []
    tools: list[str] = []
    for part in parts:
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored"):
            texts.append(as_str(part.get("text")) or "")
        elif part.get("type") == "tool":
            tools.append(tool_line(part.get("tool"), as_dict(part.get("state")).get("input")))
    at = parse_time(as_dict(data.get("time")).get("created"))
    turns.say(role, "\n\n".join(text for text in texts if text), at=at, message_id=name)
    for line in tools:
        turns.tool(line)


def _parts(store: Snapshot, message: str) -> list[dict[str, Any]]:
    query = "SELECT data FROM part WHERE message_id = ? ORDER BY id"
    return [_parse(data) for (data,) in store.rows(query, (message,))]


def _created(data: dict[str, Any]) -> float:
    created = parse_time(as_dict(data.get("time")).get("created"))
    return created.timestamp() if created else 0.0


def _read(path: Path) -> dict[str, Any]:
    try:
        return as_dict(read_document(path))
    except UnreadableDocument:
        return {}


def _parse(value: object) -> dict[str, Any]:
    return as_dict(parse_value(value))

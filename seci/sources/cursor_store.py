"""Cursor's agent in a terminal: `~/.cursor/chats/<md5 of the project's path>/<id>/store.db`.

Closed source and undocumented. What independent readers agree on: `meta` holds one JSON object, written in hexadecimal;
`blobs` holds messages as JSON and, under the id that `meta` calls the latest root, a list of their ids. The list is
protobuf of which only one thing is used here: a field of 32 bytes is the id of another blob.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

from seci.core.session import Failure, Role, Session
from seci.sources.databases import BrokenDatabase, Snapshot, open_snapshot
from seci.sources.documents import parse_value
from seci.sources.places import parse_dashed_path
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, too_long, tool_line

TABLES = ("blobs", "meta")
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_INJECTED = ("<user_info>", "<git_status>", "<project_layout>", "<rules>", "<system_reminder>", "<open_and_recently")
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_REFERENCES = (b"\x0a\x20", b"\x12\x20", b"\x1a\x20")  # fields 1 to 3, 32 bytes long
_MOST_BLOBS = 200_000  # of one chat
_SMALLEST = 2  # bytes of a message
_LARGEST = 16 << 20  # bytes of a message: one with pictures has a few million


def read_store(bundle: Path, name: str) -> Iterator[Session | Failure]:
    """The chat of one store, as a session of the source `name`; a Failure that names the file where its messages are in
    a form that is not known."""
    try:
        with open_snapshot(bundle) as store:
            yield from _read(store, bundle, name)
    except BrokenDatabase as error:
        yield Failure(str(bundle), f"not a readable database: {error}")


def _read(store: Snapshot, bundle: Path, name: str) -> Iterator[Session | Failure]:
    meta = _meta(store)
    start = parse_time(meta.get("createdAt"))
    root = as_str(meta.get("latestRootBlobId"))
    turns = TurnList()
    for (large,) in store.rows("SELECT count(*) FROM blobs WHERE length(data) > ?", (_LARGEST,)):
        if large:
            yield Failure(str(bundle), f"{large} blobs of more than {_LARGEST >> 20} MB left out")
    listed = list(_listed(store, root)) if root else []
    messages = [message for blob in listed if (message := _message(blob))]
    ordered = bool(messages)
    if not messages:
        messages = [message for blob in _stored(store) if (message := _message(blob))]
    for message in messages:
        _say(turns, message, start)
        if turns.is_full():
            yield too_long(str(bundle))
            break
    if said := turns.freeze():
        if not ordered:
            reason = "the list of its messages is in a form that is not known: they are read in the order of storing"
            yield Failure(str(bundle), reason)
        yield Session(
            name,
            as_str(meta.get("agentId")) or bundle.parent.name,
            said,
            cwd=_folder(bundle),
            title=as_str(meta.get("name")),
            path=str(bundle),
        )
    elif count := next(store.rows("SELECT count(*) FROM blobs"), (0,))[0]:
        yield Failure(str(bundle), f"none of its {count} blobs holds a message in a form that is known")


def _meta(store: Snapshot) -> dict[str, Any]:
    """What the store says of its chat; empty where that cannot be read."""
    for (value,) in store.rows("SELECT value FROM meta"):
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        if not isinstance(text, str):
            continue
        if found := as_dict(parse_value(text)):
            return found
        try:
            plain = bytes.fromhex(text)
        except ValueError:
            continue
        if found := as_dict(parse_value(plain.decode("utf-8", "replace"))):
            return found
    return {}


def _listed(store: Snapshot, root: str) -> Iterator[bytes]:
    """The blobs below the root in the order of its list, each once; lists within the list included."""
    seen: set[str] = set()
    waiting = [root]
    while waiting and len(seen) < _MOST_BLOBS:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        blob = _blob(store, key)
        if blob is None:
            continue
        if _is_json(blob):
            yield blob
        else:
            waiting.extend(reversed([reference for reference in _references(blob) if reference not in seen]))


def _references(blob: bytes) -> Iterator[str]:
    at = 0
    while at + 34 <= len(blob):
        if blob[at : at + 2] in _REFERENCES:
            yield blob[at + 2 : at + 34].hex()
            at += 34
        else:
            at += 1


def _blob(store: Snapshot, key: str) -> bytes | None:
    query = "SELECT data FROM blobs WHERE id = ? AND length(data) <= ?"
    for (data,) in store.rows(query, (key, _LARGEST)):
        return data.encode("utf-8", "replace") if isinstance(data, str) else data if isinstance(data, bytes) else None
    return None


def _stored(store: Snapshot) -> Iterator[bytes]:
    for (data,) in store.rows("SELECT data FROM blobs WHERE length(data) <= ? ORDER BY rowid", (_LARGEST,)):
        if isinstance(data, (bytes, str)):
            blob = data.encode("utf-8", "replace") if isinstance(data, str) else data
            if _is_json(blob):
                yield blob


def _is_json(blob: bytes) -> bool:
    return len(blob) > _SMALLEST and blob.startswith(b"{") and blob.rstrip().endswith(b"}")


def _message(blob: bytes) -> dict[str, Any]:
    """The message of a blob; empty where it is none that anybody said."""
    message = as_dict(parse_value(blob))
    return message if message.get("role") in _ROLES else {}


def _say(turns: TurnList, message: dict[str, Any], start: Any) -> None:
    role, content = _ROLES[message["role"]], message.get("content")
    texts = [text for text in block_texts(content) if not text.lstrip().startswith(_INJECTED) or "<user_query>" in text]
    text = "\n\n".join(texts)
    turns.say(role, parse_query(text), at=start, message_id=as_str(message.get("id")))
    for block in map(as_dict, as_list(content)):
        if block.get("type") in ("tool-call", "tool_use"):
            arguments = block.get("args") or block.get("input")
            turns.tool(tool_line(block.get("toolName") or block.get("name"), arguments))


def parse_query(text: str) -> str:
    """What the user asked, without the context that the agent wraps around it."""
    asked = _QUERY.findall(text)
    return "\n\n".join(asked) if asked else text


def _folder(bundle: Path) -> str | None:
    """The project whose path has the digest that names the folder, if the agent's transcripts know that project."""
    if len(bundle.parents) < 4:
        return None
    digest, projects = bundle.parents[1].name, bundle.parents[3] / "projects"
    names = sorted(entry.name for entry in projects.iterdir()) if projects.is_dir() else []
    paths = (parse_dashed_path(name) for name in names)
    return next((path for path in paths if md5(path.encode(), usedforsecurity=False).hexdigest() == digest), None)

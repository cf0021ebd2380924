"""JSON and JSON Lines of `{role, content, timestamp?}`, in the spellings that chat exports and datasets
use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, array_items, read_document
from seci.sources.lines import head_rows, json_rows, read_head
from seci.sources.roles import parse_role
from seci.sources.turns import TurnList, as_list, as_str, block_texts, opening_id, parse_time, too_long, tool_line

_ROLE = ("role", "from", "speaker", "author", "sender")
_CONTENT = ("content", "text", "value", "message")
_TIME = ("timestamp", "time", "created_at", "createdAt", "date", "ts", "at")
_MESSAGES = ("messages", "conversations", "conversation", "turns", "history")
_SESSION = ("session_id", "sessionId", "conversation_id", "conversationId", "id", "uuid")
_LOOSE_SESSION = _SESSION[:4]  # of a message: its own id is another thing
_TITLE = ("title", "name", "summary")
_CWD = ("cwd", "workspace", "directory", "project_path")


class GenericJsonSource(BaseSource):
    """One conversation as rows or as an array of messages, or several as objects that hold `messages`."""

    name = "json"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        if ".jsonl" in bundle.suffixes or ".ndjson" in bundle.suffixes:
            labelled = any(is_message(row) or as_list(_first(row, _MESSAGES)) for row in head_rows(bundle, 5))
        elif bundle.suffix == ".json":
            labelled = looks_like_messages(read_head(bundle))
        else:
            return Claim.NONE
        return Claim.LABELLED if labelled else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.suffix == ".json":
            yield from self._document(bundle)
        else:
            rows = json_rows(bundle)
            yield from self._items((item if isinstance(item, Failure) else item[1] for item in rows), bundle)

    def _document(self, bundle: Path) -> Iterator[Session | Failure]:
        if read_head(bundle).lstrip()[:1] == b"[":
            yield from self._items(array_items(bundle), bundle)
            return
        try:
            document = read_document(bundle)
        except UnreadableDocument as error:
            yield Failure(str(bundle), str(error))
        else:
            yield from self._items([document], bundle)

    def _items(self, items: Iterable[Any], bundle: Path) -> Iterator[Session | Failure]:
        """Messages gather into sessions, by their session id where they name one; whole conversations stand
        alone."""
        loose: dict[str | None, TurnList] = {}
        for item in items:
            if isinstance(item, Failure):
                yield item
            elif isinstance(item, dict) and is_message(item):
                session = as_str(_first(item, _LOOSE_SESSION))
                if (turns := loose.get(session)) is None:
                    turns = loose[session] = TurnList()
                say_message(turns, item)
                if turns.is_full():
                    yield too_long(str(bundle))
                    break
            elif isinstance(item, dict) and (messages := as_list(_first(item, _MESSAGES))):
                turns = TurnList()
                for message in messages:
                    if isinstance(message, dict):
                        say_message(turns, message)
                yield from _session(turns, as_str(_first(item, _SESSION)), item, bundle)
        for session, turns in loose.items():
            yield from _session(turns, session, {}, bundle)


def is_message(row: dict[str, Any]) -> bool:
    """Whether an object has a role and a content."""
    if not isinstance(_first(row, _ROLE), str):
        return False
    content = _first(row, _CONTENT)
    return isinstance(content, (str, list))


def say_message(turns: TurnList, message: dict[str, Any]) -> None:
    """Adds a message; machinery (system, tool) is left out, an unknown role is a participant of that name."""
    word = _first(message, _ROLE)
    role = parse_role(word)
    if role is None:
        return
    content = _first(message, _CONTENT)
    turns.say(
        role,
        content if isinstance(content, str) else "\n\n".join(block_texts(content)),
        at=parse_time(_first(message, _TIME)),
        speaker=as_str(word) if role is Role.PARTICIPANT else None,
        message_id=as_str(message.get("id")) or as_str(message.get("message_id")),
    )
    if "tool_calls" not in message:
        return
    for call in as_list(message["tool_calls"]):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            turns.tool(tool_line(function.get("name"), function.get("arguments")))


def looks_like_messages(head: bytes) -> bool:
    """Whether the first kilobytes of a JSON document speak of messages with roles."""
    roles = any(b'"%s"' % key.encode() in head for key in _ROLE)
    contents = any(b'"%s"' % key.encode() in head for key in _CONTENT[:3])
    spoken = any(word in head.lower() for word in (b'"user"', b'"human"', b'"assistant"', b'"gpt"'))
    return head.lstrip()[:1] in (b"[", b"{") and roles and contents and spoken


def _session(turns: TurnList, named: str | None, item: dict[str, Any], bundle: Path) -> Iterator[Session]:
    kept = turns.freeze()
    if kept:
        yield Session(
            GenericJsonSource.name,
            named or opening_id(kept),
            kept,
            cwd=as_str(_first(item, _CWD)),
            title=as_str(_first(item, _TITLE)),
            path=str(bundle),
        )


def _first(row: dict[str, Any], keys: Iterable[str]) -> Any:
    for key in keys:
        if key in row and (value := row[key]) is not None:
            return value
    return None

"""The ChatGPT export: `conversations.json` (`conversations-000.json` and on for large accounts), or the zip.

A conversation is a tree; the branch that the user saw last leads from `current_node` up to the root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.archives import conversations, conversations_head
from seci.sources.base import BaseSource
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time, tool_line

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SPOKEN = {"text", "multimodal_text", "code", "audio_transcription"}
_CITATION = re.compile("\ue200[^\ue201]*\ue201|【[^】]*†[^】]*】")


class ChatGPTSource(BaseSource):
    name = "chatgpt"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        head = conversations_head(bundle)
        return Claim.SPECIFIC if b'"mapping"' in head and b'"title"' in head else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        for number, item in enumerate(conversations(bundle), 1):
            if isinstance(item, Failure):
                yield item
            elif isinstance(item, dict) and isinstance(item.get("mapping"), dict):
                if session := parse_conversation(item, bundle, number):
                    yield session
            else:
                yield Failure(f"{bundle}: item {number}", "is not a conversation")


def parse_conversation(item: dict[str, Any], bundle: Path, number: int) -> Session | None:
    """The branch that was shown last; None when nothing was said on it."""
    turns = TurnList()
    at = parse_time(item.get("create_time"))
    for node in select_branch(as_dict(item.get("mapping")), item.get("current_node")):
        message = as_dict(node.get("message"))
        role = _ROLES.get(str(as_dict(message.get("author")).get("role")))
        about = as_dict(message.get("metadata"))
        if role is None or about.get("is_visually_hidden_from_conversation"):
            continue
        content = as_dict(message.get("content"))
        at = parse_time(message.get("create_time")) or at  # many messages have none
        recipient = message.get("recipient")
        if role is Role.ASSISTANT and recipient not in (None, "all"):
            turns.tool(tool_line(recipient, parse_content(content)))
            continue
        turns.say(
            role,
            parse_content(content),
            at=at,
            message_id=as_str(message.get("id")),
        )
    said = turns.freeze()
    name = as_str(item.get("conversation_id")) or as_str(item.get("id")) or f"{bundle.stem}-{number}"
    return Session(ChatGPTSource.name, name, said, title=as_str(item.get("title")), path=str(bundle)) if said else None


def select_branch(mapping: dict[str, Any], current: object) -> list[dict[str, Any]]:
    """The nodes from the root to `current`; without a usable one, to the newest message that nothing follows."""
    name = current if isinstance(current, str) and current in mapping else _newest_leaf(mapping)
    branch: list[dict[str, Any]] = []
    seen: set[str] = set()
    while name in mapping and name not in seen:
        seen.add(name)
        node = as_dict(mapping[name])
        branch.append(node)
        parent = node.get("parent")
        name = parent if isinstance(parent, str) else ""
    return branch[::-1]


def parse_content(content: dict[str, Any]) -> str:
    """The text of a message: what was written or spoken, with pictures and citations left out."""
    if as_str(content.get("content_type")) not in _SPOKEN:
        return ""
    texts: list[str] = []
    for part in [content.get("text"), *as_list(content.get("parts"))]:
        if isinstance(part, str):
            texts.append(part)
        elif as_dict(part).get("content_type") == "audio_transcription":
            texts.append(as_str(as_dict(part).get("text")) or "")
    return _CITATION.sub("", "\n\n".join(text for text in texts if text))


def _newest_leaf(mapping: dict[str, Any]) -> str:
    leaves = [name for name, node in mapping.items() if not as_list(as_dict(node).get("children"))]

    def written(name: str) -> float:
        time = parse_time(as_dict(as_dict(mapping[name]).get("message")).get("create_time"))
        return time.timestamp() if time else 0.0

    return max(leaves, key=written, default="")

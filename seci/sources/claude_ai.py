"""The Claude.ai export: `conversations.json`, alone or in the zip; its messages may branch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.archives import conversations, conversations_head
from seci.sources.base import BaseSource
from seci.sources.rowtree import RowTree
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, tool_line

_ROLES = {"human": Role.USER, "assistant": Role.ASSISTANT}


class ClaudeAiSource(BaseSource):
    name = "claude-ai"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        return Claim.SPECIFIC if b'"chat_messages"' in conversations_head(bundle) else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        for number, item in enumerate(conversations(bundle), 1):
            if isinstance(item, Failure):
                yield item
            elif isinstance(item, dict) and isinstance(item.get("chat_messages"), list):
                if session := parse_conversation(item, bundle, number):
                    yield session
            else:
                yield Failure(f"{bundle}: item {number}", "is not a conversation")


def parse_conversation(item: dict[str, Any], bundle: Path, number: int) -> Session | None:
    """The conversation without the branches that were given up; None when nothing was said in it."""
    turns = TurnList()
    tree = RowTree()
    rows: list[int] = []
    for message in map(as_dict, as_list(item.get("chat_messages"))):
        name = as_str(message.get("uuid"))
        row = tree.add(name or f"#{len(rows)}", as_str(message.get("parent_message_uuid")))
        role = _ROLES.get(str(message.get("sender")))
        at = parse_time(message.get("created_at"))
        if role and turns.say(role, parse_text(message), at=at, message_id=name):
            rows.append(row)
        for block in map(as_dict, as_list(message.get("content"))):
            if block.get("type") == "tool_use":
                turns.tool(tool_line(block.get("name"), block.get("input")))
    said = turns.freeze(index for index, row in enumerate(rows) if tree.dropped(row))
    session = as_str(item.get("uuid")) or f"{bundle.stem}-{number}"
    return (
        Session(ClaudeAiSource.name, session, said, title=as_str(item.get("name")), path=str(bundle)) if said else None
    )


def parse_text(message: dict[str, Any]) -> str:
    """The text blocks, else the plain text; a message that is only a pasted attachment is that attachment."""
    written = [text for text in block_texts(as_list(message.get("content"))) if text.strip()]
    if not written and (plain := as_str(message.get("text"))):
        written = [plain]
    if not written:
        pasted = (as_dict(file).get("extracted_content") for file in as_list(message.get("attachments")))
        written = [text for text in pasted if isinstance(text, str)]
    return "\n\n".join(written)

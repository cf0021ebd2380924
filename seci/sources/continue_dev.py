"""Continue: `~/.continue/sessions/<id>.json`; the only time it records is the session's, in `sessions.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.lines import read_head
from seci.sources.places import parse_file_uri
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, parse_time, tool_line

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_UNNAMED = {"Untitled Session", "New Session"}


class ContinueSource(BaseSource):
    name = "continue"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or bundle.suffix != ".json":
            return Claim.NONE
        head = read_head(bundle)
        known = b'"history"' in head and b'"sessionId"' in head and b'"message"' in head
        return Claim.SPECIFIC if known and head.lstrip().startswith(b"{") else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        try:
            document = as_dict(read_document(bundle))
        except UnreadableDocument as error:
            yield Failure(str(bundle), str(error))
            return
        name = as_str(document.get("sessionId")) or bundle.stem
        at = _started(bundle.with_name("sessions.json"), name)
        turns = TurnList()
        for item in map(as_dict, as_list(document.get("history"))):
            message = as_dict(item.get("message"))
            role = _ROLES.get(str(message.get("role")))
            if role:
                turns.say(role, "\n\n".join(block_texts(message.get("content"))), at=at)
                for call in map(as_dict, as_list(message.get("toolCalls"))):
                    function = as_dict(call.get("function"))
                    turns.tool(tool_line(function.get("name"), function.get("arguments")))
        if said := turns.freeze():
            title = as_str(document.get("title"))
            folder = as_str(document.get("workspaceDirectory"))
            yield Session(
                self.name,
                name,
                said,
                cwd=parse_file_uri(folder) or folder,
                title=None if title in _UNNAMED else title,
                path=str(bundle),
            )

    def side_files(self, bundle: Path) -> Iterator[Path]:
        yield bundle.with_name("sessions.json")

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("CONTINUE_GLOBAL_DIR") or home / ".continue") / "sessions",)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (root,) = self.places(home, environ)
        yield from (path for path in sorted(root.glob("*.json")) if path.name != "sessions.json")


def _started(index: Path, session: str) -> datetime | None:
    try:
        entries = as_list(read_document(index))
    except UnreadableDocument:
        return None
    found = (as_dict(entry) for entry in entries if as_dict(entry).get("sessionId") == session)
    return next((parse_time(entry.get("dateCreated")) for entry in found), None)

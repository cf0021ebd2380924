"""VS Code chat: `workspaceStorage/<hash>/chatSessions/<id>.jsonl`, a log of changes to one object; once one `.json`.

Each line has a kind: 0 sets the object, 1 sets a path, 2 cuts and extends an array, 3 deletes a path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.lines import json_rows, read_head
from seci.sources.places import editor_places, parse_file_uri
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time, tool_line

_EDITORS = ("Code", "Code - Insiders", "VSCodium")
_PATH_LIMIT = 32  # steps into the object; real paths have up to six


class VSCodeChatSource(BaseSource):
    name = "vscode-chat"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or not {".json", ".jsonl"} & set(bundle.suffixes):
            return Claim.NONE
        head = read_head(bundle)
        squeezed = head[:2000].replace(b" ", b"")
        log = squeezed.startswith(b'{"kind":0,"v":') and b'"sessionId"' in head
        whole = bundle.suffix == ".json" and b'"requests"' in head and b'"responderUsername"' in head
        return Claim.SPECIFIC if log or whole else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        state: Any = {}
        if bundle.suffix == ".json":
            try:
                state = read_document(bundle)
            except UnreadableDocument as error:
                yield Failure(str(bundle), str(error))
        else:
            for item in json_rows(bundle):
                if isinstance(item, Failure):
                    yield item
                else:
                    state = apply_change(state, item[1])
        chat = as_dict(state)
        turns = TurnList()
        for request in as_list(chat.get("requests")):
            _say_request(turns, as_dict(request))
        if said := turns.freeze():
            yield Session(
                self.name,
                as_str(chat.get("sessionId")) or bundle.stem,
                said,
                cwd=_workspace(bundle),
                title=as_str(chat.get("customTitle")),
                path=str(bundle),
            )

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return tuple(editor_places(home, environ, *_EDITORS))

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        for user in self.places(home, environ):
            yield from sorted(user.glob("workspaceStorage/*/chatSessions/*.json*"))
            yield from sorted(user.glob("globalStorage/emptyWindowChatSessions/*.json*"))


def apply_change(state: Any, change: dict[str, Any]) -> Any:
    """The object after one line of the log; a change that does not fit leaves it as it is."""
    kind, path = change.get("kind"), as_list(change.get("k"))
    if kind == 0:
        return change.get("v")
    if not path or len(path) > _PATH_LIMIT:
        return state
    holder = state
    for step in path[:-1]:
        holder = _child(holder, step)
    last = path[-1]
    if kind == 2:
        target = _child(holder, last)
        if target is None and isinstance(holder, dict) and isinstance(last, str):
            target = holder[last] = []
        if isinstance(target, list):
            if isinstance(change.get("i"), int):
                del target[max(change["i"], 0) :]
            target.extend(as_list(change.get("v")))
    elif isinstance(holder, dict) and isinstance(last, str):
        if kind == 1:
            holder[last] = change.get("v")
        elif kind == 3:
            holder.pop(last, None)
    elif isinstance(holder, list) and isinstance(last, int) and 0 <= last < len(holder) and kind == 1:
        holder[last] = change.get("v")
    return state


def _child(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict) and isinstance(step, str):
        return holder.get(step)
    if isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder):
        return holder[step]
    return None


def _say_request(turns: TurnList, request: dict[str, Any]) -> None:
    at = parse_time(request.get("timestamp"))
    name = as_str(request.get("requestId"))
    message = request.get("message")
    prompt = message if isinstance(message, str) else as_str(as_dict(message).get("text"))
    turns.say(Role.USER, prompt or "", at=at, message_id=name)
    pieces: list[str] = []
    tools: list[str] = []
    for part in as_list(request.get("response")):
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, dict):
            kind = part.get("kind")
            if kind in (None, "markdownContent"):
                pieces.append(_markdown(part.get("value") if kind is None else part.get("content")))
            elif kind == "inlineReference":
                pieces.append(_reference(part))
            elif kind == "toolInvocationSerialized":
                tools.append(tool_line(part.get("toolId"), _markdown(part.get("invocationMessage"))))
                pieces.append("\n\n")
    turns.say(Role.ASSISTANT, "".join(pieces), at=at, message_id=as_str(request.get("responseId")) or name)
    for line in tools:
        turns.tool(line)


def _markdown(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, str) else ""


def _reference(part: dict[str, Any]) -> str:
    reference = as_dict(part.get("inlineReference"))
    named = as_str(part.get("name")) or as_str(reference.get("name"))
    place = as_dict(reference.get("uri")) or reference
    return f"`{named or Path(as_str(place.get('path')) or '').name}`"


def _workspace(bundle: Path) -> str | None:
    try:
        workspace = as_dict(read_document(bundle.parent.parent / "workspace.json"))
    except UnreadableDocument:
        return None
    return parse_file_uri(workspace.get("folder")) or parse_file_uri(workspace.get("workspace"))

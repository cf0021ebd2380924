"""Cline and Roo Code: the extensions' task folders, and the sessions of Cline's command line.

The history is what the model saw: prompts are wrapped (`<task>`, `<user_input>`, `<feedback>`), tool results come as
user messages, and older versions wrote tool calls as XML into the assistant's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.lines import read_head
from seci.sources.places import editor_places, session_key
from seci.sources.turns import TurnList, as_dict, as_list, as_str, block_texts, clean_text, parse_time, tool_line

_HISTORY = "api_conversation_history.json"
_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_ENVIRONMENT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_WORKING_DIRECTORY = re.compile(r"# Current (?:Working|Workspace) Directory \((?P<path>[^)\n]+)\)")
_TYPED = re.compile(r"<(task|feedback|answer|user_message|user_input)\b[^>]*>\s*(.*?)\s*</\1>", re.DOTALL)
_MACHINE = re.compile(r"\s*(?:\[[\w_]+(?: for .*?)?\] Result:|\[ERROR\]|\[TASK RESUMPTION\]|# (?:task_progress|TODO))")
_THINKING = re.compile(r"<thinking>.*?</thinking>\s*", re.DOTALL)
_CALL = re.compile(r"<([a-z]+(?:_[a-z]+)+)>\s*(.*?)\s*</\1>", re.DOTALL)
_SPOKEN = re.compile(r"<(result|question|response)>\s*(.*?)\s*</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_SPEAKING_TOOLS = {
    "attempt_completion": "result",
    "ask_followup_question": "question",
    "plan_mode_respond": "response",
}


class ClineSource(BaseSource):
    name = "cline"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file():
            return Claim.NONE
        told = bundle.name == _HISTORY and read_head(bundle).lstrip().startswith(b"[")
        cli = bundle.name.endswith(".messages.json") and b'"messages"' in read_head(bundle)
        return Claim.SPECIFIC if told or cli else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        try:
            document = read_document(bundle)
        except UnreadableDocument as error:
            yield Failure(str(bundle), str(error))
            return
        turns = TurnList()
        if bundle.name == _HISTORY:
            times = _shown_times(bundle.with_name("ui_messages.json"))
            cwd = None
            for message in map(as_dict, as_list(document)):
                cwd = cwd or _working_directory(message)
                say_message(turns, message, times)
            if said := turns.freeze():
                yield Session(self.name, bundle.parent.name, said, cwd=cwd, path=str(bundle))
            return
        held = as_dict(document)
        for message in map(as_dict, as_list(held.get("messages"))):
            say_message(turns, message, {})
        if said := turns.freeze():
            session = as_str(held.get("sessionId")) or bundle.parent.name
            own = bundle.name.removesuffix(".messages.json")
            about = _read(bundle.parent / f"{Path(session).name}.json")
            yield Session(
                self.name,
                own,
                said,
                cwd=as_str(about.get("cwd")) or as_str(about.get("workspace_root")),
                title=as_str(as_dict(about.get("metadata")).get("title")) if own == session else None,
                parent=session_key(self.name, session) if own != session else None,
                path=str(bundle),
            )

    def side_files(self, bundle: Path) -> Iterator[Path]:
        if bundle.name == _HISTORY:
            yield bundle.with_name("ui_messages.json")
            yield bundle.with_name("task_metadata.json")
        else:
            yield bundle.with_name(bundle.name.replace(".messages.json", ".json"))

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        configured = environ.get("CLINE_DATA_DIR")
        root = Path(configured) if configured else Path(environ.get("CLINE_DIR") or home / ".cline") / "data"
        return root / "sessions", *editor_places(home, environ, *_EDITORS)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        sessions, *users = self.places(home, environ)
        yield from sorted(sessions.glob("*/*.messages.json"))
        for user in users:
            for extension in _EXTENSIONS:
                yield from sorted((user / "globalStorage" / extension / "tasks").glob(f"*/{_HISTORY}"))


def say_message(turns: TurnList, message: dict[str, Any], times: Mapping[str, float]) -> None:
    """Adds one message of the history; `times` has the time at which a text was shown."""
    content = message.get("content")
    role = message.get("role")
    if role == "user":
        text = parse_prompt(block_texts(content))
        at = parse_time(message.get("ts")) or parse_time(times.get(text))
        turns.say(Role.USER, text, at=at, message_id=as_str(message.get("id")))
    elif role == "assistant":
        text, calls = parse_answer("\n\n".join(block_texts(content)))
        shown = text
        for block in map(as_dict, as_list(content)):
            if block.get("type") == "tool_use":
                said = as_str(as_dict(block.get("input")).get(_SPEAKING_TOOLS.get(str(block.get("name")), "")))
                if said and clean_text(said) not in text:
                    text = f"{text}\n\n{said}"
                elif not said:
                    calls.append(tool_line(block.get("name"), block.get("input")))
        at = parse_time(message.get("ts")) or parse_time(times.get(clean_text(shown)))
        turns.say(Role.ASSISTANT, text, at=at, message_id=as_str(message.get("id")))
        for call in calls:
            turns.tool(call)


def parse_prompt(blocks: list[str]) -> str:
    """What the user typed in a message: the wrapped parts where there are any, nothing of a tool's result."""
    text = _ENVIRONMENT.sub("", "\n\n".join(blocks))
    typed = [said for _, said in _TYPED.findall(text)]
    if typed:
        return "\n\n".join(typed)
    return "" if _MACHINE.match(text) else clean_text(text)


def parse_answer(text: str) -> tuple[str, list[str]]:
    """(text, tool lines) of an assistant's text that may hold tool calls as XML."""
    calls: list[str] = []

    def replace(match: re.Match[str]) -> str:
        name, body = match.groups()
        if name in _SPEAKING_TOOLS:
            return "\n\n".join(said for _, said in _SPOKEN.findall(body))
        calls.append(tool_line(name, _TAG.sub(" ", body)))
        return ""

    return clean_text(_CALL.sub(replace, _THINKING.sub("", text))), calls


def _working_directory(message: dict[str, Any]) -> str | None:
    match = _WORKING_DIRECTORY.search("\n".join(block_texts(message.get("content"))))
    return match["path"] if match else None


def _shown_times(path: Path) -> dict[str, float]:
    try:
        shown = as_list(read_document(path))
    except UnreadableDocument:
        return {}
    return {
        clean_text(item["text"]): item["ts"]
        for item in map(as_dict, shown)
        if isinstance(item.get("text"), str) and isinstance(item.get("ts"), (int, float))
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        return as_dict(read_document(path))
    except UnreadableDocument:
        return {}

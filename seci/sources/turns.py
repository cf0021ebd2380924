"""Builds a session's turns: numbering, cleaned text, one line for each tool call, times in UTC."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from seci.core.session import Failure, Role, Turn

TOOL_LINE_LENGTH = 200  # characters of a tool call that are kept
REJECTED = "rejected by the user: "  # before a tool call that was not carried out
_TOOL_ARGUMENTS = (  # what says most about a call, first match wins
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
)
TURN_LIMIT = 100_000  # of one session; the longest real ones have a few thousand
TEXT_LIMIT = 48_000_000  # characters of one session
_OPENING_LENGTH = 200  # characters that tell conversations without an id apart


class _Open:
    """A turn that may still grow. Sessions of a hundred thousand short rows are read: nothing is made before it is
    needed."""

    __slots__ = ("at", "message_id", "more", "role", "speaker", "text", "tools")

    def __init__(self, role: Role, text: str, at: datetime | None, speaker: str | None, message_id: str | None) -> None:
        self.role = role
        self.text = text
        self.at = at
        self.speaker = speaker
        self.message_id = message_id
        self.more: list[str] | None = None  # paragraphs
        self.tools: list[str] | None = None

    def freeze(self, index: int) -> Turn:
        text = "\n\n".join([self.text, *self.more]) if self.more else self.text
        tools = tuple(self.tools) if self.tools else ()
        return Turn(index, self.role, text, self.at, self.speaker, tools, self.message_id)


class TurnList:
    """Collects turns in file order. A turn counts once it has text; what never gets any leaves no trace."""

    def __init__(self) -> None:
        self._turns: list[_Open] = []
        self._length = 0
        self._calls: dict[str, int] = {}  # id -> place of a tool call under the last turn

    def __len__(self) -> int:
        return len(self._turns)

    def is_full(self) -> bool:
        """Whether the session has reached TURN_LIMIT or TEXT_LIMIT, so that the rest is to be left out."""
        return len(self._turns) >= TURN_LIMIT or self._length >= TEXT_LIMIT

    def say(
        self,
        role: Role,
        text: str,
        *,
        at: datetime | None = None,
        speaker: str | None = None,
        message_id: str | None = None,
    ) -> bool:
        """Adds one turn, unless the text is blank. True when it was added."""
        text = clean_text(text)
        if not text:
            return False
        if speaker is not None and not speaker.isascii():
            speaker = clean_text(speaker)
        if message_id is not None and not message_id.isascii():
            message_id = clean_text(message_id)
        self._turns.append(_Open(role, text, at, speaker, message_id))
        if self._calls:
            self._calls = {}
        self._length += len(text)
        return True

    def extend(self, text: str) -> bool:
        """Adds a paragraph to the last turn. True when there was one to add to and something to add."""
        text = clean_text(text)
        if not text or not self._turns:
            return False
        last = self._turns[-1]
        if last.more is None:
            last.more = []
        last.more.append(text)
        self._length += len(text)
        return True

    def tool(self, line: str, call: str | None = None) -> None:
        """Notes a tool call under the last turn; before the first turn it is left out. `call` is its id."""
        if self._turns and line:
            last = self._turns[-1]
            if last.tools is None:
                last.tools = []
            if call:
                self._calls[call] = len(last.tools)
            last.tools.append(clean_text(line))

    def reject(self, call: str) -> None:
        """Marks a tool call of the last turn as one that the user turned down."""
        place = self._calls.pop(call, None)
        tools = self._turns[-1].tools if self._turns else None
        if place is not None and tools is not None:
            tools[place] = f"{REJECTED}{tools[place]}"[:TOOL_LINE_LENGTH]

    def freeze(self, dropped: Iterable[int] = ()) -> tuple[Turn, ...]:
        """The turns, numbered from 0; those dropped keep their number, so it stays free."""
        gone = frozenset(dropped)
        return tuple([turn.freeze(index) for index, turn in enumerate(self._turns) if index not in gone])


def too_long(place: str) -> Failure:
    """What to report where a session is cut because it `is_full`."""
    return Failure(
        place,
        f"the session has more than {TURN_LIMIT:,} turns or {TEXT_LIMIT // 1_000_000} million characters: "
        "the rest was left out",
    )


def clean_text(text: str) -> str:
    """Without outer blank space, NUL characters and lone surrogates, which no file and no database takes."""
    if "\0" in text:
        text = text.replace("\0", "")
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.strip()


def tool_line(name: object, arguments: object = None) -> str:
    """`name: main argument` on one line; empty when the call has no name."""
    if not isinstance(name, str) or not name.strip():
        return ""
    said = ""
    if isinstance(arguments, str):
        said = arguments
        if arguments.startswith("{"):
            with suppress(ValueError, RecursionError):
                arguments = json.loads(arguments)
    if isinstance(arguments, dict):
        values = [arguments[key] for key in _TOOL_ARGUMENTS if key in arguments] or list(arguments.values())
        said = next((text for value in values if (text := _scalar(value))), "")
    line = " ".join(f"{name}: {said}".split()) if said else " ".join(name.split())
    return line if len(line) <= TOOL_LINE_LENGTH else line[: TOOL_LINE_LENGTH - 1] + "…"


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return ""


def parse_time(value: object) -> datetime | None:
    """An ISO string, or seconds or milliseconds since 1970, as aware UTC; None for anything else.

    A string without a zone is taken as UTC, so that a session gives the same files on every machine.
    """
    try:
        if isinstance(value, str):
            text = value.strip()
            if text.replace(".", "", 1).isdigit() and len(text) >= 9:
                return parse_time(float(text))
            parsed = datetime.fromisoformat(text)
            return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
            seconds = value / 1000 if value >= 1e11 else value  # ms since 1973; seconds up to year 5138
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def block_texts(content: object, types: frozenset[str] = frozenset({"text"})) -> list[str]:
    """The texts of a message's content, which is a string or a list of typed blocks; anything else is left
    out."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    texts = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            kind, text = block.get("type"), block.get("text")
            if isinstance(text, str) and (kind is None or (isinstance(kind, str) and kind.casefold() in types)):
                texts.append(text)
    return texts


def as_dict(value: object) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value where it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_str(value: object) -> str | None:
    """The value where it is a string that is not blank, cleaned, else None."""
    return clean_text(value) or None if isinstance(value, str) else None


def opening_id(turns: Iterable[Turn]) -> str:
    """An id for a conversation whose format has none: a hash of its opening, so that it stays when the file
    grows, moves or is read by another route. The opening is the turns up to the first 200 characters,
    whole."""
    digest, length = sha256(), 0
    for turn in turns:
        digest.update(f"{turn.role}\0{turn.speaker or ''}\0{turn.text}\0".encode())
        length += len(turn.text)
        if length >= _OPENING_LENGTH:
            break
    return digest.hexdigest()[:24]

"""Sessions as markdown: what was said, word for word, readable in any viewer and read back exactly.

A file is a frontmatter, then for each turn a heading, its text and one list line for each tool call:

    ## 12 · assistant · 2026-01-21T14:36:09Z <!-- message id -->

    The text, untouched.

    - ⚙ Bash: git status

A line of a text that looks like one of these headings or tool lines gets a backslash before it (which markdown does
not show); control characters, which git would take for a binary file, become numeric entities.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC
from typing import Any

from seci.core.note import slugify
from seci.core.session import Role, Session, Turn
from seci.errors import NoteFormatError
from seci.vault.files import ARCHIVE
from seci.vault.markdown import load_frontmatter, split_frontmatter
from seci.vault.scalars import printable, read_time, render_time, yaml_text

SLUG_LENGTH = 48
_TOOL = "- ⚙ "
_TIME = r"\d{4}-\d\d-\d\dT[\d:.]+Z"
_HEAD = re.compile(
    rf"## (?P<index>\d+) · (?P<role>{'|'.join(Role)})(?: · (?P<speaker>\"(?:[^\"\\]|\\.)*\"|[^·\"<\n]+?))??"
    rf"(?: · (?P<at>{_TIME}))?(?: <!-- (?P<message>\"(?:[^\"\\]|\\.)*\"|[\w:.-]+) -->)?"
)
_STRUCTURE = re.compile(rf"\\*(?:## \d+ · |{_TOOL})")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_ENTITY = re.compile(r"&((?:#38;)*)(?=#(?:[0-8]|1\d|2\d|3[01]|127);)")
_ESCAPED = re.compile(r"&(?:#38;((?:#38;)*)(?=#(?:[0-8]|1\d|2\d|3[01]|127);)|#([0-8]|1\d|2\d|3[01]|127);)")
_SIMPLE_SPEAKER = re.compile(r"[^\W\d_](?:[\w .,'@()-]*[\w.')])?")
_SIMPLE_MESSAGE = re.compile(r"(?!.*--)[\w:.-]*[\w:.]")


def key_hash(key: str) -> str:
    """The eight hex digits by which a session's file name can be found."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:8]


def archive_path(session: Session) -> str:
    """Where a session that was never archived goes: by the day it began, named after its first words.

    Both stay the same while a session grows, so that two machines that saw it at different times agree.
    """
    first = next((turn for turn in session.turns if turn.role is not Role.ASSISTANT), None)
    words = next((line for line in first.text.split("\n") if re.search(r"[^\W\d_]", line)), "") if first else ""
    name = f"{slugify(words, SLUG_LENGTH) if words else 'session'}-{key_hash(session.key)}.md"
    started = session.started.astimezone(UTC) if session.started else None
    if started is None:
        return f"{ARCHIVE}/undated/{name}"
    return f"{ARCHIVE}/{started:%Y}/{started:%m}/{started:%Y-%m-%d}-{name}"


def render_session(session: Session) -> str:
    """The text of a session's archive file. `parse_session` gives the session back, its `path` aside."""
    fields = [
        ("session", yaml_text(session.key)),
        ("source", yaml_text(session.source)),
        ("id", yaml_text(session.id)),
        ("turns", f"[{', '.join(_ranges(turn.index for turn in session.turns))}]"),
        ("title", _optional(session.title)),
        ("project", _optional(session.project)),
        ("cwd", _optional(session.cwd)),
        ("started", render_time(session.started) if session.started else None),
        ("ended", render_time(session.ended) if session.ended else None),
        ("parent", _optional(session.parent)),
    ]
    front = "".join(f"{key}: {value}\n" for key, value in fields if value is not None)
    return f"---\n{front}---\n" + "".join(f"\n{_render_turn(turn)}" for turn in session.turns)


def parse_session(text: str, path: str) -> Session:
    """The session that an archive file holds. Raises NoteFormatError naming the file and the reason."""
    values, body = _split(text, path)
    sections: list[tuple[re.Match[str], list[str]]] = []
    for line in body.split("\n"):
        head = _HEAD.fullmatch(line)
        if head:
            sections.append((head, []))
        elif sections:
            sections[-1][1].append(line)
    return Session(
        source=_text(values, "source", path),
        id=_text(values, "id", path),
        turns=tuple(_parse_turn(head, lines) for head, lines in sections),
        project=_maybe(values, "project", path),
        cwd=_maybe(values, "cwd", path),
        title=_maybe(values, "title", path),
        parent=_maybe(values, "parent", path),
        path=path,
    )


def parse_ledger_head(text: str, path: str) -> tuple[str, frozenset[int]]:
    """(session key, numbers of the archived turns) from a file's frontmatter alone; `text` may be cut after it."""
    values, _ = _split(text, path)
    ranges = values.get("turns") or []
    if not isinstance(ranges, list):
        raise NoteFormatError("turns: must be a list such as [0-14, 16]", subject=path)
    turns: set[int] = set()
    for item in ranges:
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", str(item))
        if not match:
            raise NoteFormatError(f"turns: must be a list such as [0-14, 16], not {item!r}", subject=path)
        turns.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return _text(values, "session", path), frozenset(turns)


def parse_folder(text: str, path: str) -> str | None:
    """The working directory from a file's frontmatter alone, None where none was recorded."""
    values, _ = _split(text, path)
    return _maybe(values, "cwd", path)


def _render_turn(turn: Turn) -> str:
    head = f"## {turn.index} · {turn.role.value}"
    if turn.speaker is not None:
        simple = _SIMPLE_SPEAKER.fullmatch(turn.speaker)
        head += f" · {turn.speaker if simple else _quoted(turn.speaker)}"
    if turn.at:
        head += f" · {render_time(turn.at)}"
    if turn.message_id is not None:
        simple = _SIMPLE_MESSAGE.fullmatch(turn.message_id)
        head += f" <!-- {turn.message_id if simple else _quoted(turn.message_id)} -->"
    tools = "".join(f"{_TOOL}{_escape(tool).replace(chr(10), '&#10;')}\n" for tool in turn.tools)
    return f"{head}\n\n{_escape(turn.text)}\n" + (f"\n{tools}" if tools else "")


def _parse_turn(head: re.Match[str], lines: list[str]) -> Turn:
    """`lines` follow the heading: a blank line, the text, a blank line, perhaps tool lines and another blank line."""
    if lines and not lines[-1]:
        lines.pop()  # before the next heading, or after the file's last line end
    tools: list[str] = []
    while lines and lines[-1].startswith(_TOOL):
        tools.append(_unescape(lines.pop()[len(_TOOL) :].replace("&#10;", "\n")))
    if tools and lines and not lines[-1]:
        lines.pop()
    text = "\n".join(lines[1:] if lines and not lines[0] else lines)
    return Turn(
        index=int(head["index"]),
        role=Role(head["role"]),
        text=_unescape(text),
        at=read_time(head["at"]) if head["at"] else None,
        speaker=_unquoted(head["speaker"]),
        tools=tuple(reversed(tools)),
        message_id=_unquoted(head["message"]),
    )


def _escape(text: str) -> str:
    text = _ENTITY.sub(r"&#38;\1", printable(text))
    text = _CONTROL.sub(lambda match: f"&#{ord(match.group())};", text)
    return "\n".join(f"\\{line}" if _STRUCTURE.match(line) else line for line in text.split("\n"))


def _unescape(text: str) -> str:
    lines = (line[1:] if line.startswith("\\") and _STRUCTURE.match(line) else line for line in text.split("\n"))
    return _ESCAPED.sub(lambda m: chr(int(m[2])) if m[2] else f"&{m[1]}", "\n".join(lines))


def _quoted(text: str) -> str:
    """JSON in ASCII whose characters cannot end a heading or a comment."""
    return json.dumps(printable(text)).replace("-", "\\u002d").replace(">", "\\u003e").replace("<", "\\u003c")


def _unquoted(text: str | None) -> str | None:
    if text is None or not text.startswith('"'):
        return text
    value: str = json.loads(text)
    return value


def _ranges(numbers: Iterable[int]) -> list[str]:
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number <= spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in spans]


def _split(text: str, path: str) -> tuple[dict[Any, Any], str]:
    front, body = split_frontmatter(text)
    if front is None:
        raise NoteFormatError("has no frontmatter, so it names no session", subject=path)
    return load_frontmatter(front, path), body


def _text(values: dict[Any, Any], key: str, path: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise NoteFormatError(f"{key}: is missing or not a text", subject=path)
    return value


def _maybe(values: dict[Any, Any], key: str, path: str) -> str | None:
    return None if values.get(key) is None else _text(values, key, path)


def _optional(text: str | None) -> str | None:
    return None if text is None else yaml_text(text)

"""Notes as markdown: frontmatter that people edit, and a body that is never touched.

`parse_note` accepts what people write by hand: every key is optional. `render_note` writes DESIGN's keys in their
order; given the file's present text it changes only the keys whose values changed, so unknown keys, comments, quoting
and order stay as their author left them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from seci.core.note import Namespace, Note, NoteType, Provenance, Status, Tier, note_id
from seci.errors import NoteFormatError
from seci.vault.scalars import NEVER, printable, read_time, render_float, render_time, render_value, yaml_text

KEYS = (
    "id", "title", "tier", "type", "tags", "project", "created", "updated", "valid_from", "valid_to", "importance",
    "confidence", "status", "sources", "supersedes", "superseded_by",
)  # fmt: skip
_FENCE = re.compile(r"---[ \t]*\r?(?:\n|\Z)")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(r"^(?=[^\s#\-])", re.MULTILINE)
_CRLF = re.compile(r"[^\n]*\r\n")  # a file from an editor that ends its lines the Windows way
_TRAILING = re.compile(r"(?:^[ \t]*(?:#.*)?\n)*\Z", re.MULTILINE)
_E = TypeVar("_E", bound=StrEnum)


def parse_note(text: str, path: str) -> Note:
    """The note that a file's text holds; `path` is vault-relative and gives the namespace.

    What a hand-written file leaves out gets a default: the id follows from the path (stable until it is renamed), the
    title from the first heading, else from the file name. Raises NoteFormatError naming the file, the key and the
    reason.
    """
    folder = path.split("/", 1)[0]
    if folder not in set(Namespace):
        raise NoteFormatError(f"{folder!r} is not a namespace", subject=path)
    front, tail = split_frontmatter(text)
    values = load_frontmatter(front, path) if front is not None else {}
    read = _Reader(values, path)
    body = _body(tail, front is not None, crlf=_CRLF.match(text) is not None)
    return Note(
        id=read.text("id") or note_id(None, (Provenance(f"path:{path}", ()),), ""),
        title=read.text("title") or _title(body, path),
        body=body,
        namespace=Namespace(folder),
        tier=read.choice("tier", Tier, Tier.MEMORY),
        type=read.choice("type", NoteType, NoteType.OTHER),
        tags=read.texts("tags"),
        project=read.text("project"),
        created=read.time("created"),
        updated=read.time("updated"),
        valid_from=read.day("valid_from"),
        valid_to=read.day("valid_to"),
        importance=read.share("importance", 0.5),
        confidence=read.share("confidence", 0.7),
        status=read.choice("status", Status, Status.ACTIVE),
        sources=read.sources(),
        supersedes=read.texts("supersedes"),
        superseded_by=read.text("superseded_by"),
        extra={str(key): value for key, value in values.items() if key not in KEYS},
    )


def render_note(note: Note, original: str | None = None, path: str | None = None) -> str:
    """The text of the note's file. With the `original` text of the file at `path`, only what differs is replaced.

    `parse_note(render_note(note), path) == note` for every note whose namespace is the path's folder.
    """
    wanted = _fields(note)
    if original is None or path is None:
        return f"---\n{''.join(wanted.values())}{_extra(note.extra)}---\n\n{printable(note.body)}\n"
    before = parse_note(original, path)
    if before == note:
        return original
    front, tail = split_frontmatter(original)
    blocks = _blocks(front or "")
    had = _fields(before)
    for key in KEYS:
        if wanted.get(key) == had.get(key) and (key in blocks or key != "id"):
            continue
        _put(blocks, key, wanted.get(key, ""))
    for key in (*before.extra, *(key for key in note.extra if key not in before.extra)):
        if key not in note.extra:
            _put(blocks, key, "")
        elif key not in before.extra or before.extra[key] != note.extra[key]:
            _put(blocks, key, render_value({key: note.extra[key]}))
    if before.body != note.body:
        tail = f"\n{printable(note.body)}\n"
    elif front is None:
        tail = f"\n{tail}"
    rewritten = f"---\n{''.join(blocks.values())}---\n{tail}"
    # An anchor, a block scalar or a merge key can span what was replaced: then correct beats untouched.
    try:
        faithful = parse_note(rewritten, path) == note
    except NoteFormatError:
        faithful = False
    return rewritten if faithful else render_note(note)


def split_frontmatter(text: str) -> tuple[str | None, str]:
    """(frontmatter without its fences, everything after it); (None, text) when the file has none."""
    opening = _FENCE.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None, text
    return text[opening.end() : closing.start()], text[closing.end() :]


def load_frontmatter(front: str, path: str) -> dict[Any, Any]:
    """The mapping in a frontmatter, {} when it is empty. Raises NoteFormatError."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler  # loads with libyaml where that is built in

    try:
        values = YAMLHandler().load(front)
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 2}" if error.problem_mark else ""
        raise NoteFormatError(f"the frontmatter is not YAML{line}: {error.problem}", subject=path) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise NoteFormatError(f"the frontmatter is not YAML: {error}", subject=path) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise NoteFormatError("the frontmatter is not a list of `key: value` lines", subject=path)
    return values


class _Reader:
    """Typed access to frontmatter values; what has the wrong type is an error that says so."""

    def __init__(self, values: Mapping[Any, Any], path: str) -> None:
        self.values = values
        self.path = path

    def fail(self, key: str, wanted: str) -> NoteFormatError:
        value = str(self.values.get(key))
        shown = value if len(value) <= 60 else f"{value[:60]}…"
        return NoteFormatError(f"{key}: {wanted}, not {shown!r}", subject=self.path)

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, bool | int | float | date):
            return str(value)
        raise self.fail(key, "must be a text")

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if value is None:
            return ()
        if isinstance(value, str):  # `tags: a, b`, as several editors write them
            return tuple(part for part in (piece.strip() for piece in value.split(",")) if part)
        if isinstance(value, list) and all(isinstance(item, str | int | float | date) for item in value):
            return tuple(str(item) for item in value)
        raise self.fail(key, "must be a list of texts")

    def choice(self, key: str, kind: type[_E], default: _E) -> _E:
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise self.fail(key, f"must be one of {', '.join(kind)}")

    def time(self, key: str) -> datetime | None:
        value = self.values.get(key)
        if value is None:
            return None
        moment = read_time(value)
        if moment is None:
            raise self.fail(key, "must be a time such as 2026-01-21T14:36:09Z")
        return moment

    def day(self, key: str) -> date | None:
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        moment = read_time(value)
        if moment is None:
            raise self.fail(key, "must be a day such as 2026-01-21")
        return moment.date()

    def share(self, key: str, default: float) -> float:
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        raise self.fail(key, "must be a number from 0 to 1")

    def sources(self) -> tuple[Provenance, ...]:
        value = self.values.get("sources")
        wanted = "must be a list of {session: ..., turns: [...]}"
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.fail("sources", wanted)
        found = []
        for item in value:
            session = item.get("session") if isinstance(item, dict) else item
            turns = (item.get("turns") or []) if isinstance(item, dict) else []
            if not isinstance(session, str) or not isinstance(turns, list):
                raise self.fail("sources", wanted)
            if not all(isinstance(turn, int) and not isinstance(turn, bool) for turn in turns):
                raise self.fail("sources", "turns must be whole numbers")
            found.append(Provenance(session, tuple(turns)))
        return tuple(found)


def _fields(note: Note) -> dict[str, str]:
    """Each key of the note as the YAML lines that hold it, in order; what says nothing is left out."""
    lists = {"tags": note.tags, "supersedes": note.supersedes}
    flow = {key: f"[{', '.join(map(yaml_text, items))}]" for key, items in lists.items()}
    values = {
        "id": yaml_text(note.id),
        "title": yaml_text(note.title),
        "tier": note.tier.value,
        "type": note.type.value,
        "tags": flow["tags"],
        "project": yaml_text(note.project) if note.project is not None else NEVER,
        "created": render_time(note.created) if note.created else NEVER,
        "updated": render_time(note.updated) if note.updated else NEVER,
        "valid_from": note.valid_from.isoformat() if note.valid_from else NEVER,
        "valid_to": note.valid_to.isoformat() if note.valid_to else NEVER,
        "importance": render_float(note.importance),
        "confidence": render_float(note.confidence),
        "status": note.status.value,
        "sources": _sources(note.sources),
        "supersedes": flow["supersedes"],
        "superseded_by": yaml_text(note.superseded_by) if note.superseded_by is not None else "null",
    }
    return {key: f"{key}:{value if value[:1] == chr(10) else ' ' + value}\n" for key, value in values.items() if value}


def _sources(sources: tuple[Provenance, ...]) -> str:
    """One source stays on its line; several get a line each, so that a diff or a merge shows which one came."""
    items = [f"{{session: {yaml_text(s.session)}, turns: [{', '.join(map(str, s.turns))}]}}" for s in sources]
    if len(items) < 2:
        return f"[{''.join(items)}]"
    return "".join(f"\n  - {item}" for item in items)


def _extra(extra: Mapping[str, Any]) -> str:
    return "".join(f"{render_value({key: value})}" for key, value in extra.items())


def _blocks(front: str) -> dict[str, str]:
    """A frontmatter cut at its top-level keys: key (or "" for what precedes the first) to its verbatim lines."""
    blocks: dict[str, str] = {}
    if front and not front.endswith("\n"):
        front += "\n"
    for piece in _BLOCK.split(front):
        match = re.match(r"[\"']?([^\s:\"']+)[\"']?[ \t]*:", piece)
        key = match.group(1) if match else ""
        while key in blocks:
            key += "\0"
        if piece:
            blocks[key] = piece
    return blocks


def _put(blocks: dict[str, str], key: str, lines: str) -> None:
    """Replaces a key's lines, comments kept, or inserts them after the nearest earlier key that the file has."""
    if key in blocks:
        old = blocks[key]
        comment = _line_comment(old) if lines else ""
        first, rest = lines.split("\n", 1) if lines else ("", "")
        trailing = _TRAILING.search(old)
        replaced = f"{first}{comment}\n{rest}" if lines else ""
        blocks[key] = replaced + (trailing.group() if trailing else "")
        return
    earlier = set(KEYS[: KEYS.index(key)] if key in KEYS else blocks)
    place = max((i + 1 for i, known in enumerate(blocks) if known in earlier), default=1 if "" in blocks else 0)
    items = [*blocks.items()]
    items.insert(place, (key, lines))
    blocks.clear()
    blocks.update(items)


def _line_comment(block: str) -> str:
    """The comment behind a value that stands on its key's line, with the space before it; "" without one."""
    line = block.split("\n", 1)[0]
    for match in re.finditer(r"[ \t]+#", line):
        try:
            if load_frontmatter(line[: match.start()], "") == load_frontmatter(line, ""):
                return line[match.start() :]
        except NoteFormatError:
            continue  # this # stands inside a quoted text
    return ""


def _body(tail: str, fenced: bool, crlf: bool) -> str:
    """The text between the blank line after the frontmatter and the file's last line end, both optional."""
    end = "\r\n" if crlf else "\n"
    return tail.removeprefix(end).removesuffix(end) if fenced else tail.removesuffix(end)


def _title(body: str, path: str) -> str:
    heading = _HEADING.search(body)
    if heading:
        return heading.group(1)
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    return re.sub(r"[-_\s]+", " ", stem).strip() or stem

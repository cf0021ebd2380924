"""Notes of other memory tools: a markdown file with frontmatter becomes a session of one turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from seci.core.session import Failure, Role, Session
from seci.sources.lines import HEAD_SIZE, read_head, render_os_error
from seci.sources.text import text_lines
from seci.sources.turns import TurnList, parse_time

_TIMES = ("created", "created_at", "date", "date created")
_HIDDEN = "."


def parse_frontmatter(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """(flat keys, the lines after it); no keys when the text does not begin with frontmatter that ends."""
    if not lines or lines[0].rstrip() != "---":
        return {}, lines
    for end, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            pairs = (text.partition(":") for text in lines[1:end] if not text.startswith((" ", "-", "#")))
            return {key.strip(): value.strip().strip("'\"") for key, sep, value in pairs if sep}, lines[end + 1 :]
    return {}, lines


def head_keys(path: Path) -> dict[str, str]:
    """The frontmatter keys of a file, from its first kilobytes."""
    return parse_frontmatter(read_head(path)[:HEAD_SIZE].decode("utf-8", "replace").splitlines())[0]


def read_note(path: Path, source: str, root: Path) -> Iterator[Session | Failure]:
    """The note as a session, known by its `permalink` where it has one, else by its place below `root`."""
    lines: list[str] = []
    for line in text_lines(path):
        if isinstance(line, Failure):
            yield line
        else:
            lines.append(line)
    keys, body = parse_frontmatter(lines)
    at: datetime | None = next((time for key in _TIMES if (time := parse_time(keys.get(key)))), None)
    turns = TurnList()
    turns.say(Role.USER, "\n".join(body), at=at)
    if said := turns.freeze():
        place = path.relative_to(root).with_suffix("").as_posix() if path.is_relative_to(root) else path.stem
        yield Session(
            source,
            keys.get("permalink") or place,
            said,
            project=keys.get("project") or None,
            title=keys.get("title") or path.stem,
            path=str(path),
        )


def note_files(root: Path) -> Iterator[Path | Failure]:
    """The markdown files below a folder, by name, without hidden folders and without following links to folders."""
    try:
        entries = sorted(root.iterdir())
    except OSError as error:
        yield Failure(str(root), render_os_error(error))
        return
    for entry in entries:
        if entry.name.startswith(_HIDDEN):
            continue
        if entry.is_dir():
            if not entry.is_symlink():
                yield from note_files(entry)
        elif entry.suffix in (".md", ".markdown") and entry.is_file():
            yield entry

"""Changing somebody else's settings: planned as edits, shown as a diff, and taken back byte for byte.

What a file was before is kept in the user's data folder. Taking out puts those bytes back where the file is still as
seci left it; where the user or the tool changed it since, only seci's own entries go.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seci.errors import UserError

Settings = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's change; None means that there is no file. `remove` takes seci's entries out of whatever the file
    holds later; it is None where the whole file is seci's own."""

    path: Path
    before: bytes | None
    after: bytes | None
    remove: Callable[[bytes], bytes | None] | None = None

    @property
    def changes(self) -> bool:
        return self.before != self.after


def read_bytes(path: Path) -> bytes | None:
    """The file's bytes, None where there is none. Raises UserError where it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", subject=str(path)) from error


def parse_settings(path: Path, content: bytes | None) -> Settings:
    """A JSON object; {} for no file or an empty one. Raises UserError for anything else: it is not ours to repair."""
    if content is None or not content.strip():
        return {}
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise UserError(f"is not JSON that seci can change: {error}", subject=str(path)) from error
    if not isinstance(value, dict):
        raise UserError("holds no JSON object", subject=str(path))
    return value


def render_settings(value: Settings, like: bytes | None) -> bytes:
    """JSON with the indentation and the last newline of what was there."""
    indent: int | str = 2
    if like is not None:
        for line in like.decode("utf-8-sig", "replace").splitlines()[1:]:
            if stripped := line.lstrip():
                white = line[: len(line) - len(stripped)]
                indent = "\t" if white.startswith("\t") else len(white) or 2
                break
    end = "" if like is not None and like.strip() and not like.endswith(b"\n") else "\n"
    return (json.dumps(value, indent=indent, ensure_ascii=False) + end).encode()


def edit_settings(path: Path, add: Callable[[Settings], Settings], remove: Callable[[Settings], Settings]) -> Edit:
    """An edit of a JSON file: seci's old entries out, the present ones in, everything else as it was."""
    before = read_bytes(path)
    old = parse_settings(path, before)
    new = add(remove(json.loads(json.dumps(old))))
    after = before if new == old else render_settings(new, before)

    def take_out(content: bytes) -> bytes | None:
        present = parse_settings(path, content)
        left = remove(json.loads(json.dumps(present)))
        return content if left == present else render_settings(left, content)

    return Edit(path, before, after, take_out)


def edit_file(path: Path, content: str) -> Edit:
    """An edit that makes a whole file seci's own."""
    return Edit(path, read_bytes(path), content.encode())


def render_diff(edits: Iterable[Edit]) -> str:
    """The edits as one unified diff."""
    parts: list[str] = []
    for edit in edits:
        before = (edit.before or b"").decode("utf-8", "replace").splitlines(keepends=True)
        after = (edit.after or b"").decode("utf-8", "replace").splitlines(keepends=True)
        name = str(edit.path)
        parts += difflib.unified_diff(before, after, name if edit.before is not None else "/dev/null", name)
    return "".join(part if part.endswith("\n") else part + "\n" for part in parts)


@dataclass(frozen=True, slots=True)
class Installation:
    """The record of what was put in, in the user's data folder: one JSON file for each agent and place."""

    path: Path

    def load(self) -> Mapping[str, Mapping[str, str | None]]:
        content = read_bytes(self.path)
        return parse_settings(self.path, content)

    def apply(self, edits: Iterable[Edit]) -> list[Edit]:
        """Writes the edits that change something and remembers what was there before the first installation."""
        record = dict(self.load())
        known = {place: entry for other in self._others() for place, entry in other.load().items()} | record
        done = []
        for edit in edits:
            entry = known.get(str(edit.path))
            ours = entry is not None and entry.get("after") == _digest(edit.before)
            if edit.changes or ours:
                before = entry["before"] if entry is not None and ours else _text(edit.before)
                record[str(edit.path)] = {"before": before, "after": _digest(edit.after)}
            if edit.changes:
                done.append(edit)
        if record:
            write_bytes(self.path, json.dumps(record, indent=1).encode())
        for edit in done:
            write_bytes(edit.path, edit.after)
        return done

    def plan_removal(self, edits: Iterable[Edit]) -> list[Edit]:
        """What takes it all out again; `edits` are those that an installation would make now. A file that another
        installation put in too (the skills folder that agents share) stays until the last of them goes."""
        record = self.load()
        shared = {place for other in self._others() for place in other.load()}
        plan = []
        for edit in edits:
            known = record.get(str(edit.path))
            if edit.before is None or str(edit.path) in shared:
                continue
            if known is not None and known.get("after") == _digest(edit.before):
                plan.append(Edit(edit.path, edit.before, _bytes(known["before"])))
            elif edit.remove is not None:
                if (left := edit.remove(edit.before)) != edit.before:
                    plan.append(Edit(edit.path, edit.before, left))
            elif known is not None:
                plan.append(Edit(edit.path, edit.before, None))
        return plan

    def _others(self) -> list[Installation]:
        files = sorted(self.path.parent.glob("*.json")) if self.path.parent.is_dir() else []
        return [Installation(file) for file in files if file != self.path]

    def remove(self, plan: Iterable[Edit]) -> None:
        for edit in plan:
            write_bytes(edit.path, edit.after)
        self.path.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes | None) -> None:
    """Atomically; None deletes the file, and its folder where that leaves it empty."""
    try:
        if content is None:
            path.unlink(missing_ok=True)
            if path.parent.is_dir() and not any(path.parent.iterdir()):
                path.parent.rmdir()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.resolve()  # a settings file may be a link into somebody's dotfiles
        new = target.with_name(f".{target.name}.seci-new")
        new.write_bytes(content)
        if target.exists():
            new.chmod(target.stat().st_mode & 0o7777)
        new.replace(target)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", subject=str(path)) from error


def _digest(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("latin-1")  # any bytes survive JSON this way


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("latin-1")

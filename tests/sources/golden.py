"""Golden cases: `<format>/<case>` beside `<format>/<case>.expected.json`.

A case is a file or a folder in a tool's own format; a name that ends in `.sql` is a database, written down as SQL.
`python -m tests.sources.golden --write` writes what the sources read now as what is expected; without `--write` it
only says which cases differ. Review the difference before you commit it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seci.core.session import Failure, Session, Turn
from seci.sources.registry import Registry, load_registry

ROOT = Path(__file__).parent
EXPECTED = ".expected.json"


def cases() -> list[Path]:
    """Every case of every format, by name."""
    found = (path for folder in sorted(ROOT.iterdir()) if folder.is_dir() for path in sorted(folder.iterdir()))
    return [path for path in found if not path.name.endswith((EXPECTED, ".pyc")) and path.name != "__pycache__"]


def stage(case: Path, folder: Path) -> Path:
    """The case as a tool would leave it, in a folder of its own."""
    if case.suffix == ".sql":
        target = folder / case.stem
        with sqlite3.connect(target) as database:
            database.executescript(case.read_text(encoding="utf-8"))
        database.close()
        return target
    target = folder / case.name
    if case.is_dir():
        shutil.copytree(case, target)
    else:
        shutil.copyfile(case, target)
    return target


def read_case(case: Path, registry: Registry | None = None) -> dict[str, Any]:
    """What the sources make of a case, as JSON; paths are relative to the case."""
    with tempfile.TemporaryDirectory() as folder:
        path = stage(case, Path(folder))
        return render_items((registry or load_registry()).read([path]), folder)


def render_items(items: Iterator[Session | Failure], folder: str) -> dict[str, Any]:
    """Sessions and failures as JSON."""
    sessions, failures = [], []
    for item in items:
        if isinstance(item, Failure):
            failures.append({"path": item.path.replace(f"{folder}/", ""), "reason": item.reason})
        else:
            sessions.append(_render_session(item))
    return {"sessions": sessions, "failures": failures}


def expected_file(case: Path) -> Path:
    return case.with_name(case.name + EXPECTED)


def main(write: bool) -> int:
    """1 when a case differs from what is expected and `write` is off, else 0."""
    registry = load_registry()
    different = 0
    for case in cases():
        text = json.dumps(read_case(case, registry), indent=1, ensure_ascii=False) + "\n"
        target = expected_file(case)
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        different += 1
        print(f"{'written' if write else 'differs'}: {target.relative_to(ROOT)}")
        if write:
            target.write_text(text, encoding="utf-8")
    return 0 if write or not different else 1


def _render_session(session: Session) -> dict[str, Any]:
    fields = {"key": session.key, "parent": session.parent, "cwd": session.cwd, "project": session.project}
    shown = {name: value for name, value in (fields | {"title": session.title}).items() if value is not None}
    return shown | {"turns": [_render_turn(turn) for turn in session.turns]}


def _render_turn(turn: Turn) -> dict[str, Any]:
    fields = {
        "index": turn.index,
        "role": turn.role.value,
        "speaker": turn.speaker,
        "at": turn.at.isoformat().replace("+00:00", "Z") if turn.at else None,
        "id": turn.message_id,
        "text": turn.text,
        "tools": list(turn.tools) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


if __name__ == "__main__":
    sys.exit(main(write="--write" in sys.argv[1:]))

"""What an agent's installer answers, and where it writes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Protocol

from seci.agents.plan import Edit, edit_file
from seci.errors import UserError

SKILLS = ("remember", "distill", "consolidate")


@dataclass(frozen=True, slots=True)
class Place:
    """Where to install. `project` None means for the user; `command` is the absolute path of `seci`, since an agent
    started from a desktop has another PATH than a shell."""

    home: Path
    environ: Mapping[str, str]
    command: str
    project: Path | None = None

    def folder(self, variable: str, default: str) -> Path:
        """The tool's own folder: its variable where that is set, else below the home folder."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home / default


class Agent(Protocol):
    name: str

    def plan(self, place: Place) -> list[Edit]:
        """The edits that put seci's hooks, skills and MCP server in. Raises UserError for settings that cannot be
        changed safely."""

    def advice(self) -> str:
        """What the user has to do by hand afterwards, "" for nothing."""


def find_command() -> str:
    """The absolute path of the `seci` that runs now."""
    beside = Path(sys.executable).with_name("seci.exe" if sys.platform == "win32" else "seci")
    return str(beside) if beside.exists() else "seci"


def skill_edits(folder: Path) -> list[Edit]:
    """The three skills, one folder each. Raises UserError where somebody else's skill has the name."""
    edits = [edit_file(folder / name / "SKILL.md", skill_text(name)) for name in SKILLS]
    for edit in edits:
        if edit.before is not None and b"seci" not in edit.before:
            raise UserError("another skill has this name", subject=str(edit.path), hint="rename it and install again")
    return edits


def skill_text(name: str) -> str:
    return resources.files("seci.agents").joinpath(f"skills/{name}/SKILL.md").read_text("utf-8")

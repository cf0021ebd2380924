"""`seci install` and `seci uninstall`: hooks, skills and the MCP server of one agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption

if TYPE_CHECKING:
    from seci.agents.agent import Agent, Place
    from seci.agents.plan import Edit, Installation

AgentArgument = Annotated[str, typer.Argument(help="claude-code, codex, gemini-cli, copilot-cli, cursor or opencode.")]
ProjectFlag = Annotated[bool, typer.Option("--project", help="In this project instead of for the user.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the diff, write nothing.")]


def install(
    agent: AgentArgument, project: ProjectFlag = False, dry_run: DryRun = False, as_json: JsonOption = False
) -> None:
    """Give an agent seci's hooks, skills and MCP server. Everything else in its settings stays."""
    found, place, installation = _prepare(agent, project)
    edits = [edit for edit in found.plan(place) if edit.changes]
    if not dry_run:
        edits = installation.apply(edits)
    _report(found, edits, dry_run, as_json, found.advice() if edits else "")


def uninstall(
    agent: AgentArgument, project: ProjectFlag = False, dry_run: DryRun = False, as_json: JsonOption = False
) -> None:
    """Take out what `seci install` put in, and nothing else."""
    found, place, installation = _prepare(agent, project)
    edits = installation.plan_removal(found.plan(place))
    if not dry_run:
        installation.remove(edits)
    _report(found, edits, dry_run, as_json, "")


def _prepare(agent: str, project: bool) -> tuple[Agent, Place, Installation]:
    import hashlib

    from seci.agents.agent import Place, find_command
    from seci.agents.plan import Installation
    from seci.agents.registry import find_agent
    from seci.config import user_config_path

    call = current()
    found = find_agent(agent)
    home = Path(call.environ.get("HOME") or Path.home())
    place = Place(home, call.environ, find_command(), call.cwd if project else None)
    where = hashlib.sha256(str(place.project or "").encode()).hexdigest()[:12] if project else "user"
    record = user_config_path(call.environ).parent / "installed" / f"{found.name}-{where}.json"
    return found, place, Installation(record)


def _verb(edit: Edit) -> str:
    return "wrote" if edit.before is None else "removed" if edit.after is None else "changed"


def _report(agent: Agent, edits: list[Edit], dry_run: bool, as_json: bool, advice: str) -> None:
    from seci.agents.plan import render_diff
    from seci.cli.output import console, print_json

    paths = [str(edit.path) for edit in edits]
    if as_json:
        print_json(
            {"agent": agent.name, "changed": paths, "advice": advice, "diff": render_diff(edits) if dry_run else None}
        )
    elif dry_run:
        console().print(render_diff(edits) or "nothing to change", markup=False, end="")
    else:
        done = [f"{_verb(edit):<9} {edit.path}" for edit in edits]
        console().print("\n".join(done) or "nothing to change", markup=False)
        if advice:
            console().print(advice, markup=False)

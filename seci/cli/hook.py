"""`seci hook AGENT`: what an agent's hook gets told. Never fails: whatever goes wrong stays out of the agent's way."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seci.cli.invocation import current
from seci.errors import SeciError

if TYPE_CHECKING:
    from seci.app import App
    from seci.client.dialects import HookEvent

LOG = logging.getLogger("seci.hook")
PROMPT_BUDGET = 600
START_BUDGET = 1000


def hook(agent: Annotated[str, typer.Argument(help="The agent that calls: claude-code, codex, …")]) -> None:
    """Answer an agent's hook. JSON on standard input, the agent's own shape on standard output."""
    from seci.client.dialects import canonical, parse_event, render_answer
    from seci.client.trust import trusted_vault

    call = current()
    text = (call.stdin or sys.stdin).read()
    try:
        event = parse_event(canonical(agent) or agent, text, call.environ)
        vault = trusted_vault(event.cwd or str(call.cwd), call.environ)
        context = build_context(call.open_app(Path(vault)), event) if vault else ""
    except (SeciError, ValueError, OSError) as error:
        LOG.warning("hook %s: %s", agent, error)
        return
    call.stream().write(render_answer(event, context))


def build_context(app: App, event: HookEvent) -> str:
    """The standing context at a session's start, what is relevant to a prompt, "" for everything else."""
    from seci.client.dialects import PROMPT, START

    project = app.project_at(event.cwd) or ""  # outside of every project: only what belongs to none
    if event.kind == START:
        return app.standing(project, START_BUDGET)
    if event.kind == PROMPT and event.prompt:
        return app.relevant(event.prompt, project, PROMPT_BUDGET)
    return ""

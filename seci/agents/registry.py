"""The agents that seci knows, by their canonical names."""

from __future__ import annotations

from seci.agents.agent import Agent
from seci.agents.claude_code import ClaudeCode
from seci.agents.codex import Codex
from seci.agents.copilot_cli import CopilotCli
from seci.agents.cursor import Cursor
from seci.agents.gemini_cli import GeminiCli
from seci.agents.opencode import Opencode
from seci.client.dialects import AGENTS, canonical
from seci.errors import UserError

_AGENTS: dict[str, Agent] = {
    agent.name: agent for agent in (ClaudeCode(), Codex(), GeminiCli(), CopilotCli(), Cursor(), Opencode())
}


def find_agent(name: str) -> Agent:
    """By canonical name or alias. Raises UserError that lists the names."""
    known = canonical(name)
    if known is None:
        raise UserError(f"is not an agent that seci knows; there are {', '.join(AGENTS)}", subject=name)
    return _AGENTS[known]

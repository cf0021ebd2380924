"""The MCP server as a client meets it: a real process, the package's own client, standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from seci.config import trust_vault

TOOLS = {"remember", "search", "read_note", "write_note", "distill_session", "consolidate_plan"}


@pytest.fixture
def talk(vault: Path, model_cache: Path) -> Callable[[Callable[[Any], Awaitable[Any]]], Any]:
    from mcp import StdioServerParameters
    from mcp.client import Client

    environ = {**os.environ, "SECI_CACHE": str(model_cache), "SECI_VAULT": str(vault)}
    trust_vault(vault, environ)
    server = StdioServerParameters(command=sys.executable, args=["-m", "seci.entry", "mcp"], env=environ)

    def run(conversation: Callable[[Any], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            async with Client(server) as client:
                return await conversation(client)

        return asyncio.run(asyncio.wait_for(main(), 120))

    return run


async def call(client: Any, name: str, **arguments: Any) -> tuple[bool, str]:
    result = await client.call_tool(name, arguments)
    return bool(result.is_error), result.content[0].text


def test_a_whole_conversation(talk: Any, vault: Path, tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    text = "From now on always paint the loading dock in ultramarine, because drivers miss it at night."
    session.write_text(json.dumps({"role": "user", "content": text}))

    async def conversation(client: Any) -> dict[str, Any]:
        tools = (await client.list_tools()).tools
        said = {"tools": [tool.model_dump(mode="json", exclude_none=True, by_alias=True) for tool in tools]}
        said["remember"] = await call(client, "remember", query="why were webhooks sent twice?", budget=500)
        said["search"] = await call(client, "search", query="postgres full text search", limit=5)
        note = {"title": "The dock has a bell", "body": "The loading dock has a bell for drivers.", "type": "fact"}
        said["write"] = await call(client, "write_note", namespace="docs", **note)
        said["again"] = await call(client, "write_note", namespace="docs", **note)
        said["wrong"] = await call(client, "write_note", namespace="attic", **note)
        said["read"] = await call(client, "read_note", id=said["write"][1].removesuffix(".md")[-8:])
        said["distill"] = await call(client, "distill_session", path=str(session))
        said["none"] = await call(client, "read_note", id="zzzzzzzz")
        return said

    said = talk(conversation)
    assert {tool["name"] for tool in said["tools"]} == TOOLS
    assert "redelivers" in said["remember"][1] and "<seci-context>" in said["remember"][1]
    assert len(said["search"][1].splitlines()) == 5
    assert said["write"][1].startswith("Written: docs/the-dock-has-a-bell-")
    assert "already" in said["again"][1]
    assert said["wrong"][0] and "quick-reference" in said["wrong"][1]
    assert json.loads(said["read"][1])["title"] == "The dock has a bell"
    assert "1 notes" in said["distill"][1] or "notes" in said["distill"][1]
    assert said["none"][0] and "no such note" in said["none"][1]


def test_the_tools_cost_little_context(model_cache: Path) -> None:
    from seci.embedding.cache import open_embedder
    from seci.server.mcp import build_server
    from seci.server.resident import Answer

    server = build_server(lambda arguments, stdin: Answer(0, b"{}", b""))
    tools = asyncio.run(server.list_tools())
    shown = json.dumps([tool.model_dump(mode="json", exclude_none=True, by_alias=True) for tool in tools])
    assert open_embedder(model_cache).counter.count(shown) < 1500


def test_an_unregistered_vault_is_refused(vault: Path, seci: Any) -> None:
    result = seci("mcp")
    assert result.code == 3
    assert "seci trust" in result.err

"""The MCP server as a client meets it: a real process, the package's own client, standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from seci.client.greeting import answer_greeting
from seci.config import trust_vault

CLIENT = {"name": "test", "version": "1"}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOOLS = {"remember", "search", "read_note", "write_note", "distill_session", "consolidate_plan"}


@pytest.fixture
def talk(vault: Path, model_cache: Path) -> Callable[[Callable[[Any], Awaitable[Any]]], Any]:
    from mcp import StdioServerParameters
    from mcp.client import Client

    environ = {**os.environ, "SECI_CACHE": str(model_cache), "SECI_VAULT": str(vault)}
    trust_vault(vault, environ)
    server = StdioServerParameters(command=sys.executable, args=["-m", "seci.entry", "mcp"], env=environ)

    def run(conversation: Callable[[Any], Awaitable[Any]], mode: str = "auto") -> Any:
        async def main() -> Any:
            async with Client(server, mode=mode) as client:
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


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_older_and_newer_clients_are_understood(talk: Any, mode: str) -> None:
    async def conversation(client: Any) -> bool:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        _, said = await call(client, "search", query="postgres full text search", limit=1)
        return "ostgres" in said

    assert talk(conversation, mode)


@pytest.mark.parametrize(
    "message",
    [
        *({"method": "initialize", "params": {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}}
          for version in ("2024-11-05", "2025-06-18", "2025-11-25", "1999-01-01")),
        {"method": "server/discover", "params": {"_meta": ENVELOPE}},
    ],
)  # fmt: skip
def test_the_greeting_is_what_the_package_would_say(message: dict[str, Any]) -> None:
    """Greeted by seci before the package is loaded, word for word as the package would."""
    line = json.dumps({"jsonrpc": "2.0", "id": 7, **message}).encode() + b"\n"
    answered = answer_greeting(line)
    assert answered is not None
    assert json.loads(answered[0]) == json.loads(package_answer(line))


@pytest.mark.parametrize(
    "line",
    [
        b"", b"no json", b"[]", b"{}", b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}',
        b'{"jsonrpc": "2.0", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}',
    ],
)  # fmt: skip
def test_what_is_no_greeting_is_left_to_the_server(line: bytes) -> None:
    assert answer_greeting(line) is None


def package_answer(line: bytes) -> bytes:
    """What the server built with the package answers to one message, with nobody greeting first."""
    program = (
        "from seci.server.mcp import build_server\n"
        "from seci.server.resident import Answer\n"
        "build_server(lambda arguments, stdin: Answer(0, b'{}', b'')).run('stdio')"
    )
    done = subprocess.run([sys.executable, "-c", program], input=line, capture_output=True, timeout=60, check=True)
    return done.stdout


@pytest.mark.parametrize("greeted", [True, False])
def test_a_line_that_is_no_message_is_refused_and_the_session_goes_on(vault: Path, greeted: bool) -> None:
    environ = {**os.environ, "SECI_VAULT": str(vault)}
    trust_vault(vault, environ)
    greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting}).encode()
    lines = [hello, b"no json", b"", b'{"jsonrpc": "2.0"}', b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}', b""]
    if not greeted:  # then the package's server hears the first line
        lines.insert(0, b"{broken")
    call = [sys.executable, "-m", "seci.entry", "mcp"]
    done = subprocess.run(call, input=b"\n".join(lines), env=environ, capture_output=True, timeout=60, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert refused == ([] if greeted else [-32700]) + [-32700, -32600]
    assert sorted(answer["id"] for answer in answers if "result" in answer) == [1, 2]


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

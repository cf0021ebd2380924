"""The MCP server: six tools that translate to commands, over standard input and output.

Each tool runs a command of seci with --json, in the vault's resident process where one runs, so that this process
stays small and never opens the index itself. Results are reference data; errors say what to change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, ToolAnnotations
from pydantic import Field, ValidationError

from seci import __version__
from seci.client.greeting import INSTRUCTIONS
from seci.server.resident import Answer

GRACE = 0.2  # seconds that a quick answer has when a client asks and hangs up at once
Call = Callable[[Sequence[str], bytes], Answer]


class StdioServer(MCPServer[Any]):
    """The package's server leaves what is no message unanswered; here the client is told, and the session goes on."""

    async def run_stdio_async(self) -> None:
        into, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        low = self._lowlevel_server
        async with stdio_server() as (lines, answers), anyio.create_task_group() as group:

            async def listen() -> None:
                async with into:
                    async for item in lines:
                        if not isinstance(item, Exception):
                            await into.send(item)
                        elif refused := refuse(item):
                            await answers.send(SessionMessage(refused))
                    await anyio.sleep(GRACE)  # the end of input cancels what is being answered

            group.start_soon(listen)
            await low.run(heard, answers, low.create_initialization_options())


def refuse(error: Exception) -> JSONRPCError | None:
    """What JSON-RPC has to say to a line that is no message; nothing to an empty one."""
    found = error.errors()[0] if isinstance(error, ValidationError) else None
    if found is not None and not str(found["input"]).strip():
        return None
    if found is None or found["type"] == "json_invalid":
        said = ErrorData(code=PARSE_ERROR, message="Parse error: the line is no JSON")
    else:
        said = ErrorData(code=INVALID_REQUEST, message="Invalid request: the line is no JSON-RPC message")
    return JSONRPCError(jsonrpc="2.0", id=None, error=said)


def build_server(call: Call) -> StdioServer:
    """A server whose tools run commands through `call`."""
    server = StdioServer("seci", version=__version__, instructions=INSTRUCTIONS)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

    @server.tool(annotations=reads, structured_output=False)
    def remember(
        query: str,
        budget: Annotated[int, Field(description="tokens", ge=0, le=20000)] = 1500,
        project: Annotated[str, Field(description="owner/name; * for all")] = "",
    ) -> str:
        """What earlier sessions say about a question, with dates and sources."""
        shape = run(call, ["remember", "--budget", str(budget), *_project(project), "--", query])
        return shape["markdown"] or "Nothing relevant is known."

    @server.tool(annotations=reads, structured_output=False)
    def search(query: str, limit: Annotated[int, Field(ge=1, le=50)] = 10, project: str = "") -> str:
        """Ranked notes and turns, one a line: id, title, snippet."""
        shape = run(call, ["search", "-k", str(limit), *_project(project), "--", query])
        lines = [f"{_name(hit)}  {hit['title']}: {hit['snippet']}" for hit in shape["hits"]]
        return "\n".join(" ".join(line.split()) for line in lines) or "Nothing found."

    @server.tool(annotations=reads, structured_output=False)
    def read_note(
        id: Annotated[str, Field(description="from remember or search")],
    ) -> str:
        """A whole note with its sources, or the turns of a session."""
        return json.dumps(run(call, ["show", "--", id]), ensure_ascii=False)

    @server.tool(annotations=writes, structured_output=False)
    def write_note(
        title: str,
        body: Annotated[str, Field(description="at most 80 words, understood on its own")],
        namespace: Annotated[
            str,
            Field(description="brain patterns solutions research content voice clients projects docs quick-reference"),
        ],
        type: Annotated[str, Field(description="preference decision fact plan solution pattern command reference")],
        tier: str = "memory",
    ) -> str:
        """Keep one thing worth knowing in later sessions."""
        note = {"title": title, "body": body, "namespace": namespace, "tier": tier, "type": type}
        shape = run(call, ["distill", "--notes", "-"], json.dumps([note]).encode())
        return "Written: " + shape["notes"][0]["path"] if shape["notes"] else "The vault has this note already."

    @server.tool(annotations=writes, structured_output=False)
    def distill_session(path: Annotated[str, Field(description="a transcript file or folder")]) -> str:
        """Turn a session file into notes."""
        shape = run(call, ["distill", "--", path])
        titles = [note["title"] for note in shape["notes"]]
        return "\n".join([f"{len(titles)} notes, {shape['skipped']} sessions had nothing new", *titles])

    @server.tool(annotations=reads, structured_output=False)
    def consolidate_plan() -> str:
        """Which notes repeat, replace or contradict each other; changes nothing."""
        return json.dumps(run(call, ["consolidate", "--dry-run"]), ensure_ascii=False)

    return server


def run(call: Call, arguments: Sequence[str], stdin: bytes = b"") -> dict[str, Any]:
    """The JSON object that a command prints. Raises ToolError with its reason and hint."""
    name, *rest = arguments
    answer = call([name, "--json", *rest], stdin)
    try:
        shape = json.loads(answer.stdout)
    except ValueError:
        raise ToolError(answer.stderr.decode("utf-8", "replace").strip() or f"seci ended with {answer.code}") from None
    if isinstance(shape, dict) and "error" in shape:
        error = shape["error"]
        said = [part for part in (error.get("subject"), error.get("reason"), error.get("hint")) if part]
        raise ToolError(": ".join(said))
    return dict(shape)


def _project(project: str) -> list[str]:
    return ["--project", project] if project else []


def _name(hit: dict[str, Any]) -> str:
    """What `read_note` takes."""
    if hit["kind"] == "distilled":
        return str(hit["id"])[-8:].lower()
    return f"{hit['id']}#{','.join(map(str, hit['turns']))}"

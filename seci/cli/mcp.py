"""`seci mcp`: the MCP server over standard input and output."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

from seci.cli.invocation import Invocation, answer_as, current
from seci.cli.options import VaultOption
from seci.errors import VaultNotFoundError
from seci.server.resident import Answer

HOT = ("remember", "search", "show")
TIMEOUT = 30.0


def mcp(vault: VaultOption = None) -> None:
    """Serve the vault over MCP, on standard input and output."""
    from seci.client.spawn import start_resident
    from seci.client.trust import trusted_vault
    from seci.server.mcp import build_server

    call = current()
    environ = {**call.environ, **({"SECI_VAULT": str(vault.absolute())} if vault else {})}
    place = trusted_vault(str(call.cwd), environ)
    if place is None:
        raise VaultNotFoundError(
            "there is no vault that you registered",
            subject=str(vault or call.cwd),
            hint="seci init, or seci trust PATH",
        )
    start_resident(place, call.environ)  # loads the model while the client looks at the tools
    build_server(lambda arguments, stdin: answer(Path(place), arguments, stdin)).run("stdio")


def answer(vault: Path, arguments: Sequence[str], stdin: bytes) -> Answer:
    """Runs a command in the vault's resident process where it is a question, here otherwise."""
    from seci.cli.main import run
    from seci.client.wire import ask, encode_request, forwarded

    name, *rest = arguments
    whole = [name, "--vault", str(vault), *rest]
    environ = os.environ
    if name in HOT:
        request = encode_request(str(Path.cwd()), "", stdin, forwarded(environ.items()), whole)
        if found := ask(str(vault), request, TIMEOUT):
            return Answer(*found)
    out, err = io.StringIO(), io.StringIO()
    call = Invocation(Path.cwd(), environ, out, err, io.StringIO(stdin.decode("utf-8", "replace")))
    code = answer_as(call, lambda: run(whole))
    return Answer(code, out.getvalue().encode("utf-8", "replace"), err.getvalue().encode("utf-8", "replace"))

"""`seci serve`: the REST API."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import VaultOption
from seci.errors import UserError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; anything but loopback needs --allow-remote.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free one.")] = 8377,
    allow_remote: Annotated[bool, typer.Option("--allow-remote", help="Listen beyond this machine.")] = False,
    openapi: Annotated[bool, typer.Option("--openapi", help="Print the OpenAPI document and exit.")] = False,
    vault: VaultOption = None,
) -> None:
    """Serve the vault over HTTP on this machine, with a token."""
    import uvicorn

    from seci.cli.mcp import answer
    from seci.cli.output import console, print_json
    from seci.client.spawn import start_resident
    from seci.server.rest import LOCAL_HOSTS, build_rest

    if host not in LOOPBACK and not allow_remote:
        raise UserError("is not this machine", subject=host, hint="add --allow-remote, and put TLS in front of it")
    call = current()
    app = call.open_app(vault)
    token = read_token(app.state / "rest-token")
    hosts = (*LOCAL_HOSTS, host) if host not in LOOPBACK else LOCAL_HOSTS
    rest = build_rest(app, lambda arguments, stdin: answer(app.vault, arguments, stdin), token, hosts)
    if openapi:
        print_json(rest.openapi())
        return
    start_resident(str(app.vault), call.environ)
    console(stderr=True).print(f"the bearer token is in {app.state / 'rest-token'}", markup=False)
    uvicorn.run(rest, host=host, port=port, log_level="warning", server_header=False)


def read_token(path: Path) -> str:
    """The vault's token, made when there is none; readable by the user alone."""
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        path.parent.mkdir(exist_ok=True)
        path.touch(0o600, exist_ok=False)
        token = secrets.token_urlsafe(32)
        path.write_text(token + "\n", "ascii")
        return token

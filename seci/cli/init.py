"""`seci init` and `seci trust`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from seci.cli.options import JsonOption


def init(
    path: Annotated[Path | None, typer.Argument(help="Where.", show_default="SECI_VAULT, or the default vault")] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a vault: ten folders of markdown under git. Your hooks may use it."""
    from seci.app import create_vault
    from seci.cli.output import console, print_json
    from seci.client.locate import default_vault

    place = path or Path(os.environ.get("SECI_VAULT") or default_vault(os.environ))
    created = create_vault(place.expanduser().absolute(), os.environ)
    if as_json:
        print_json({"vault": str(created.path), "repository": str(created.repository), "created": created.new})
    elif created.new:
        console().print(f"created a vault in {created.path}", markup=False)
    else:
        console().print(f"{created.path} is a vault already", markup=False)


def trust(
    path: Annotated[Path, typer.Argument(help="A vault.")],
    as_json: JsonOption = False,
) -> None:
    """Let hooks, MCP and REST use a vault that came from elsewhere."""
    from seci.app import trust as trust_vault
    from seci.cli.output import console, print_json

    place = path.expanduser().absolute()
    new = trust_vault(place, os.environ)
    if as_json:
        print_json({"vault": str(place), "trusted": True, "new": new})
    else:
        console().print(f"{place} is trusted now" if new else f"{place} was trusted already", markup=False)

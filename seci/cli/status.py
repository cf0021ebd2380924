"""`seci status`, for --help: the answer itself comes from `client.status`, before typer is imported."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from seci.cli.options import JsonOption, VaultOption


def status(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """Say what the vault holds."""
    from seci.client.status import print_status

    code = print_status(str(vault) if vault else None, as_json, str(Path.cwd()), os.environ)
    if code:
        raise typer.Exit(code)

"""`seci edit`: a note in your editor, committed when you close it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import VaultOption
from seci.errors import UserError


def edit(
    id: Annotated[str, typer.Argument(help="A note's id, its last characters or path.")],
    vault: VaultOption = None,
) -> None:
    """Open a note in $EDITOR and commit what you change."""
    import shlex
    import subprocess

    from seci.cli.output import console

    app = current().open_app(vault)
    stored = app.notes.get(id)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    before = stored.digest
    path = app.vault / stored.path
    try:
        code = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except OSError as error:
        raise UserError(f"cannot be started: {error}", subject=editor, hint="set EDITOR") from error
    if code:
        raise UserError(f"ended with {code}; nothing was committed", subject=editor)
    commit = app.commit_edit(stored.path, before)
    console().print(f"commit {commit[:8]}" if commit else "nothing changed")

"""`seci edit`: a note in your editor, committed when you close it."""

from __future__ import annotations

import os
from pathlib import Path
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
    from seci.cli.output import console

    app = current().open_app(vault)
    stored = app.notes.get(id)
    before = stored.digest
    run_editor(app.vault / stored.path)
    commit = app.commit_edit(stored.path, before)
    console().print(f"commit {commit[:8]}" if commit else "nothing changed")


def run_editor(path: Path) -> None:
    """Waits until the user has closed their editor. Raises UserError where it cannot be started or fails."""
    import shlex
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        code = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except OSError as error:
        raise UserError(f"cannot be started: {error}", subject=editor, hint="set EDITOR") from error
    if code:
        raise UserError(f"ended with {code}; nothing was committed", subject=editor)

"""`seci edit`: a note in your editor, committed when you close it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
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
    run_editor(app.vault / stored.path)
    commit = app.commit_edit(stored, datetime.now(UTC))
    console().print(f"commit {commit[:8]}" if commit else "nothing changed")


def run_editor(path: Path) -> None:
    """Waits until the user has closed their editor. Raises UserError where it cannot be started or fails, or where
    there is neither a terminal nor a program that edits without one."""
    import shlex
    import subprocess
    import sys

    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if not terminal and not named:
        raise UserError(
            "there is no terminal to edit it in, and EDITOR names no program that does without",
            subject=str(path),
            hint="change the file and commit it with git, or set EDITOR to a command that ends by itself",
        )
    editor = named or "vi"
    # Where nobody can type, an editor that asks gets an end of input at once, and does not wait for ever.
    stdin = None if terminal else subprocess.DEVNULL
    try:
        code = subprocess.run([*shlex.split(editor), str(path)], stdin=stdin, check=False).returncode
    except OSError as error:
        raise UserError(f"cannot be started: {error}", subject=editor, hint="set EDITOR") from error
    if code:
        raise UserError(f"ended with {code}; nothing was committed", subject=editor)

"""`seci log`, `seci diff` and `seci undo`: the vault's memory of itself."""

from __future__ import annotations

from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, VaultOption


def log(
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="How many commits.")] = 20,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the commits that seci made, newest first."""
    from seci.cli.output import console, print_json
    from seci.cli.tables import print_table

    entries = current().open_app(vault).history.log(limit)
    if as_json:
        commits = [{"commit": e.commit, "at": e.at.isoformat(), "verb": e.verb, "subject": e.subject} for e in entries]
        print_json({"commits": commits})
    elif entries:
        rows = [(e.commit[:8], f"{e.at:%Y-%m-%d %H:%M}", e.verb, e.subject) for e in entries]
        print_table(("commit", "when", "verb", "what"), rows)
    else:
        console().print("no commits yet")


def diff(
    revision: Annotated[str | None, typer.Argument(help="A commit.", show_default="the last one of seci")] = None,
    vault: VaultOption = None,
) -> None:
    """Show what a commit changed in the vault."""
    from seci.cli.output import print_diff

    history = current().open_app(vault).history
    last = None if revision else next(iter(history.log(1)), None)
    print_diff(history.diff(revision or (last.commit if last else None)))


def undo(
    revision: Annotated[str | None, typer.Argument(help="A commit.", show_default="the last one of seci")] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back a commit of seci. What you edited by hand since then stays."""
    from seci.cli.output import console, print_json

    done = current().open_app(vault).undo(revision)
    kept = [{"path": failure.path, "reason": failure.reason} for failure in done.kept]
    if as_json:
        print_json({"undone": done.undone.commit, "commit": done.commit, "kept": kept})
        return
    for failure in done.kept:
        console(stderr=True).print(f"kept      {failure.path}: {failure.reason}", markup=False)
    what = f"took back {done.undone.commit[:8]}, {done.undone.subject}"
    if done.commit:
        console().print(f"{what}; commit {done.commit[:8]}", markup=False)
        console().print(f"seci undo {done.commit[:8]} brings it back", markup=False)
    else:
        console().print("nothing of it was left", markup=False)

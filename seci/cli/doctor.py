"""`seci doctor`: is everything as it should be, and what does the embedding window see?"""

from __future__ import annotations

from typing import Any

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, VaultOption


def doctor(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """Check the vault, its repository, its index and its model. Exit 1 when something is wrong."""
    from seci.cli.output import console, print_json, progress
    from seci.cli.tables import print_table

    app = current().open_app(vault)
    with progress("checking", quiet=as_json) as advance:
        findings = app.examine(lambda: advance())
    shapes: list[dict[str, Any]] = [
        {"check": finding.check, "ok": finding.ok, "said": finding.said} for finding in findings
    ]
    bad = [finding for finding in findings if not finding.ok]
    if as_json:
        print_json({"ok": not bad, "findings": shapes})
    else:
        print_table(("", "check", "finding"), [("ok" if f.ok else "!!", f.check, f.said) for f in findings])
        console().print("all is well" if not bad else f"{len(bad)} of {len(findings)} checks found something")
    if bad:
        raise typer.Exit(1)

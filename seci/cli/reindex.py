"""`seci reindex`: make the index equal to the vault."""

from __future__ import annotations

from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, VaultOption


def reindex(
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether the index equals the vault; exit 5 if not.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the index equal to the vault. Only what changed is embedded."""
    from seci.cli.output import console, print_failures, print_json, progress
    from seci.errors import IndexingError
    from seci.flows.shapes import reindex_shape

    app = current().open_app(vault)
    if check:
        differences = app.keeper.check()
        if as_json:
            print_json({"equal": not differences, "differences": list(differences)})
        else:
            console().print("\n".join(differences) or "the index equals the vault", markup=False)
        if differences:
            raise typer.Exit(IndexingError.exit_code)
        return
    with progress("indexing", quiet=as_json) as advance:
        report = app.reindex(progress=advance)
    if as_json:
        print_json(reindex_shape(report))
        return
    console().print(
        f"{report.added} added, {report.modified} modified, {report.removed} removed, {report.unchanged} unchanged; "
        f"{report.chunks} chunks embedded" + (" (rebuilt)" if report.rebuilt else "")
    )
    print_failures(report.failures)

"""`seci bench`: the measures, each a command on files that the user names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seci.cli import bench_consolidate, bench_context, bench_fit, bench_retrieval
from seci.cli.invocation import current
from seci.cli.options import JsonOption

bench = typer.Typer(no_args_is_help=True, help="Measure retrieval, distilling and consolidating.")


@bench.command("distill")
def bench_distill(
    gold: Annotated[Path, typer.Argument(help="A folder of labelled sessions.")],
    transcripts: Annotated[Path, typer.Option("--transcripts", help="The folder of the sessions themselves.")],
    distiller: Annotated[
        str, typer.Option("--distiller", help="rules or llm; with a comma both, in one table.")
    ] = "rules",
    as_json: JsonOption = False,
) -> None:
    """Distilling against readers' labels: precision, coverage, notes a session."""
    from seci.app import bench_embedder
    from seci.app.drafting import make_drafter
    from seci.bench.distill import run_distill_bench
    from seci.cli.output import print_json
    from seci.cli.tables import print_table
    from seci.core.session import Session
    from seci.errors import UserError
    from seci.sources.registry import load_registry

    registry = load_registry()

    def read(path: Path) -> list[Session]:
        return [item for item in registry.read([path]) if isinstance(item, Session)]

    environ = current().environ
    names = bench_retrieval.parse_distillers(distiller)
    if not names:
        raise UserError("name rules or llm", subject="--distiller")
    drafters = {name: make_drafter(name, environ) for name in names}
    embedder = bench_embedder(environ)
    reports = {name: run_distill_bench(gold, transcripts, draft, embedder, read) for name, draft in drafters.items()}
    report = reports[names[0]]
    if as_json:
        beside = {name: told.as_json() for name, told in reports.items()}
        print_json({**report.as_json(), "distillers": beside} if len(names) > 1 else report.as_json())
        return
    if len(names) == 1:
        rows = [
            (row.session[:48], f"{row.precise}/{row.judged}", f"{row.matched}/{row.wanted}", str(row.notes))
            for row in report.rows
        ]
        print_table(("session", "precise", "covered", "notes"), rows)
    figures = [
        (name, f"{told.precision:.3f}", f"{told.coverage:.3f}", f"{told.notes_per_session:.1f}")
        for name, told in reports.items()
    ]
    print_table(("distiller", "precision", "coverage", "notes a session"), figures, title=f"{report.sessions} sessions")


for _name, _command in (
    ("locomo", bench_retrieval.locomo),
    ("longmemeval", bench_retrieval.longmemeval),
    ("beam", bench_retrieval.beam),
    ("sessions", bench_retrieval.sessions),
    ("context", bench_context.context),
    ("latency", bench_context.latency),
    ("assembly", bench_context.assembly),
    ("processes", bench_context.processes),
    ("fit", bench_fit.fit),
    ("consolidate", bench_consolidate.consolidate),
    ("updates", bench_consolidate.updates),
):
    bench.command(_name)(_command)

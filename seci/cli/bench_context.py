"""`seci bench context|latency|assembly|processes`: what reaches a context, and what asking costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, parse_numbers
from seci.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from seci.bench.latency import Growth
    from seci.core.scoring import SignalWeights


def context(
    gold: Annotated[Path, typer.Argument(help="A folder of labelled sessions with questions.")],
    transcripts: Annotated[Path, typer.Option("--transcripts", help="The folder of the sessions themselves.")],
    weights: Annotated[
        list[str] | None,
        typer.Option("--weights", help="A mix of signals, e.g. relevance=0.6,recency=0.1; again for another one."),
    ] = None,
    distiller: Annotated[str, typer.Option("--distiller", help="rules, llm, or none: quotations only.")] = "rules",
    cache: Annotated[Path | None, typer.Option("--cache", help="Keep embeddings in this folder.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write context.json into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Whether a passage that answers reaches the context within 600, 1,000 and 4,000 tokens."""
    from seci.app import bench_embedder
    from seci.bench.context import context_shape, run_context, run_prompts
    from seci.bench.datasets import read_sessions
    from seci.bench.hybrid import TemporaryVault
    from seci.bench.memo import MemoEmbedder
    from seci.cli.output import progress
    from seci.sources.registry import load_registry

    if distiller not in ("rules", "llm", "none"):
        raise UserError(f"{distiller!r} is not rules, llm or none", subject="--distiller")
    mixes = parse_mixes(weights or [])
    (corpus,) = read_sessions(gold, transcripts, load_registry())
    vault = TemporaryVault(current().environ, MemoEmbedder(bench_embedder(current().environ), cache))
    try:
        with progress("context: questions", quiet=as_json) as advance:
            app = vault.fill(corpus.sessions, distiller)
            runs = run_context(app, corpus, mixes, progress=advance)
            prompts = run_prompts(app, corpus)
    finally:
        vault.close()
    tell(context_shape(runs, prompts), "context", out, as_json, _show_context)


def latency(
    sizes: Annotated[
        str | None, typer.Option("--sizes", help="Chunks, with commas.", show_default="1000..200000")
    ] = None,
    questions: Annotated[int, typer.Option("--questions", min=5, help="How many to ask at each size.")] = 100,
    out: Annotated[Path | None, typer.Option("--out", help="Write latency.json and the plot into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """What a warm question costs as the index grows, against embedding the question alone."""
    from seci.bench.latency import SIZES, latency_shape, run_latency

    shape = _grow(run_latency, latency_shape, parse_sizes(sizes, SIZES, "--sizes"), questions, as_json)
    tell(shape, "latency", out, as_json, _show_growth)
    if out is not None:
        from seci.bench.plots import draw_growth

        draw_growth(shape, out)


def assembly(
    notes: Annotated[
        str | None, typer.Option("--notes", help="Notes, with commas.", show_default="1000,10000,100000")
    ] = None,
    questions: Annotated[int, typer.Option("--questions", min=5, help="How many to ask at each size.")] = 100,
    out: Annotated[Path | None, typer.Option("--out", help="Write assembly.json into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """What a context costs in a warm process as the vault grows, against embedding the question alone."""
    from seci.bench.latency import NOTES, assembly_shape, run_assembly

    shape = _grow(run_assembly, assembly_shape, parse_sizes(notes, NOTES, "--notes"), questions, as_json)
    tell(shape, "assembly", out, as_json, _show_growth)


def processes(
    notes: Annotated[int, typer.Option("--notes", min=1, help="Generated notes in the vault.")] = 200,
    rounds: Annotated[int, typer.Option("--rounds", min=3, help="How often each command runs.")] = 40,
    out: Annotated[Path | None, typer.Option("--out", help="Write processes.json into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """What whole commands cost, against an interpreter that does nothing, and the resident process at rest."""
    from seci.app import bench_embedder
    from seci.bench.processes import processes_shape, run_processes
    from seci.cli.output import progress

    environ = current().environ
    with progress("rounds", quiet=as_json) as advance:
        ran, idle = run_processes(environ, bench_embedder(environ), notes, rounds, advance)
    tell(processes_shape(ran, idle, notes, rounds), "processes", out, as_json, _show_processes)


def _grow(
    run: Callable[..., list[Growth]],
    shape: Callable[[list[Growth], int, str], dict[str, Any]],
    sizes: tuple[int, ...],
    questions: int,
    as_json: bool,
) -> dict[str, Any]:
    from seci.app import bench_embedder
    from seci.cli.output import progress

    environ = current().environ
    embedder = bench_embedder(environ)
    with progress("chunks", quiet=as_json) as advance:
        growth = run(environ, embedder, sizes, questions, advance)
    return shape(growth, questions, embedder.name)


def parse_sizes(text: str | None, usual: tuple[int, ...], option: str) -> tuple[int, ...]:
    """Numbers with commas between them. Raises UserError for anything else."""
    try:
        wanted = tuple(int(part) for part in text.split(",")) if text else usual
    except ValueError as error:
        raise UserError(f"{text!r} is not numbers with commas", subject=option) from error
    if min(wanted) < 1:
        raise UserError("an index without chunks answers nothing", subject=option)
    return wanted


def parse_mixes(texts: list[str]) -> list[SignalWeights]:
    """The mixes of the call, the house's own where there is none. Raises UserError."""
    from seci.core.scoring import SignalWeights

    try:
        mixes = [SignalWeights().override(**parse_numbers(text.split(","), "--weights")) for text in texts]
    except ValueError as error:
        raise UserError(str(error), subject="--weights") from error
    return mixes or [SignalWeights()]


def tell(
    shape: Mapping[str, Any], name: str, out: Path | None, as_json: bool, show: Callable[[Mapping[str, Any]], None]
) -> None:
    """Writes `<name>.json` where a folder is named, and prints the shape, or shows its tables."""
    import json

    from seci.cli.output import print_json

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.json").write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(shape)
    else:
        show(shape)


def _show_context(shape: Mapping[str, Any]) -> None:
    from seci.cli.output import console
    from seci.cli.tables import print_table

    mixes = shape.get("mixes") or [shape]
    budgets = list(shape["context_recall"])
    rows = [
        [
            *(f"{100 * mix['context_recall'][budget]:.1f}" for budget in budgets),
            ", ".join(f"{signal} {value:g}" for signal, value in mix["weights"].items()),
        ]
        for mix in mixes
    ]
    heads = (*(f"{budget} tokens" for budget in budgets), "weights")
    print_table(heads, rows, title=f"{shape['questions']} questions")
    for budget, share in shape["prompt_recall"].items():
        console().print(f"As a prompt to a hook, within {budget} tokens: {100 * share:.1f} %")


def _show_growth(shape: Mapping[str, Any]) -> None:
    from seci.cli.tables import print_table

    unit = next(iter(shape["growth"][0]))
    heads = (unit, "embed ms", "ms p50", "p95", "times p50", "p95", "cpu", "load s", "MB")
    print_table(heads, [[f"{value:,}" for value in point.values()] for point in shape["growth"]])


def _show_processes(shape: Mapping[str, Any]) -> None:
    from seci.cli.tables import print_table

    rows = [[str(value) for value in ran.values()] for ran in shape["commands"]]
    print_table(("command", "ms p50", "p95", "times p50", "p95", "cpu"), rows)
    print_table(("resident MB", "at most", "processor at rest"), [[str(v) for v in shape["resident"].values()]])

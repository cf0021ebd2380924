"""`seci bench consolidate|updates`: how notes are judged, what a plan costs, and what consolidating does to answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from seci.cli.bench_context import parse_sizes
from seci.cli.invocation import current
from seci.cli.options import JsonOption
from seci.errors import UserError


def consolidate(
    pairs: Annotated[Path | None, typer.Argument(help="JSON lines of labelled pairs of notes.")] = None,
    growth: Annotated[bool, typer.Option("--growth", help="Measure what a plan costs as the vault grows.")] = False,
    fit: Annotated[
        bool, typer.Option("--fit", help="Fit the odds of merging and superseding on these pairs, as JSON.")
    ] = False,
    train: Annotated[
        Path | None, typer.Option("--train", help="Train the cross-encoder on these pairs, into this folder.")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Of training.")] = 5,
    weights: Annotated[
        Path | None,
        typer.Option(
            "--weights", help="A trained cross-encoder; training goes on from it.", show_default="the package's own"
        ),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Judge by rules and odds alone.")] = False,
    notes: Annotated[
        str | None, typer.Option("--notes", help="Notes, with commas.", show_default="1000..50000")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the figures and the plot into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Merging and superseding against labelled pairs, each pair alone; or what a plan costs."""
    from seci.cli.output import console, print_json
    from seci.cli.tables import print_table

    if growth:
        from seci.bench.growth import SIZES, growth_shape, run_growth
        from seci.bench.plots import draw_plans
        from seci.cli.output import progress

        with progress("consolidate: notes", quiet=as_json) as advance:
            shape = growth_shape(run_growth(parse_sizes(notes, SIZES, "--notes"), advance))
        _write(shape, "consolidate", out)
        if out is not None:
            draw_plans(shape, out)
        if as_json:
            print_json(shape)
        else:
            heads = ("notes", "pairs s", "plan s", "MB", "pairs", "merged", "superseded")
            print_table(heads, [[f"{value:,}" for value in point.values()] for point in shape["growth"]])
        return
    if pairs is None:
        raise UserError("name a file of labelled pairs, or give --growth")
    from seci.app import bench_embedder, make_reader
    from seci.bench.consolidate import read_pairs, score_pairs

    if fit:
        from seci.bench.pairfit import fit_pairs

        print_json(fit_pairs(read_pairs(pairs), bench_embedder(current().environ)).to_json())
        return
    if train is not None:
        from seci.bench.pairtraining import train_reader

        train_reader(read_pairs(pairs), train, epochs, lambda text: console().print(text), weights)
        return
    reader = None if rules else make_reader(current().environ, weights)
    scores = score_pairs(read_pairs(pairs), bench_embedder(current().environ), reader)
    if as_json:
        print_json(scores.to_json())
        return
    relations = sorted(set(scores.confusion) | {got for row in scores.confusion.values() for got in row})
    rows = [
        (
            expected,
            *(str(scores.confusion.get(expected, {}).get(got, 0)) for got in relations),
            f"{scores.precision.get(expected, 1.0):.3f}",
            f"{scores.recall.get(expected, 1.0):.3f}",
        )
        for expected in relations
    ]
    print_table(("expected", *relations, "precision", "recall"), rows, title=f"{scores.pairs} pairs")
    if scores.wrong:
        print_table(("pair", "got", "by"), scores.wrong)


def updates(
    dataset: Annotated[str, typer.Argument(help="beam or longmemeval.")],
    files: Annotated[list[Path], typer.Argument(help="The files of the data set.")],
    distiller: Annotated[str, typer.Option("--distiller", help="rules or llm.")] = "rules",
    cache: Annotated[Path | None, typer.Option("--cache", help="Keep embeddings in this folder.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write updates-DATASET.json into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Whether the current fact stands above the outdated one, before and after consolidating, and what that costs."""
    from seci.app import bench_embedder
    from seci.bench.datasets import UNITS, read_beam, read_longmemeval
    from seci.bench.hybrid import TemporaryVault
    from seci.bench.memo import MemoEmbedder
    from seci.bench.updates import run_updates, updates_shape
    from seci.cli.output import print_json, progress
    from seci.cli.tables import print_table

    readers = {"beam": read_beam, "longmemeval": read_longmemeval}
    if dataset not in readers:
        raise UserError(f"{dataset!r} is not beam or longmemeval", subject="DATASET")
    if distiller not in ("rules", "llm"):
        raise UserError(f"{distiller!r} is not rules or llm", subject="--distiller")
    vault = TemporaryVault(current().environ, MemoEmbedder(bench_embedder(current().environ), cache))
    try:
        with progress("updates: haystacks", quiet=as_json) as advance:
            run = run_updates(vault, readers[dataset](files), UNITS[dataset], distiller, advance)
    finally:
        vault.close()
    shape = updates_shape(run, dataset)
    _write(shape, f"updates-{dataset}", out)
    if as_json:
        print_json(shape)
        return
    rows = [(when, *_row(shape[when])) for when in ("before", "after")]
    heads = ("consolidating", "recall@10", "in context", "both found", "newer first", "both in context", "newer first")
    print_table(heads, rows, title=f"{shape['questions']} questions, {shape['about_changes']} about changes")


def _row(figures: Mapping[str, Any]) -> tuple[str, ...]:
    def share(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.1f}"

    orders = (figures["hits"], figures["context"])
    recalls = (figures["recall_any@10"], figures["context_recall"])
    return (
        *map(share, recalls),
        *(text for order in orders for text in (str(order["both_found"]), share(order["newer_first"]))),
    )


def _write(shape: Mapping[str, Any], name: str, out: Path | None) -> None:
    """Writes `<name>.json` where a folder is named."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.json").write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")

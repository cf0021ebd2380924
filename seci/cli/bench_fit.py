"""`seci bench fit`: the weights of the ranking, and how far weights found on one data set carry to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seci.cli.bench_context import tell
from seci.cli.invocation import current
from seci.cli.options import JsonOption
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.bench.datasets import Corpus
    from seci.bench.fit import Pool


def fit(
    locomo: Annotated[list[Path] | None, typer.Option("--locomo", help="A LoCoMo file; again for more.")] = None,
    beam: Annotated[list[Path] | None, typer.Option("--beam", help="A BEAM file; again for more.")] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="A folder of labelled coding sessions.")] = None,
    transcripts: Annotated[Path | None, typer.Option("--transcripts", help="The folder of those sessions.")] = None,
    cache: Annotated[Path | None, typer.Option("--cache", help="Keep embeddings in this folder.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write fit.json into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the ranking's weights on every choice of the data sets named, and show what each set makes of each fit."""
    from seci.bench.fit import transfer_shape
    from seci.cli.output import progress

    with progress("reading evidence", quiet=as_json) as advance:
        sets = {}
        for name, corpora in read_sets(locomo or [], beam or [], gold, transcripts):
            sets[name] = _pool(name, corpora, cache)
            advance(1, None)
    with progress("fitting", quiet=as_json) as advance:
        shape = transfer_shape(sets, advance)
    tell(shape, "fit", out, as_json, _show)


def _show(shape: Mapping[str, Any]) -> None:
    from seci.cli.tables import print_table

    for name, questions in shape["questions"].items():
        rows = [
            [fit["fitted_on"], *(f"{100 * value:.1f}" for value in fit["metrics"][name].values())]
            for fit in shape["fits"]
        ]
        print_table(("fitted on", *shape["fits"][0]["metrics"][name]), rows, title=f"{name}, {questions} questions")


def read_sets(
    locomo: list[Path], beam: list[Path], gold: Path | None, transcripts: Path | None
) -> Iterator[tuple[str, Iterable[Corpus]]]:
    """The data sets that were named. Raises UserError where none was, or half of one."""
    from seci.bench.datasets import read_beam, read_locomo, read_sessions
    from seci.sources.registry import load_registry

    if (gold is None) != (transcripts is None):
        raise UserError("--gold and --transcripts belong together")
    if not (locomo or beam or gold):
        raise UserError("name a data set: --locomo, --beam, or --gold with --transcripts")
    if locomo:
        yield "locomo", read_locomo(locomo)
    if beam:
        yield "beam", read_beam(beam)
    if gold and transcripts:
        yield "sessions", read_sessions(gold, transcripts, load_registry())


def _pool(name: str, corpora: Iterable[Corpus], cache: Path | None) -> list[Pool]:
    from seci.app import bench_embedder
    from seci.bench.datasets import UNITS
    from seci.bench.fit import read_pools
    from seci.bench.hybrid import ARCHIVE_ONLY, TemporaryVault
    from seci.bench.memo import MemoEmbedder

    vault = TemporaryVault(current().environ, MemoEmbedder(bench_embedder(current().environ), cache))
    pools: list[Pool] = []
    try:
        for corpus in corpora:  # coding sessions are judged by the turn that is found and by the session as well
            app = vault.fill(corpus.sessions, ARCHIVE_ONLY)
            pools += read_pools(app, corpus, UNITS[name], by_session=name == "sessions")
    finally:
        vault.close()
    if not pools:
        raise UserError("there is no question that its haystack answers", subject=name)
    return pools

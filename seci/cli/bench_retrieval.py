"""`seci bench locomo|longmemeval|beam|sessions`: rankings against the questions that people asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption
from seci.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seci.bench.datasets import Corpus
    from seci.bench.memo import MemoEmbedder
    from seci.bench.methods import Method
    from seci.bench.retrieval import Protocol

DEFAULT_DEPTH = 50
DEFAULT_KS = "5,10,20"

FilesArgument = Annotated[list[Path], typer.Argument(help="Files of the dataset, as its authors publish them.")]
MethodsOption = Annotated[str | None, typer.Option("--methods", help="Names, with commas.", show_default="all")]
KsOption = Annotated[str, typer.Option("-k", "--ks", help="Where to take recall and NDCG.")]
DepthOption = Annotated[int, typer.Option("--depth", min=1, help="Units that a method may return; the seed's is 10.")]
AblationOption = Annotated[bool, typer.Option("--ablation", help="Also hybrid without each kind of evidence.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Write JSON, CSV and plots into this folder.")]
DistillerOption = Annotated[
    str,
    typer.Option(
        "--distiller", help="none; rules or llm: hybrid searches its notes as well; with a comma both, side by side."
    ),
]
ModelOption = Annotated[str | None, typer.Option("--model", help="A sentence-transformers model, by name or folder.")]
CacheOption = Annotated[Path | None, typer.Option("--cache", help="Keep embeddings in this folder for the next run.")]


def locomo(
    files: FilesArgument,
    methods: MethodsOption = None,
    ks: KsOption = DEFAULT_KS,
    depth: DepthOption = DEFAULT_DEPTH,
    pooled: Annotated[bool, typer.Option("--pooled", help="All conversations as one haystack.")] = False,
    ablation: AblationOption = False,
    distiller: DistillerOption = "none",
    model: ModelOption = None,
    cache: CacheOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """LoCoMo: which session of a long chat between two people answers a question."""
    from seci.bench.datasets import UNITS, read_locomo
    from seci.bench.retrieval import Protocol

    protocol = Protocol("locomo", UNITS["locomo"], parse_ks(ks, depth), depth, pooled=pooled, files=_names(files))
    with choose_methods(methods, ablation, distiller, model, cache) as chosen:
        run_and_tell(lambda: read_locomo(files, pooled=pooled), protocol, chosen, out, as_json)


def longmemeval(
    files: FilesArgument,
    methods: MethodsOption = None,
    ks: KsOption = DEFAULT_KS,
    depth: DepthOption = DEFAULT_DEPTH,
    abstention: Annotated[bool, typer.Option("--abstention", help="Count unanswerable questions too.")] = False,
    ablation: AblationOption = False,
    distiller: DistillerOption = "none",
    model: ModelOption = None,
    cache: CacheOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """LongMemEval (S, M or oracle): which sessions with an assistant answer a question."""
    from seci.bench.datasets import UNITS, read_longmemeval
    from seci.bench.retrieval import Protocol

    unit = UNITS["longmemeval"]
    protocol = Protocol("longmemeval", unit, parse_ks(ks, depth), depth, abstention=abstention, files=_names(files))
    with choose_methods(methods, ablation, distiller, model, cache) as chosen:
        run_and_tell(lambda: read_longmemeval(files, abstention=abstention), protocol, chosen, out, as_json)


def beam(
    files: FilesArgument,
    methods: MethodsOption = None,
    ks: KsOption = DEFAULT_KS,
    depth: DepthOption = DEFAULT_DEPTH,
    ablation: AblationOption = False,
    distiller: DistillerOption = "none",
    model: ModelOption = None,
    cache: CacheOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """BEAM, as JSON lines: which messages of a long conversation with an assistant answer a question."""
    from seci.bench.datasets import UNITS, read_beam
    from seci.bench.retrieval import Protocol

    protocol = Protocol("beam", UNITS["beam"], parse_ks(ks, depth), depth, files=_names(files))
    with choose_methods(methods, ablation, distiller, model, cache) as chosen:
        run_and_tell(lambda: read_beam(files), protocol, chosen, out, as_json)


def sessions(
    gold: Annotated[Path, typer.Argument(help="A folder of labelled sessions with questions.")],
    transcripts: Annotated[Path, typer.Option("--transcripts", help="The folder of the sessions themselves.")],
    methods: MethodsOption = None,
    ks: KsOption = DEFAULT_KS,
    depth: DepthOption = DEFAULT_DEPTH,
    ablation: AblationOption = False,
    distiller: DistillerOption = "none",
    model: ModelOption = None,
    cache: CacheOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Real coding sessions as one haystack: which turn, and which session, answers a question."""
    from seci.bench.datasets import UNITS, read_sessions
    from seci.bench.retrieval import Protocol
    from seci.sources.registry import load_registry

    protocol = Protocol("sessions", UNITS["sessions"], parse_ks(ks, depth), depth, files=(gold.name,))
    with choose_methods(methods, ablation, distiller, model, cache) as chosen:
        run_and_tell(lambda: read_sessions(gold, transcripts, load_registry()), protocol, chosen, out, as_json)


def parse_ks(text: str, depth: int) -> tuple[int, ...]:
    """The numbers, in order. Those of the default that lie beyond the depth are left out; any other raises
    UserError."""
    try:
        ks = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError as error:
        raise UserError(f"{text!r} is not numbers with commas", subject="-k") from error
    if text == DEFAULT_KS:
        ks = tuple(k for k in ks if k <= depth) or (depth,)
    if ks[0] < 1 or ks[-1] > depth:
        raise UserError(f"{text} does not lie between 1 and the depth of {depth}", subject="-k")
    return ks


@contextmanager
def choose_methods(
    names: str | None, ablation: bool, distiller: str, model: str | None, cache: Path | None
) -> Iterator[tuple[Mapping[str, Method], MemoEmbedder]]:
    """The methods by name, with the embedder that all of them use. Raises UserError for an unknown name."""
    from seci.app import make_embedder
    from seci.app.drafting import make_drafter
    from seci.bench.extract import PREFIX, Extract
    from seci.bench.hybrid import ARCHIVE_ONLY, Hybrid, HybridWithout, TemporaryVault
    from seci.bench.memo import MemoEmbedder
    from seci.bench.methods import BASELINES, HYBRID, METHODS, ablation_name
    from seci.config import load_config
    from seci.core.relevance import FEATURES

    distillers = parse_distillers(distiller)
    extracts = [f"{PREFIX}{name}" for name in distillers]
    known = (*METHODS, *extracts)
    wanted = known if names is None else tuple(name.strip() for name in names.split(",") if name.strip())
    if unknown := [name for name in wanted if name not in known]:
        raise UserError(f"{unknown[0]!r} is not one of {', '.join(known)}", subject="--methods")
    environ = current().environ
    config = load_config(None, environ)
    embedder = MemoEmbedder(make_embedder(replace(config, embedding_model=model) if model else config, environ), cache)
    with ExitStack() as held:
        vault = TemporaryVault(environ, embedder)
        held.callback(vault.close)
        one = distillers[0] if len(distillers) == 1 else ARCHIVE_ONLY
        methods: dict[str, Method] = {}
        for name in wanted:
            if name == HYBRID:
                methods[name] = Hybrid(vault, one)
            elif name in BASELINES:
                methods[name] = BASELINES[name](embedder)
            else:
                methods[name] = Extract(embedder, make_drafter(name.removeprefix(PREFIX), environ))
        for name in distillers if HYBRID in wanted and len(distillers) > 1 else ():
            own = TemporaryVault(environ, embedder)
            held.callback(own.close)
            methods[f"{HYBRID} +{name}"] = Hybrid(own, name)
        if ablation:
            methods.setdefault(HYBRID, Hybrid(vault, one))
            methods |= {ablation_name(feature): HybridWithout(vault, feature) for feature in FEATURES}
        yield methods, embedder


def parse_distillers(text: str) -> tuple[str, ...]:
    """The distillers named, each once; () for none. Raises UserError."""
    named = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if named == ("none",):
        return ()
    if wrong := [name for name in named if name not in ("rules", "llm")]:
        raise UserError(f"{wrong[0]!r} is not none, rules or llm", subject="--distiller")
    return named


def run_and_tell(
    read: Callable[[], Iterable[Corpus]],
    protocol: Protocol,
    chosen: tuple[Mapping[str, Method], MemoEmbedder],
    out: Path | None,
    as_json: bool,
) -> None:
    from seci.bench.report import bench_shape, run_name, write_report
    from seci.bench.retrieval import run_bench
    from seci.cli.output import print_json, progress

    methods, embedder = chosen
    with progress(f"{protocol.dataset}: questions", quiet=as_json) as advance:
        run = run_bench(read(), protocol, methods, embedder, advance)
    if not run.methods or not run.methods[0].answers:
        raise UserError("no question has evidence in its haystack", subject=", ".join(protocol.files) or "GOLD")
    shape = bench_shape(run)
    written = []
    if out is not None:
        from seci.bench.plots import draw_all

        written = [*write_report(run, out), *draw_all(shape, out, run_name(run))]
    if as_json:
        print_json(shape)
    else:
        print_run(shape, written)


def print_run(shape: Mapping[str, Any], written: Sequence[Path]) -> None:
    from seci.cli.output import console
    from seci.cli.tables import print_table

    protocol, window = shape["protocol"], shape["window"]
    columns = print_columns(shape)
    rows = []
    for name, figures in shape["methods"].items():
        cells = [f"{100 * figures[metric]:.1f}" for metric in columns.values()]
        rows.append((name, *cells, f"{figures['query_ms']['p50']:.1f}"))
    title = (
        f"{shape['dataset']}: {shape['questions']} questions, {protocol['haystacks']} haystacks, "
        f"{protocol['sessions']} sessions, unit {shape['unit']}, depth {protocol['depth']}"
    )
    print_table(("method", *columns, "ms"), rows, title=title)
    console().print(
        f"A window of {window['tokens']} tokens hides {100 * window['hidden_whole']:.1f} % of sessions embedded whole, "
        f"{100 * window['hidden_chunks']:.1f} % of what seci embeds."
    )
    costs = [
        f"{name} {figures['index_cpu_s']:.1f}" for name, figures in shape["methods"].items() if figures["index_cpu_s"]
    ]
    console().print(f"CPU seconds to index: {', '.join(costs) or 'none'}.")
    for path in written:
        console().print(f"wrote {path}")


def print_columns(shape: Mapping[str, Any]) -> dict[str, str]:
    """Heads and metrics that fit a terminal; the files have all of them."""
    ks = shape["protocol"]["k"][:2]
    heads = {f"{head}@{k}": f"{metric}@{k}" for k in ks for head, metric in (("R", "recall"), ("any", "recall_any"))}
    heads[f"N@{ks[-1]}"] = f"ndcg@{ks[-1]}"
    if shape["dataset"] == "sessions":
        return {**heads, "s@1": "session@1", "s@3": "session@3"}
    return {**heads, "MRR": "mrr"}


def _names(files: Sequence[Path]) -> tuple[str, ...]:
    return tuple(path.name for path in files)

"""`seci router`: train, evaluate and explain the memory router, and label turns for one of your own."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.core.session import Failure, Session
    from seci.router.corpus import Stream
    from seci.router.evaluate import Evaluation
    from seci.router.workbench import Workbench

router = typer.Typer(
    name="router",
    help="Explain, measure or train what decides about turns.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Data = Annotated[
    list[Path], typer.Argument(help="LoCoMo's JSON file, or sessions (with --labels).", show_default=False)
]
LabelsOption = Annotated[
    Path | None, typer.Option("--labels", help="Labels of the sessions.", show_default="the package's own")
]
WeightsOption = Annotated[
    Path | None, typer.Option("--weights", help="The folder of a trained router.", show_default="the package's own")
]
WrittenOption = Annotated[bool, typer.Option("--written", help="Train on the package's own conversations as well.")]
SeedsOption = Annotated[int, typer.Option("--seeds", min=1, help="Runs with other seeds, for the intervals.")]
SettingOption = Annotated[
    list[str] | None, typer.Option("--set", help="A setting, e.g. transformer=false or backbone=Qwen/Qwen2.5-0.5B.")
]

EndpointOption = Annotated[
    str, typer.Option("--base-url", help="An OpenAI-compatible endpoint, e.g. http://localhost:11434/v1.")
]
KeyOption = Annotated[str, typer.Option("--key-env", help="The variable that holds the key.")]


@router.command()
def explain(
    session: Annotated[Path, typer.Argument(help="A session's file.", show_default=False)],
    weights: WeightsOption = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", min=0.0, max=1.0, help="Admit from this probability on.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the router decides for each turn of a session, and how sure it is."""
    from seci.cli.output import console, print_json
    from seci.cli.tables import print_table

    bench = _workbench()
    sessions = _read([session], as_json)
    if len(sessions) != 1:
        raise UserError(f"holds {len(sessions)} sessions, explain takes one", subject=str(session))
    chosen = sessions[0]
    opened = bench.open(weights, threshold)
    decisions = opened.decide(chosen)
    rows = [
        {
            "index": turn.index,
            "role": turn.role.value,
            "decision": "ADD" if decision.add else "NOOP",
            "probability": decision.probability,
            "type": decision.type.value,
        }
        for turn, decision in zip(chosen.turns, decisions, strict=True)
    ]
    if as_json:
        print_json({"session": chosen.key, "turns": rows})
        return
    print_table(
        ("turn", "role", "p(ADD)", "decision", "type", "text"),
        [
            (
                str(row["index"]),
                str(row["role"]),
                f"{row['probability']:.2f}",
                "unsure" if opened.is_unsure(turn, decision) else str(row["decision"]),
                str(row["type"]),
                shorten(turn.text, 100, placeholder=" …"),
            )
            for row, decision, turn in zip(rows, decisions, chosen.turns, strict=True)
        ],
    )
    console().print(f"{sum(d.add for d in decisions)} of {len(decisions)} turns admitted")


@router.command()
def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", help="Folder for the trained router.")],
    labels: LabelsOption = None,
    written: WrittenOption = False,
    settings: SettingOption = None,
    recall: Annotated[
        float | None,
        typer.Option(
            "--recall", min=0.0, max=1.0, help="Share of ADD turns that the threshold admits.", show_default="0.915"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train a router; a run that was stopped goes on where it was."""
    from seci.cli.output import console, print_json, progress
    from seci.router.settings import RECALL
    from seci.router.weights import read_card

    bench = _workbench()
    wanted = RECALL if recall is None else recall
    chosen = _settings(settings)
    streams = _streams(bench, data, labels, as_json, chosen.evidence_share)
    with progress("training", quiet=as_json, total=None) as advance:
        report = bench.train(streams, chosen, current().cwd / out, written=written, recall=wanted, progress=advance)
    card = read_card(current().cwd / out)
    if as_json:
        print_json({"out": str(out), "threshold": card.threshold, "figures": dict(card.figures), **report.to_json()})
        return
    console().print(
        f"{report.train_turns + report.validation_turns} turns, best after {report.best + 1} of {len(report.epochs)} "
        f"epochs, validation AUC {report.epochs[report.best].auc:.3f}, threshold {card.threshold:.2f}\n{out}"
    )


@router.command("eval")
def evaluate(
    data: Data,
    labels: LabelsOption = None,
    weights: WeightsOption = None,
    cross: Annotated[
        bool, typer.Option("--cross-validate", help="Train on the other conversations of DATA in place of --weights.")
    ] = False,
    folds: Annotated[int, typer.Option("--folds", min=3, help="Parts of DATA; LoCoMo has one per conversation.")] = 6,
    seeds: SeedsOption = 5,
    ablation: Annotated[
        int, typer.Option("--ablation", min=0, help="Seeds of routers without history, transformer, MLP, features.")
    ] = 0,
    runs: Annotated[
        Path | None, typer.Option("--runs", help="Folder that keeps finished runs, to go on with after a stop.")
    ] = None,
    written: WrittenOption = False,
    settings: SettingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a router on labelled turns, beside what it must beat."""
    from seci.cli.output import print_json, progress

    bench = _workbench()
    chosen = _settings(settings)
    streams = _streams(bench, data, labels, as_json, chosen.evidence_share)
    with progress("evaluating", quiet=as_json) as advance:
        if cross or ablation:
            result = bench.cross_validate(
                streams,
                chosen,
                folds=folds,
                seeds=seeds,
                ablation_seeds=ablation,
                written=written,
                kept=current().cwd / runs if runs else None,
                progress=advance,
            )
        else:
            result = bench.evaluate(streams, weights, seeds=seeds)
    if as_json:
        print_json(result.to_json())
    else:
        _print_evaluation(result)


@router.command()
def label(
    data: Annotated[list[Path], typer.Argument(help="Sessions.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="File for the labels.")],
    base_url: EndpointOption,
    model: Annotated[str, typer.Option("--model", help="The teacher's name there.")],
    key_env: KeyOption = "OPENAI_API_KEY",
    as_json: JsonOption = False,
) -> None:
    """Ask a language model which turns are worth keeping, as labels for a router of your own."""
    from seci.cli.output import console, print_failures, print_json, progress
    from seci.router.labels import render_labels
    from seci.router.teacher import Endpoint, label_sessions

    call = current()
    endpoint = Endpoint(base_url, model, call.environ.get(key_env, ""))
    sessions = _read(data, as_json)
    with progress("labelling", quiet=as_json, total=len(sessions)) as advance:
        found, failures = label_sessions(sessions, endpoint.complete, progress=advance)
    (call.cwd / out).write_text(render_labels(found), encoding="utf-8")
    turns = sum(item.turns - len(item.unlabelled) for item in found)
    added = sum(len(item.add) for item in found)
    if as_json:
        listed = [{"path": failure.path, "reason": failure.reason} for failure in failures]
        print_json({"sessions": len(found), "turns": turns, "add": added, "failures": listed, "out": str(out)})
        return
    print_failures(failures)
    console().print(f"{turns} turns of {len(found)} sessions labelled, {added} of them ADD\n{out}")


@router.command()
def answer(
    data: Annotated[list[Path], typer.Argument(help="Files in LoCoMo's layout.", show_default=False)],
    base_url: EndpointOption,
    model: Annotated[str, typer.Option("--model", help="The answering model's name there.")],
    key_env: KeyOption = "OPENAI_API_KEY",
    weights: WeightsOption = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=0.0, max=1.0, help="Store this share of the turns; 1 stores everything."),
    ] = None,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="A prompt for each category of question.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Let a language model answer questions from what a router stores, and score its answers."""
    from seci.cli.output import console, print_failures, print_json, progress
    from seci.router.questions import read_questions
    from seci.router.settings import RouterSettings
    from seci.router.teacher import Endpoint

    call = current()
    bench = _workbench()
    endpoint = Endpoint(base_url, model, call.environ.get(key_env, ""))
    streams = _streams(bench, data, None, as_json, RouterSettings().evidence_share)
    questions = {name: known for path in data for name, known in read_questions(call.cwd / path).items()}
    with progress("answering", quiet=as_json, total=None) as advance:
        report = bench.answer(
            streams, questions, endpoint.complete, weights=weights, budget=budget, hints=hints, progress=advance
        )
    if as_json:
        print_json(report.to_json())
        return
    print_failures(report.failures)
    console().print(
        f"{report.questions} questions over {report.stored:.0%} of the turns: F1 {report.f1:.3f}, "
        f"{report.questions_per_second:.2f} questions a second"
    )
    for kind, score in report.by_category.items():
        console().print(f"  {kind.replace('_', ' ')}: {score:.3f}")


def _workbench() -> Workbench:
    from seci.app import router_workbench

    return router_workbench(current().environ)


def _read(paths: list[Path], quiet: bool) -> list[Session]:
    """The sessions of files and folders. Raises SourceError when there is none."""
    from seci.app import read_sessions
    from seci.cli.output import print_failures
    from seci.core.session import Failure
    from seci.errors import SourceError

    sessions: list[Session] = []
    failures: list[Failure] = []
    for item in read_sessions([current().cwd / path for path in paths]):
        if isinstance(item, Failure):
            failures.append(item)
        else:
            sessions.append(item)
    if not quiet:
        print_failures(failures if sessions else failures[1:])  # the first is then the error itself
    if not sessions:
        reason = failures[0].reason if failures else "holds no session"
        raise SourceError(reason, subject=failures[0].path if failures else str(paths[0]))
    return sessions


def _streams(
    bench: Workbench, data: list[Path], labels: Path | None, quiet: bool, evidence_share: float
) -> list[Stream]:
    from seci.cli.output import progress

    sessions = _read(data, quiet)
    files = [current().cwd / path for path in data]
    with progress("embedding", quiet=quiet, total=None) as advance:
        return bench.streams(
            sessions,
            files,
            current().cwd / labels if labels else None,
            evidence_share=evidence_share,
            progress=advance,
        )


def _settings(pairs: list[str] | None) -> Any:
    """Raises UserError for a setting that does not exist or has the wrong kind of value."""
    from seci.router.settings import RouterSettings

    changes: dict[str, Any] = {}
    for pair in pairs or []:
        name, separator, value = pair.partition("=")
        if not separator or name not in RouterSettings.__dataclass_fields__:
            raise UserError(f"{pair!r} is not setting=value of the router", subject="--set")
        try:
            changes[name] = json.loads(value)
        except ValueError:
            changes[name] = value
        kind = type(getattr(RouterSettings(), name))
        if kind is not type(None) and not isinstance(changes[name], (int, float) if kind is float else kind):
            raise UserError(f"{value!r} is no value for {name}", subject="--set")
    return RouterSettings().but(**changes)


def _print_evaluation(result: Evaluation) -> None:
    from seci.cli.output import console
    from seci.cli.tables import print_table

    columns = list(dict.fromkeys(name for figures in result.methods.values() for name in figures))
    rows = []
    for method, figures in result.methods.items():
        cells = [
            f"{figures[name][0]:.3f} ±{figures[name][2] - figures[name][0]:.3f}" if name in figures else ""
            for name in columns
        ]
        rows.append([method, *cells])
    print_table(["method", *columns], rows, title=f"{result.turns} turns of {result.streams} conversations")
    if result.decided:
        found = result.decided
        console().print(
            f"at threshold {found.threshold:.2f}: precision {found.precision:.3f}, recall {found.recall:.3f}, "
            f"F1 {found.f1:.3f}, {found.admitted:.0%} admitted"
        )
    for name, (share, low, _) in result.retrieval.items():
        stored = name if name == "all" else f"{name}% of the"
        console().print(f"recall@60 over {stored} turns: {share:.3f} ±{share - low:.3f}")
    if result.latency:
        spent = result.latency
        console().print(
            f"a turn takes {spent.stream_p50_ms:.1f} ms streaming (p95 {spent.stream_p95_ms:.1f}), "
            f"{spent.batch_ms:.1f} in a batch, of which {spent.embedding_ms:.1f} embed it"
        )

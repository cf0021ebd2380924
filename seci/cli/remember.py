"""`seci remember`: the part of the vault that a question needs, within a token budget."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, NowOption, ProjectOption, VaultOption, parse_numbers, parse_time
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.core.context import AssemblyOptions, Context
    from seci.core.ranking import Ranking

PAGE = 10  # of what was left out without having been weighed, on a terminal


def remember(
    query: Annotated[str, typer.Argument(help="What the next session is about.")],
    budget: Annotated[
        int | None, typer.Option("--budget", min=0, help="Tokens in all; the tiers keep their shares.")
    ] = None,
    tier_budget: Annotated[list[str] | None, typer.Option("--tier-budget", help="e.g. memory=2000")] = None,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="e.g. recency=0.2; the others share the rest.")
    ] = None,
    boost: Annotated[list[str] | None, typer.Option("--boost", help="e.g. decision=1.3")] = None,
    minimum: Annotated[
        float | None, typer.Option("--minimum", min=0, max=1, help="Leave out what scores less.")
    ] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Do not count what enters as used.")] = False,
    project: ProjectOption = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What held on this date.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every signal, and what was left out and why.")
    ] = False,
    now: NowOption = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Assemble a question's context, as markdown with sources."""
    from seci.cli.output import print_json
    from seci.core.ranking import Query
    from seci.flows.shapes import remember_shape

    app = current().open_app(vault)
    options = build_options(app.assembly_defaults(), budget, tier_budget or [], weight or [], boost or [])
    asked = Query(
        text=query,
        project=None if project == "*" else project,
        now=parse_time(now, "--now"),
        as_of=parse_time(as_of, "--as-of"),
    )
    began = time.perf_counter()
    if minimum is not None:
        options = replace(options, minimum=minimum)
    context, ranking = app.remember(asked, options, count=not preview)
    took = (time.perf_counter() - began) * 1000
    if as_json:
        print_json(remember_shape(query, context, ranking.degraded, took))
        return
    _print_context(context, ranking)
    if explain:
        _print_explanation(context)


def build_options(
    defaults: AssemblyOptions, budget: int | None, tiers: list[str], weights: list[str], boosts: list[str]
) -> AssemblyOptions:
    """The defaults with what the call overrides. Raises UserError that names the option."""
    from seci.core.note import NoteType

    option = "--budget"
    try:
        chosen = defaults.budget if budget is None else defaults.budget.scaled(budget)
        option = "--tier-budget"
        chosen = chosen.override({n: int(v) for n, v in parse_numbers(tiers, option).items()})
        option = "--weight"
        mix = defaults.weights.override(**parse_numbers(weights, option))
        option = "--boost"
        factors = {NoteType(n): v for n, v in parse_numbers(boosts, option).items()}
    except ValueError as error:
        raise UserError(str(error), subject=option) from error
    return replace(defaults, budget=chosen, weights=mix, boosts={**defaults.boosts, **factors})


def _print_context(context: Context, ranking: Ranking) -> None:
    from seci.cli.output import console

    if not context.markdown:
        tight = any("needs " in dropped.reason for dropped in context.dropped)
        said = f"nothing that is relevant fits into {context.budget.total} tokens" if tight else "nothing relevant"
        console(stderr=True).print(said if tight else f"{said} in this vault")
    else:
        console().print(context.markdown, end="", markup=False)
    if ranking.degraded:
        console(stderr=True).print("keywords only: no process holds the index")


def _print_explanation(context: Context) -> None:
    from seci.cli.output import console
    from seci.cli.tables import print_table

    rows = []
    for passage in sorted(context.passages, key=lambda p: -p.score):
        s = passage.signals
        ranks = " ".join(f"{name}:{rank}" for name, rank in passage.candidate.ranks.items())
        values = [s.relevance, s.importance, s.confidence, s.recency, s.frequency]
        rows.append(
            (
                f"{passage.score:.2f}",
                *(f"{v:.2f}" for v in values),
                str(passage.tokens),
                f"{passage.candidate.title}  [{ranks}]",
            )
        )
    head = ("score", "relev", "import", "confid", "recent", "freq", "tokens", "entered")
    print_table(head, rows, title=f"{context.tokens} of {context.budget.total} tokens")
    weighed = [(f"{d.score:.2f}", d.reason, d.title) for d in context.dropped if d.score is not None]
    unweighed = [("", d.reason, d.title) for d in context.dropped if d.score is None]
    shown = unweighed[:PAGE] if console().is_terminal else unweighed
    if context.dropped:
        print_table(("score", "why not", "left out"), [*weighed, *shown])
        if len(shown) < len(unweighed):
            console().print(f"and {len(unweighed) - len(shown)} that did not get so far (--json names them)")
    else:
        console().print("nothing was left out")

"""`seci search`: the ranked list."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, NowOption, ProjectOption, VaultOption, parse_time
from seci.core.chunk import Kind
from seci.core.ranking import Method, Query, Ranking, Unit
from seci.errors import UserError

Choice = TypeVar("Choice", bound=StrEnum)


def search(
    query: Annotated[str, typer.Argument(help="A question, or words.")],
    limit: Annotated[int, typer.Option("-k", "--limit", min=1, max=1000, help="How many hits.")] = 10,
    where: Annotated[str, typer.Option("--in", help="raw, distilled or both.")] = "both",
    unit: Annotated[
        str | None, typer.Option("--unit", help="turn, session or note.", show_default="turns and notes")
    ] = None,
    method: Annotated[str, typer.Option("--method", help="hybrid, dense or keyword.")] = "hybrid",
    project: ProjectOption = None,
    now: NowOption = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what the vault holds on a question, best first."""
    from seci.cli.output import print_json
    from seci.flows.shapes import search_shape

    if where not in ("raw", "distilled", "both"):
        raise UserError(f"{where!r} is not raw, distilled or both", subject="--in")
    asked = Query(
        text=query,
        limit=limit,
        kinds=frozenset(Kind) if where == "both" else frozenset({Kind(where)}),
        unit=choose(Unit, unit, "--unit") if unit else None,
        method=choose(Method, method, "--method"),
        project=None if project == "*" else project,
        now=parse_time(now, "--now"),
    )
    app = current().open_app(vault)
    began = time.perf_counter()
    ranking = app.search(asked)
    took = (time.perf_counter() - began) * 1000
    if as_json:
        print_json(search_shape(query, ranking, took))
    else:
        _print_ranking(ranking)


def choose(kind: type[Choice], value: str, option: str) -> Choice:
    """The member of that name. Raises UserError that lists the choices."""
    try:
        return kind(value)
    except ValueError as error:
        choices = ", ".join(member.value for member in kind)
        raise UserError(f"{value!r} is not one of {choices}", subject=option) from error


def _print_ranking(ranking: Ranking) -> None:
    from seci.cli.output import console
    from seci.cli.tables import print_table

    if not ranking.hits:
        console().print("nothing found")
        return
    rows = []
    for number, hit in enumerate(ranking.hits, start=1):
        where = hit.namespace or (f"turn {','.join(map(str, hit.turns))}" if hit.turns else "session")
        rows.append((str(number), f"{hit.relevance:.2f}", where, f"{hit.title}\n{hit.snippet}"))
    print_table(("", "relevance", "where", "what"), rows)
    if ranking.degraded:
        console(stderr=True).print("keywords only: no process holds the index")

"""The options that many commands share, said once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from seci.errors import UserError

VaultOption = Annotated[
    Path | None,
    typer.Option("--vault", help="The vault's folder.", show_default="SECI_VAULT, the nearest upwards, the default"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
NowOption = Annotated[
    str | None,
    typer.Option("--now", help="Take this as the present, e.g. 2026-01-31 or 2026-01-31T12:00:00Z."),
]
ProjectOption = Annotated[
    str | None,
    typer.Option("--project", help="Only this project, and what belongs to none; '*' means all.", show_default="all"),
]


def parse_time(text: str | None, option: str) -> datetime | None:
    """ISO 8601 to aware UTC; a time without a zone is UTC. Raises UserError that names the option."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"{text!r} is not a date or time", subject=option, hint="write 2026-01-31") from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def parse_numbers(pairs: list[str], option: str) -> dict[str, float]:
    """`name=number` pairs. Raises UserError that names the option."""
    numbers: dict[str, float] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        try:
            numbers[name.strip()] = float(value)
        except ValueError as error:
            raise UserError(f"{pair!r} is not name=number", subject=option) from error
        if not separator or not name.strip():
            raise UserError(f"{pair!r} is not name=number", subject=option)
    return numbers

"""`seci distill`: sessions become notes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seci.cli.invocation import INTERRUPTED, current
from seci.cli.options import JsonOption, NowOption, VaultOption, parse_time
from seci.errors import SourceError, UserError

if TYPE_CHECKING:
    from datetime import datetime

    from seci.core.session import Failure, Session
    from seci.flows.distill import DistillReport


def distill(
    paths: Annotated[list[Path] | None, typer.Argument(help="Session files or folders.", show_default=False)] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="Read them as this format.", show_default="told by content")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="The sessions of every installed tool.")] = False,
    spooled: Annotated[bool, typer.Option("--spooled", help="The sessions that hooks have noticed.")] = False,
    settled: Annotated[bool, typer.Option("--settled", help="Of the spooled ones, only those that are over.")] = False,
    since: Annotated[
        str | None, typer.Option("--since", help="Only sessions that ended on or after this date.")
    ] = None,
    distiller: Annotated[str, typer.Option("--distiller", help="rules or llm.")] = "rules",
    no_router: Annotated[bool, typer.Option("--no-router", help="Distill every turn.")] = False,
    readmit: Annotated[
        bool,
        typer.Option("--readmit", help="Distill the turns that no note cites once more, past the router."),
    ] = False,
    notes: Annotated[
        str | None,
        typer.Option("--notes", help="Take a JSON array of notes from this file, - for standard input."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema that --notes takes.")] = False,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help="Spend at most this many tokens on a language model.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be written, write nothing.")] = False,
    now: NowOption = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Turn sessions into notes, as one commit.

    What has been distilled before is skipped: a second run writes nothing, and a session that grew gives what is new.
    """
    from seci.cli.output import error_shape, print_failures, print_json, progress
    from seci.flows.shapes import distill_shape

    if schema:
        from seci.app import notes_schema

        print_json(notes_schema())
        return

    app = current().open_app(vault)
    chosen = [bool(paths), everything, spooled, notes is not None]
    if sum(chosen) != 1 and not (readmit and sum(chosen) == 0):
        raise UserError(
            "name session files or folders, or --all, --spooled or --notes", hint="seci distill --help shows how"
        )
    if notes is not None:
        report = app.take_notes(_read_notes(notes), parse_time(now, "--now"), dry_run=dry_run)
    else:
        waiting = app.intake.spooled(settled=settled) if spooled else []
        if spooled:
            items = app.intake.read_spooled(waiting)
        else:
            intake = app.intake
            items = intake.read(paths, source) if paths else intake.discover() if everything else intake.archived()
        with told_when_interrupted(app.vault), progress("distilling", quiet=as_json) as advance:
            report = app.distill(
                _since(items, parse_time(since, "--since")),
                distiller=distiller,
                max_tokens=max_tokens,
                use_router=not no_router,
                readmit=readmit,
                dry_run=dry_run,
                progress=lambda session: advance(),
            )
        if spooled and not dry_run:
            app.intake.finish_spooled(waiting)
    nothing_read = not (report.sessions or report.skipped or report.notes or report.repeated)
    failed = _all_failed(report.failures) if report.failures and nothing_read and not spooled else None
    if as_json:
        print_json({**distill_shape(report), **(error_shape(failed) if failed else {})})
    elif failed:
        if len(report.failures) > 1:
            print_failures(report.failures)
        raise failed
    elif everything and nothing_read and not report.failures:
        _say_where(app.intake.places())
    else:
        _print_report(report, dry_run)
    if failed:
        raise typer.Exit(failed.exit_code)


def _all_failed(failures: Sequence[Failure]) -> SourceError:
    """What to say where nothing could be read."""
    first = failures[0]
    if len(failures) == 1:
        return SourceError(first.reason, subject=first.path)
    return SourceError(f"none of {len(failures)} could be read", subject=first.path)


@contextmanager
def told_when_interrupted(vault: Path) -> Iterator[None]:
    """Says on Ctrl-C what has come of the run: a commit is made whole or not at all."""
    from seci.client.repository import read_head

    before = read_head(str(vault))
    try:
        yield
    except KeyboardInterrupt:
        written = read_head(str(vault)) != before
        said = (
            "the notes are committed; the index takes them up with the next command"
            if written
            else "nothing was written; the same command starts over"
        )
        current().stream(stderr=True).write(f"\ninterrupted: {said}\n")
        raise typer.Exit(INTERRUPTED) from None


def _say_where(places: Mapping[str, Sequence[str]]) -> None:
    """Where no session was found, one tool a line."""
    from seci.cli.output import console

    out = console(stderr=True)
    out.print("no tool keeps sessions where seci looks; seci distill PATH reads them from anywhere else", markup=False)
    for name, found in places.items():
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        out.print(f"  {name:<13} {found[0]}{more}", markup=False)


def _since(items: Iterable[Session | Failure], moment: datetime | None) -> Iterator[Session | Failure]:
    from seci.core.session import Session

    for item in items:
        if moment is None or not isinstance(item, Session) or (item.ended is not None and item.ended >= moment):
            yield item


def _read_notes(place: str) -> str:
    if place == "-":
        return (current().stdin or sys.stdin).read()
    try:
        return Path(place).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot be read: {error}", subject=place) from error


def _print_report(report: DistillReport, dry_run: bool) -> None:
    from seci.cli.output import console, count, print_failures
    from seci.cli.tables import print_table

    out = console()
    if report.notes:
        rows = [(w.note.namespace.value, w.note.type.value, w.note.title) for w in report.notes]
        print_table(("namespace", "type", "title"), rows)
    print_failures(report.failures)
    if redacted := sum(report.redactions.values()):
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.redactions.items())
        out.print(f"redacted  {redacted} ({kinds})", markup=False)
    if report.spent:
        tokens = f"{report.spent['prompt_tokens']} + {report.spent['completion_tokens']} tokens"
        out.print(f"spent     {report.spent['calls']} calls, {report.spent['cached']} from the cache, {tokens}")
    if not report.sessions and not report.notes:
        out.print(f"nothing new in {count(report.skipped, 'session')}")
        return
    verb = "would write" if dry_run else "wrote"
    out.print(
        f"{verb} {count(len(report.notes), 'note')} from {count(report.turns, 'turn')} "
        f"of {count(report.sessions, 'session')}"
        + (f", {report.skipped} had nothing new" if report.skipped else "")
        + (f", commit {report.commit[:8]}" if report.commit else ""),
        markup=False,
    )

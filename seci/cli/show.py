"""`seci show` and `seci list`."""

from __future__ import annotations

from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, ProjectOption, VaultOption
from seci.core.note import Namespace, short_id
from seci.errors import UserError

PAGE = 50  # notes that a terminal shows unasked


def show(
    id: Annotated[str, typer.Argument(help="A note's id, its last characters or path; or session#turn.")],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print one note, or the turns of a session that a note cites."""
    from seci.cli.output import console, print_json
    from seci.flows.shapes import note_shape, turn_shape

    app = current().open_app(vault)
    if "#" in id:
        session, turns = app.quote(id)
        if as_json:
            print_json({"session": session.key, "turns": [turn_shape(turn) for turn in turns]})
        else:
            for turn in turns:
                at = f"  {turn.at:%Y-%m-%d %H:%M}" if turn.at else ""
                console().print(
                    f"{session.key}#{turn.index}  {turn.speaker or turn.role.value}{at}",
                    markup=False,
                )
                console().print(turn.text + "\n", markup=False)
        return
    stored = app.notes.get(id)
    if as_json:
        print_json(note_shape(stored))
    else:
        console().print(stored.path, markup=False)
        console().print(app.notes.text(stored.path), markup=False, end="")


def list_notes(
    namespace: Annotated[str | None, typer.Option("--namespace", help="Only this one.")] = None,
    project: ProjectOption = None,
    limit: Annotated[
        int | None,
        typer.Option("-n", "--limit", min=1, help="How many notes.", show_default=f"{PAGE} on a terminal, else all"),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the notes, newest first."""
    from seci.app.listing import list_newest
    from seci.cli.output import console, print_failures, print_json
    from seci.cli.tables import print_table
    from seci.flows.shapes import failures_shape, note_shape

    if namespace is not None and namespace not in list(Namespace):
        raise UserError(f"{namespace!r} is not one of {', '.join(Namespace)}", subject="--namespace")
    if limit is None and not as_json and console().is_terminal:
        limit = PAGE
    project = None if project == "*" else project
    found = list_newest(current().open_app(vault).notes, namespace=namespace, project=project, limit=limit)
    if as_json:
        shapes = [note_shape(stored, body=False) for stored in found.notes]
        print_json({"notes": shapes, "failures": failures_shape(found.failures)})
        return
    rows = []
    for stored in found.notes:
        note = stored.note
        date = f"{note.created:%Y-%m-%d}" if note.created else ""
        rows.append((short_id(note.id), date, note.namespace.value, note.type.value, note.title))
    if rows:
        print_table(("id", "date", "namespace", "type", "title"), rows)
    else:
        console().print("no notes")
    if found.more:
        console(stderr=True).print(f"and {found.more:,} older ones: --limit N, --namespace and --project show others")
    print_failures(found.failures)

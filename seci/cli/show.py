"""`seci show` and `seci list`."""

from __future__ import annotations

from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, ProjectOption, VaultOption
from seci.core.note import Namespace
from seci.core.session import Failure
from seci.errors import UserError


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
                console().print(
                    f"{session.key}#{turn.index}  {turn.speaker or turn.role.value}  {turn.at or ''}",
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
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the notes, newest first."""
    from seci.cli.output import console, print_failures, print_json
    from seci.cli.tables import print_table
    from seci.flows.shapes import note_shape

    if namespace is not None and namespace not in list(Namespace):
        raise UserError(f"{namespace!r} is not one of {', '.join(Namespace)}", subject="--namespace")
    app = current().open_app(vault)
    found, failures = [], []
    for item in app.notes.notes():
        if isinstance(item, Failure):
            failures.append(item)
        elif (namespace is None or item.note.namespace == namespace) and project in (
            None,
            "*",
            item.note.project,
        ):
            found.append(item)
    found.sort(key=lambda s: (-(s.note.created.timestamp() if s.note.created else 0.0), s.path))
    if as_json:
        shapes = [note_shape(stored, body=False) for stored in found]
        print_json({"notes": shapes, "failures": [{"path": f.path, "reason": f.reason} for f in failures]})
        return
    rows = []
    for stored in found:
        note = stored.note
        date = f"{note.created:%Y-%m-%d}" if note.created else ""
        rows.append((note.id[-8:].lower(), date, note.namespace.value, note.type.value, note.title))
    if rows:
        print_table(("id", "date", "namespace", "type", "title"), rows)
    else:
        console().print("no notes")
    print_failures(failures)

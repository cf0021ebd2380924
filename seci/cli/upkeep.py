"""`seci sync`, `seci forget` and `seci audit`: keeping a vault in step, in bounds and in shape."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, NowOption, VaultOption, parse_time
from seci.core.note import short_id
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.core.audit import Audit


def sync(
    remote: Annotated[
        str | None,
        typer.Argument(help="A remote of the vault's repository.", show_default="the branch's own, or origin"),
    ] = None,
    accept_rewritten: Annotated[
        bool, typer.Option("--accept-rewritten", help="Follow a remote whose history was purged.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch, put what is new here on top, push. Notes that changed on both sides are settled."""
    from seci.cli.output import console, print_json, progress
    from seci.upkeep import Upkeep

    upkeep = Upkeep(current().open_app(vault))
    with progress("indexing", quiet=as_json) as advance:
        report = upkeep.sync(remote, accept_rewritten=accept_rewritten, progress=advance)
    if as_json:
        print_json(
            {
                "pulled": report.pulled,
                "pushed": report.pushed,
                "settled": list(report.settled),
                "overruled": [{"path": path, "lost": w.lost, "kept": w.kept} for path, w in report.overruled],
                "uncommitted": list(report.uncommitted),
                "commit": report.commit,
            }
        )
        return
    out = console()
    for path in report.settled:
        out.print(f"settled   {path}  (changed on both sides: look at what it says now)", markup=False)
    for path, wording in report.overruled:
        out.print(f"worded twice  {path}: the later wording stays, the other one is in git's history", markup=False)
        out.print(f"  stays   {wording.kept}\n  gone    {wording.lost}", markup=False)
    for path in report.uncommitted:
        out.print(f"not committed, stays here  {path}", markup=False)
    if report.uncommitted:
        out.print("your own edits travel once git has them: git add and git commit in the vault")
    if not report.pulled and not report.pushed:
        out.print("nothing new on either side")
    else:
        out.print(f"pulled {report.pulled}, pushed {report.pushed}, both at {report.commit[:8]}", markup=False)


def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Notes by id or path.", show_default=False)] = None,
    match: Annotated[
        str | None, typer.Option("--match", help="Every note and passage that holds this text; case does not count.")
    ] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Take it out of git's history too.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove notes with the passages they came from. Distilling again does not bring them back."""
    from seci.cli.output import console, count, print_json
    from seci.cli.tables import print_table
    from seci.upkeep import Upkeep

    if bool(ids) == bool(match is not None):
        raise UserError("name notes, or --match a text", hint="seci list shows the notes with their ids")
    upkeep = Upkeep(current().open_app(vault))
    plan = upkeep.plan_forget(ids or [], match)
    if not as_json:
        print_table(("id", "title"), [(short_id(item.note.id), item.note.title) for item in plan.notes])
        console().print(
            f"{count(len(plan.notes), 'note')} and {count(plan.passages, 'passage')} of sessions go", markup=False
        )
        if purge:
            console(stderr=True).print(
                "git's history is rewritten: every commit gets another name, other clones have to follow, and it "
                "cannot be taken back"
            )
    if not yes:
        if as_json or not sys.stdin.isatty() or current().width is not None:
            raise UserError("forgetting wants a word of consent", subject="forget", hint="add --yes")
        if not typer.confirm("Forget this?"):
            console().print("nothing was forgotten")
            raise typer.Exit(1)
    commit, rewritten = upkeep.forget(plan, purge=purge)
    push = list(rewritten.push) if rewritten else []
    remaining = list(rewritten.remaining) if rewritten else []
    if as_json:
        print_json(
            {
                "notes": [item.note.id for item in plan.notes],
                "passages": plan.passages,
                "commit": None if rewritten else commit,
                "rewritten": rewritten.commits if rewritten else 0,
                "push": push,
                "remaining": remaining,
            }
        )
        return
    out = console()
    if rewritten:
        out.print(f"{rewritten.commits} commits were made again without it", markup=False)
        for command in push:
            out.print(f"the remote still has it; to take it out there too: {command}", markup=False)
        for ref in remaining:
            out.print(f"{ref} could not be rewritten and still has it", markup=False)
    else:
        out.print(f"commit {commit[:8] if commit else ''}; git's history still has it (--purge)", markup=False)


def audit(
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Show where secrets stand, in notes and sessions.")
    ] = False,
    now: NowOption = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score the notes, name their flaws, show the trend.

    Flaws are duplicates, junk, contradictions, what is stale, unsourced or an orphan, and secrets.
    """
    from seci.cli.output import console, print_json
    from seci.cli.tables import print_table
    from seci.upkeep import Upkeep

    upkeep = Upkeep(current().open_app(vault))
    found = upkeep.audit(parse_time(now, "--now"))
    trend = upkeep.trend()
    places = list(upkeep.secrets()) if secrets else []
    if as_json:

        def shape(result: Audit) -> dict[str, object]:
            counts = {flaw.value: count for flaw, count in result.counts.items()}
            return {"score": round(result.score, 4), "notes": result.notes, **counts}

        print_json(
            {
                **shape(found),
                "flaws": [{"id": item.id, "flaw": item.flaw.value, "reason": item.said} for item in found.flawed],
                "trend": [{"commit": c.commit, "at": c.at.isoformat(), **shape(result)} for c, result in trend],
                **({"places": [{"path": p, "line": n, "kind": k} for p, n, k in places]} if secrets else {}),
            }
        )
        return
    if found.flawed:
        rows = [(item.flaw.value, short_id(item.id), item.said) for item in found.flawed]
        print_table(("flaw", "note", "why"), rows)
    for path, line, kind in places:
        console().print(f"secret  {path}:{line}  {kind}", markup=False)
    if trend:
        history = [
            (
                commit.commit[:8],
                f"{commit.at:%Y-%m-%d}",
                str(result.notes),
                f"{result.score:.0%}",
                _say_counts(result) or "none",
                commit.subject,
            )
            for commit, result in trend
        ]
        columns = ("commit", "when", "notes", "score", "flaws", "what")
        print_table(columns, history, title="the last commits, by the flaws that a note shows on its own")
    said = _say_counts(found) or "no flaws"
    console().print(f"score {found.score:.0%} of {found.notes} notes: {said}", markup=False)


def _say_counts(found: Audit) -> str:
    return ", ".join(f"{count} {flaw.value}" for flaw, count in found.counts.items() if count)

"""`seci consolidate` and `seci review`: what the memory would do to itself, and a person's word on it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seci.cli.invocation import current
from seci.cli.options import JsonOption, NowOption, VaultOption, parse_time
from seci.core.note import Namespace, short_id
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.core.consolidation import Contradiction
    from seci.flows.consolidate import ConsolidateReport
    from seci.flows.settle import Settled
    from seci.upkeep import Pending, Reviewed, Upkeep

IdsOption = list[str] | None


def consolidate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and write nothing: the default.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write the plan as one commit.")] = False,
    review: Annotated[bool, typer.Option("--review", help="Put the plan on a branch for seci review.")] = False,
    namespace: Annotated[str | None, typer.Option("--namespace", help="Only this one.")] = None,
    rollup: Annotated[bool, typer.Option("--rollup", help="Join the episodes of one project and week.")] = False,
    archive: Annotated[bool, typer.Option("--archive", help="Archive what is stale already.")] = False,
    now: NowOption = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Merge duplicates, link what was replaced, mark what is stale."""
    from seci.cli.output import print_json
    from seci.flows.shapes import consolidate_shape
    from seci.upkeep import Upkeep

    if dry_run + apply + review > 1:
        raise UserError("--dry-run, --apply and --review exclude each other")
    if namespace is not None and namespace not in list(Namespace):
        raise UserError(f"{namespace!r} is not one of {', '.join(Namespace)}", subject="--namespace")
    moment = parse_time(now, "--now")
    upkeep = Upkeep(current().open_app(vault))
    report = upkeep.consolidate(
        moment,
        apply=apply,
        namespace=Namespace(namespace) if namespace else None,
        rollup=rollup,
        archive=archive,
    )
    proposed = upkeep.propose(report, moment) if review else None
    if as_json:
        print_json({**consolidate_shape(report), "branch": proposed.branch if proposed else None})
        return
    _print_report(report, with_diff=not apply and not review)
    if proposed:
        _say(f"branch {proposed.branch}; seci review walks through it")


def review(
    accept: Annotated[
        IdsOption, typer.Option("--accept", help="Accept this proposal, or all.", show_default=False)
    ] = None,
    reject: Annotated[
        IdsOption, typer.Option("--reject", help="Reject this proposal, or all.", show_default=False)
    ] = None,
    dismiss: Annotated[
        IdsOption,
        typer.Option("--dismiss", help="Let both notes of a contradiction stand: an id, or all.", show_default=False),
    ] = None,
    uphold: Annotated[
        IdsOption,
        typer.Option(
            "--uphold", help="Of a contradiction, this note holds and supersedes the other.", show_default=False
        ),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on proposals, and on notes that contradict each other.

    On a terminal one by one; elsewhere by --accept, --reject, --dismiss and --uphold. What is turned down is not
    proposed again; a contradiction that was dismissed is reported no more.
    """
    from seci.cli.output import print_json
    from seci.flows.settle import Settled, find_contradictions, find_upheld
    from seci.upkeep import Reviewed, Upkeep

    upkeep = Upkeep(current().open_app(vault))
    waiting = upkeep.pending()
    wanted = upkeep.find_pending(accept or [], waiting)
    unwanted = [item for item in upkeep.find_pending(reject or [], waiting) if item not in wanted]
    decided = upkeep.decide(wanted, unwanted) if wanted or unwanted else Reviewed((), (), None)
    settled = Settled()
    if dismiss or uphold:
        found = upkeep.consolidate().plan.contradictions
        settled = upkeep.settle(find_contradictions(dismiss or [], found), find_upheld(uphold or [], found))
    left = [item for item in waiting if item not in decided.accepted + decided.rejected]
    if as_json:
        print_json(_review_shape(decided, settled, left))
        return
    given = wanted or unwanted or dismiss or uphold
    if given:
        _print_reviewed(decided)
        _print_settled(settled)
    elif current().width is None and sys.stdin.isatty() and sys.stdout.isatty():
        if _walk(upkeep, left) and not _walk_contradictions(upkeep) and not left:
            _say("nothing waits for a review")
        return
    if left:
        _print_pending(left)
    elif not given:
        _say("nothing waits for a review")


def _walk(upkeep: Upkeep, waiting: list[Pending]) -> bool:
    """Asks about each proposal in turn; each answer takes effect at once. False where the user wants to leave."""
    from seci.cli.output import print_diff

    for number, item in enumerate(waiting, 1):
        _say(f"\n{number} of {len(waiting)}  {item.id}\n{_subject(item)}")
        print_diff(_diff(item))
        _say(f"\n{number} of {len(waiting)}  {_subject(item)}")  # its diff may have filled the screen
        answer = _ask("[a]ccept, [r]eject, [e]dit, [s]kip, [q]uit", "aresq")
        if answer == "q":
            return False
        if answer == "s":
            continue
        texts = _edited(item) if answer == "e" else {}
        now = upkeep.find_pending([item.id], upkeep.pending())
        _print_reviewed(upkeep.decide([], now) if answer == "r" else upkeep.decide(now, [], texts))
    return True


def _walk_contradictions(upkeep: Upkeep) -> bool:
    """Asks which of two notes holds; each answer takes effect at once. Whether there was anything to ask."""
    report = upkeep.consolidate()
    found = report.plan.contradictions
    gone: set[str] = set()
    for number, item in enumerate(found, 1):
        if not gone.isdisjoint(item.ids):
            continue  # settled by an answer about another pair
        _say(f"\n{number} of {len(found)}  these contradict each other: {item.evidence.rule}")
        for place, ident in enumerate(item.ids):
            _say(f"  [{place + 1}] {_wording(report, item, place)}  ({report.paths[ident]})")
        answer = _ask("[1] holds, [2] holds, [b]oth may stand, [s]kip, [q]uit", "12bsq")
        if answer == "q":
            break
        if answer == "b":
            _print_settled(upkeep.settle([item]))
        elif answer != "s":
            holds = item.ids[int(answer) - 1]
            gone.update(set(item.ids) - {holds})
            _print_settled(upkeep.settle([], [(item, holds)]))
    return bool(found)


def _wording(report: ConsolidateReport, item: Contradiction, place: int) -> str:
    note, date = report.plan.after[item.ids[place]], item.evidence.dates[place]
    return f"{date or 'undated'}  {note.title}: {item.evidence.wordings[place]}"


def _ask(choices: str, letters: str) -> str:
    """One of the letters; asked again until it is, and skipped by Enter."""
    while True:
        answer = str(typer.prompt(choices, default="s")).strip().lower()[:1]
        if answer and answer in letters:
            return answer


def _edited(item: Pending) -> dict[str, str]:
    """What the user's editor makes of the proposed files."""
    import tempfile
    from pathlib import Path

    from seci.cli.edit import run_editor

    texts = {}
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        for path, text in item.change.changes.items():
            if text is not None:
                place = Path(folder, Path(path).name)
                place.write_text(text, "utf-8")
                run_editor(place)
                texts[path] = place.read_text("utf-8")
    return texts


def _print_report(report: ConsolidateReport, *, with_diff: bool) -> None:
    from seci.cli.output import console, print_diff, print_failures
    from seci.cli.tables import print_table
    from seci.core.consolidation import Contradiction
    from seci.flows.consolidate import list_actions, render_action, render_diff

    rows = []
    for action in list_actions(report.plan):
        name = "report" if isinstance(action, Contradiction) else "do"
        rows.append((name, render_action(action, report.plan).removeprefix("- ")))
    if rows:
        print_table(("", "what"), rows)
    if with_diff:
        print_diff(render_diff(report))
    print_failures(report.failures)
    if report.plan.empty:
        console().print("nothing to consolidate")
    elif report.commit:
        _say(f"commit {report.commit[:8]}; seci undo takes it back")
    elif with_diff:
        _say("nothing was written; --apply commits it, --review puts it on a branch")


def _print_reviewed(decided: Reviewed) -> None:
    from seci.cli.output import print_failures

    for item in decided.accepted:
        _say(f"accepted  {item.id}  {_subject(item)}")
    for item in decided.rejected:
        _say(f"rejected  {item.id}  {_subject(item)}")
    print_failures(decided.conflicts)
    if decided.commit:
        _say(f"commit {decided.commit[:8]}")


def _print_settled(settled: Settled) -> None:
    for pair in settled.dismissed:
        _say(f"dismissed  {' and '.join(map(short_id, pair))} may both stand")
    for holds, other in settled.upheld:
        _say(f"settled  {short_id(holds)} holds and supersedes {short_id(other)}")
    if settled.commit:
        _say(f"commit {settled.commit[:8]}")


def _print_pending(waiting: list[Pending]) -> None:
    from seci.cli.tables import print_table

    print_table(("id", "branch", "what"), [(item.id, item.branch.branch, _subject(item)) for item in waiting])


def _review_shape(decided: Reviewed, settled: Settled, left: list[Pending]) -> dict[str, Any]:
    from seci.flows.shapes import failures_shape

    def shape(item: Pending) -> dict[str, Any]:
        lines = [line.removeprefix("- ") for line in item.change.message.splitlines() if line.startswith("- ")]
        return {
            "id": item.id,
            "branch": item.branch.branch,
            "actions": lines,
            "paths": sorted(item.change.changes),
            "diff": _diff(item),
        }

    return {
        "accepted": [item.id for item in decided.accepted],
        "rejected": [item.id for item in decided.rejected],
        "dismissed": [list(pair) for pair in settled.dismissed],
        "upheld": [{"holds": holds, "superseded": other} for holds, other in settled.upheld],
        "commit": settled.commit or decided.commit,
        "failures": failures_shape(decided.conflicts),
        "pending": [shape(item) for item in left],
    }


def _subject(item: Pending) -> str:
    return item.change.message.splitlines()[0]


def _diff(item: Pending) -> str:
    from seci.flows.consolidate import render_changes_diff

    return render_changes_diff(item.change.changes, item.change.before)


def _say(text: str) -> None:
    from seci.cli.output import console

    console().print(text, markup=False)

"""Combination: notes are merged, superseded and marked.

    notes -> candidate pairs -> plan (pure) -> rendered changes -> one transaction (journal, files, commit)

The plan is made again on its own result until nothing is left to do, since a note that goes makes room for another
neighbour; the second run on a vault therefore plans nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from seci.core.apart import redirect_apart
from seci.core.consolidation import (
    ConsolidationPlan,
    Contradiction,
    MarkStale,
    Merge,
    Supersede,
    plan_consolidation,
)
from seci.core.links import Repair
from seci.core.merging import rewrite_links
from seci.core.neighbours import CandidatePair
from seci.core.note import Namespace, Note, NoteType, short_id
from seci.core.ports import Clock, NoteStore, PairReader, StoredNote, Transaction
from seci.core.recurrence import Proposal, Rollup
from seci.core.session import Failure
from seci.core.staleness import HALF_LIVES, Facts


@dataclass(frozen=True, slots=True)
class ConsolidateSteps:
    """The adapters of one run. `pairs` finds which notes are worth comparing (`core.neighbours.select_pairs` over
    the index's vectors); `facts` asks about use, sessions and files; `reader` reads pairs that nothing else decides."""

    notes: NoteStore
    pairs: Callable[[Sequence[Note]], Iterable[CandidatePair]]
    facts: Callable[[Sequence[Note]], Facts]
    transaction: Transaction
    clock: Clock
    half_lives: Mapping[NoteType, float] = field(default_factory=lambda: HALF_LIVES)
    reader: PairReader | None = None


@dataclass(frozen=True, slots=True)
class ConsolidateReport:
    """What was planned, and the commit that did it: None after a dry run and where there was nothing to do.
    `changes` maps vault-relative paths to new text, None for a file that goes; `before` to the text that stands."""

    plan: ConsolidationPlan
    paths: Mapping[str, str]
    changes: Mapping[str, str | None]
    before: Mapping[str, str]
    failures: tuple[Failure, ...] = ()
    commit: str | None = None


def consolidate(
    steps: ConsolidateSteps,
    *,
    apply: bool = False,
    namespace: Namespace | None = None,
    rollup: bool = False,
    archive: bool = False,
) -> ConsolidateReport:
    """Plans, and with `apply` writes one commit. `namespace` limits what is compared and changed to one of the ten.

    Raises VaultError when the vault cannot be written or a file was edited since it was read; a file that is no note
    is a failure of the report.
    """
    with steps.transaction.hold():
        stored, failures = _read(steps.notes)
        chosen = [s.note for s in stored.values() if namespace is None or s.note.namespace is namespace]
        plan = _plan(chosen, steps, rollup=rollup, archive=archive, repair=namespace is None and not failures)
        changes, before, paths = render_changes(plan, stored, steps.notes)
        commit = None
        if apply and changes:
            digests = {s.path: s.digest for s in stored.values()}
            expected = {path: digests.get(path) for path in changes}
            commit = steps.transaction.write(changes, render_message(plan), expected)
    return ConsolidateReport(plan, paths, changes, before, failures, commit)


def _read(store: NoteStore) -> tuple[dict[str, StoredNote], tuple[Failure, ...]]:
    """Notes by id; of two files with one id the first path counts and the other is a failure."""
    stored: dict[str, StoredNote] = {}
    failures: list[Failure] = []
    for item in store.notes():
        if isinstance(item, Failure):
            failures.append(item)
        elif item.note.id in stored:
            failures.append(Failure(item.path, f"has the id of {stored[item.note.id].path}"))
        else:
            stored[item.note.id] = item
    return stored, tuple(failures)


def _plan(
    notes: Sequence[Note], steps: ConsolidateSteps, *, rollup: bool, archive: bool, repair: bool
) -> ConsolidationPlan:
    facts, now = steps.facts(notes), steps.clock.now()
    plan = plan_consolidation(
        notes,
        steps.pairs(notes),
        now,
        facts,
        half_lives=steps.half_lives,
        reader=steps.reader,
        rollup=rollup,
        archive=archive,
        repair=repair,
    )
    for _ in range(len(notes)):
        if not (plan.merges or plan.supersedes):
            break
        present = list(plan.after.values())
        more = plan_consolidation(
            present, steps.pairs(present), now, facts, half_lives=steps.half_lives, reader=steps.reader
        )
        if more.empty:
            break
        plan = _follow(plan, more)
    return plan


def _follow(first: ConsolidationPlan, more: ConsolidationPlan) -> ConsolidationPlan:
    """Both plans as one: a note that the first kept and the second merged takes its parts along."""
    moved = more.successors
    merges = {merge.ids[0]: merge for merge in more.merges}
    for merge in first.merges:
        kept = moved.get(merge.ids[0], merge.ids[0])
        known = merges.get(kept)
        lost = [*merge.ids, *(known.ids if known else ())]
        merges[kept] = Merge(
            (kept, *sorted(set(lost) - {kept})),
            more.after[kept],
            (*merge.evidence, *(known.evidence if known else ())),
        )
    links = [
        replace(link, ids=(moved.get(link.ids[0], link.ids[0]), moved.get(link.ids[1], link.ids[1])))
        for link in first.supersedes
    ]
    return replace(
        more,
        merges=tuple(merges[key] for key in sorted(merges)),
        supersedes=tuple(sorted({*links, *more.supersedes}, key=lambda link: link.ids)),
        stale=tuple(mark for mark in (*first.stale, *more.stale) if mark.ids[0] in more.after),
        rollups=(*first.rollups, *more.rollups),
        proposals=(*first.proposals, *more.proposals),
        repairs=tuple(mended for mended in first.repairs if mended.ids[0] in more.after),
    )


def render_changes(
    plan: ConsolidationPlan, stored: Mapping[str, StoredNote], store: NoteStore
) -> tuple[dict[str, str | None], dict[str, str], dict[str, str]]:
    """(path -> new text or None, path -> text that stands, id -> path) of every file that the plan changes.

    Links to notes that go are rewritten in all notes, those outside the plan's namespace included.
    """
    gone = plan.successors
    paths = {ident: item.path for ident, item in stored.items()}
    paths |= {ident: store.render(note)[0] for ident, note in plan.after.items() if ident not in stored}
    moved = {old: new for forms in render_moves(gone, paths).values() for old, new in forms.items()}
    changes: dict[str, str | None] = {}
    before: dict[str, str] = {}
    for ident, note in {**{i: s.note for i, s in stored.items()}, **plan.after}.items():
        known = stored.get(ident)
        note = replace(note, body=rewrite_links(note.body, moved)) if moved else note
        note = _relinked(note, gone)
        if ident in gone:
            changes[paths[ident]] = None
        elif known is None or note != known.note:
            changes[paths[ident]] = store.render(note, paths[ident])[1]
        else:
            continue
        if known is not None:
            before[paths[ident]] = store.render(known.note, paths[ident])[1]
    return changes, before, paths


def render_moves(gone: Mapping[str, str], paths: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """For each id that goes: every form in which a link may name it, to the same form of its successor."""
    moves: dict[str, dict[str, str]] = {}
    for lost, kept in gone.items():
        old, new = PurePosixPath(paths[lost]), PurePosixPath(paths[kept])
        moves[lost] = moved = {
            lost: kept,
            short_id(lost): short_id(kept),
            str(old): str(new),
            str(old.with_suffix("")): str(new.with_suffix("")),
            old.stem: new.stem,
        }
        if old.parent == new.parent:
            moved[old.name] = new.name
        else:
            moved[old.name] = f"../{new}"  # a link from the same folder to another folder of the vault
    return moves


def _relinked(note: Note, gone: Mapping[str, str]) -> Note:
    note = redirect_apart(note, gone)
    if not gone.keys() & {*note.supersedes, note.superseded_by}:
        return note
    olds = dict.fromkeys(gone.get(old, old) for old in note.supersedes)
    successor = gone.get(note.superseded_by or "", note.superseded_by)
    return replace(note, supersedes=tuple(old for old in olds if old != note.id), superseded_by=successor)


def render_message(plan: ConsolidationPlan) -> str:
    """A commit message that lists what happened, one action a line."""
    counts = [
        (len(plan.merges), "merged"),
        (len(plan.supersedes), "superseded"),
        (sum(not mark.archive for mark in plan.stale), "stale"),
        (sum(mark.archive for mark in plan.stale), "archived"),
        (len(plan.rollups), "rolled up"),
        (len(plan.proposals), "proposed"),
        (len(plan.repairs), "repaired"),
    ]
    subject = "Consolidate: " + ", ".join(f"{count} {name}" for count, name in counts if count)
    lines = [render_action(action, plan) for action in list_actions(plan)]
    return "\n".join([subject, "", *lines, "", "Seci-Verb: consolidate", ""])


Action = Merge | Supersede | MarkStale | Rollup | Proposal | Repair | Contradiction


def list_actions(plan: ConsolidationPlan) -> list[Action]:
    """Everything that is planned or reported, in order."""
    return [
        *plan.merges,
        *plan.supersedes,
        *plan.stale,
        *plan.rollups,
        *plan.proposals,
        *plan.repairs,
        *plan.contradictions,
    ]


def render_action(action: Action, plan: ConsolidationPlan) -> str:
    """One line of a commit message."""

    def title(ident: str) -> str:
        return f"{plan.after[ident].title} ({short_id(ident)})"

    match action:
        case Merge():
            rules = ", ".join(dict.fromkeys(evidence.rule for evidence in action.evidence))
            count = len(action.ids) - 1
            return f"- merge {count} note{'' if count == 1 else 's'} into {title(action.ids[0])}: {rules}"
        case Supersede():
            return f"- supersede {title(action.ids[0])} by {title(action.ids[1])}: {action.evidence.rule}"
        case MarkStale():
            return f"- {'archive' if action.archive else 'mark stale'} {title(action.ids[0])}: {action.reason}"
        case Rollup():
            return f"- roll up {len(action.ids)} episodes into {action.note.title}"
        case Proposal():
            return f"- propose {action.note.title}: {action.evidence}"
        case Repair():
            return f"- repair {title(action.ids[0])}: it {action.reason}"
        case Contradiction():
            return f"- contradiction, both kept: {title(action.ids[0])} and {title(action.ids[1])}"


def render_diff(report: ConsolidateReport) -> str:
    """A unified diff of every file that changes, in path order."""
    return render_changes_diff(report.changes, report.before)


def render_changes_diff(changes: Mapping[str, str | None], before: Mapping[str, str]) -> str:
    """A unified diff of files (path to new text, None for one that goes) against what stood there."""
    parts: list[str] = []
    for path in sorted(changes):
        old, new = before.get(path, ""), changes[path] or ""
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            f"a/{path}" if old else "/dev/null",
            f"b/{path}" if changes[path] is not None else "/dev/null",
        )
        parts += [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]
    return "".join(parts)

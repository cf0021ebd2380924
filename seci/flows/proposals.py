"""A consolidation cut into proposals that can be accepted one by one: no two of them touch the same file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from seci.core.consolidation import Contradiction
from seci.core.recurrence import Proposal, Rollup
from seci.flows.consolidate import Action, ConsolidateReport, list_actions, render_action, render_moves
from seci.flows.rejection import render_refusals


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What belongs together: actions that share notes, and the files that they change (None for one that goes)."""

    actions: tuple[Action, ...]
    changes: Mapping[str, str | None]
    message: str


def split_proposals(report: ConsolidateReport) -> list[ChangeSet]:
    """The proposals of a plan in order of their first action. Together they change what the plan changes."""
    groups = _Groups()
    ids = {path: ident for ident, path in report.paths.items()}
    actions = [action for action in list_actions(report.plan) if not isinstance(action, Contradiction)]
    for action in actions:
        groups.join(_touched(action))
    for path, lost in _relinked(report).items():
        groups.join([ids[path], *lost])
    acting: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        acting[groups.of(_touched(action)[0])].append(action)
    changing: dict[str, dict[str, str | None]] = defaultdict(dict)
    for path, text in report.changes.items():
        changing[groups.of(ids[path])][path] = text
    return [
        ChangeSet(tuple(members), changing[key], _message(members, report))
        for key, members in acting.items()
        if changing[key]
    ]


def _touched(action: Action) -> list[str]:
    """Every note that an action changes; what a pattern is drawn from stays as it is."""
    match action:
        case Proposal():
            return [action.note.id]
        case Rollup():
            return [action.note.id, *action.ids]
        case _:
            return list(action.ids)


def _relinked(report: ConsolidateReport) -> dict[str, list[str]]:
    """Path of each changed file that names notes which go, to their ids."""
    found: dict[str, list[str]] = defaultdict(list)
    for lost, forms in render_moves(report.plan.successors, report.paths).items():
        for path, text in report.before.items():
            if any(form in text for form in forms):
                found[path].append(lost)
    return found


def _message(actions: Sequence[Action], report: ConsolidateReport) -> str:
    lines = [render_action(action, report.plan) for action in actions]
    subject = lines[0].removeprefix("- ")
    trailers = [*render_refusals(actions), "Seci-Verb: consolidate"]
    return "\n".join([subject[:1].upper() + subject[1:], "", *lines, "", *trailers, ""])


class _Groups:
    """Sets of ids that belong together (union-find)."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def of(self, ident: str) -> str:
        while (above := self._parent.get(ident, ident)) != ident:
            ident = above
        return ident

    def join(self, ids: Iterable[str]) -> None:
        first, *rest = map(self.of, ids)
        for other in rest:
            if (root := self.of(other)) != first:
                self._parent[root] = first

"""What turning down a proposal leaves behind, so that the next consolidation does not propose it again.

A proposal says in lines of its message what a refusal would mean; the branch that it waits on is all that is left of
the plan by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from seci.core.apart import confirm, keep_apart, refuse_pattern
from seci.core.consolidation import Contradiction, MarkStale, Merge, Supersede
from seci.core.note import Note
from seci.core.recurrence import Proposal, Rollup
from seci.flows.consolidate import Action

APART = "Seci-Apart:"  # ids of notes that are to be kept apart
FRESH = "Seci-Fresh:"  # an id and the reason for which it is not stale
NO_PATTERN = "Seci-No-Pattern:"  # an id and the command of that note that is no pattern


def render_refusals(actions: Iterable[Action]) -> list[str]:
    """The lines of a proposal's message that say what its refusal means."""
    lines = []
    for action in actions:
        match action:
            case Merge() | Supersede() | Contradiction() | Rollup():
                lines.append(f"{APART} {' '.join(action.ids)}")
            case MarkStale() if not action.archive:
                lines.append(f"{FRESH} {action.ids[0]} {action.reason}")
            case Proposal():
                lines += [f"{NO_PATTERN} {ident} {action.command}" for ident in action.ids]
            case _:
                pass  # archiving is done only when asked for, and a broken link stays one
    return lines


def plan_refusals(lines: Iterable[str], notes: Mapping[str, Note]) -> dict[str, Note]:
    """The notes that change, by id, when what these lines name is turned down. Other lines say nothing, nor does an
    id that no note has any more."""
    changed: dict[str, Note] = {}
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == APART:
            for first, other in combinations(sorted(ident for ident in rest.split() if ident in notes), 2):
                changed[first] = keep_apart(changed.get(first, notes[first]), [other])
        elif kind in (FRESH, NO_PATTERN):
            ident, _, told = rest.partition(" ")
            if ident in notes:
                remember = confirm if kind == FRESH else refuse_pattern
                changed[ident] = remember(changed.get(ident, notes[ident]), told)
    return {ident: note for ident, note in changed.items() if note != notes[ident]}

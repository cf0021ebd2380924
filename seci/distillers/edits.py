"""What was carried out, as far as the calls of tools that stand in a session tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.distillers.candidate import Candidate
from seci.distillers.deeds import Deed
from seci.distillers.topics import Topic

# The name of a tool that changes files, whichever agent it belongs to; lists of tasks are none.
_EDIT = re.compile(r"(?!todo)[\w-]*(?:edit|write|patch|replace|create_?file)[\w-]*", re.IGNORECASE)
_IS_TO = re.compile(r"^(?P<fix>The (?:\w+ )?(?:fix|change|patch|solution)) is to\b")
_PLAIN = re.compile(r"^The (?P<what>fix|change|patch|solution) is to\b")


@dataclass(frozen=True, slots=True)
class Edits:
    """The turns after which files were changed before the user asked for something else; `known` is False in a session
    that holds no calls of tools at all."""

    before: frozenset[int]
    known: bool

    def state(self, text: str, turn: int) -> str:
        """A sentence that says what the fix is, told as made or as proposed; any other as it is."""
        if turn in self.before:
            return _IS_TO.sub(r"\g<fix> was to", text)
        return _PLAIN.sub(r"The proposed \g<what> is to", text) if self.known else text


def read_edits(topics: Sequence[Topic]) -> Edits:
    """The edits of a session."""
    before: set[int] = set()
    known = False
    for topic in topics:
        turns = [*([topic.asked] if topic.asked else []), *topic.approvals, *topic.answers]
        known = known or any(turn.tools for turn in turns)
        last = max((turn.index for turn in turns if any(map(_EDIT.match, turn.tools))), default=-1)
        before.update(turn.index for turn in turns if turn.index <= last)
    return Edits(frozenset(before), known)


def tell_state(candidate: Candidate, edits: Edits) -> Candidate:
    """The candidate with each fix told as made or as proposed."""
    units = tuple(
        replace(scored, unit=replace(scored.unit, text=edits.state(scored.unit.text, scored.unit.turn)))
        for scored in candidate.units
    )
    ending = candidate.ending
    if Deed(ending, -1).proposed:
        ending = edits.state(ending, max(candidate.turns))
    return replace(candidate, units=units, ending=ending)

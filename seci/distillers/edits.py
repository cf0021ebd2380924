"""What was carried out, as far as the calls of tools that stand in a session tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.distillers.assembly import BODY_WORDS
from seci.distillers.candidate import Candidate
from seci.distillers.deeds import Deed
from seci.distillers.language import Cues
from seci.distillers.sentences import count_words
from seci.distillers.topics import Topic

# The name of a tool that changes files, whichever agent it belongs to; lists of tasks are none.
_EDIT = re.compile(r"(?!todo)[\w-]*(?:edit|write|patch|replace|create_?file)[\w-]*", re.IGNORECASE)
_IS_TO = re.compile(r"^(?P<fix>The (?:\w+ )?(?:fix|change|patch|solution)) is to\b")
# A command, or the work of another agent, that may change files as well.
_WRITES = re.compile(
    r"(?:Task|Agent)(?::|$)|"
    r"\w+: .*(?:\bsed -i|\bgit (?:apply|merge|cherry-pick|revert)\b|\bpatch\b|\btee\b|(?<![\d&=-])>+ ?[\w./~])"
)
_DOCUMENT = re.compile(r"\w+: .*?(?P<name>[\w.-]+\.(?:md|mdx|rst|adoc|txt))$")
_SHOULD = re.compile(r"(?:We|You|I) should\b|.*\b(?:fix|approach|solution|change) would be to\b")
_PLAIN = re.compile(r"^The (?P<what>fix|change|patch|solution) is to\b")


@dataclass(frozen=True, slots=True)
class Edits:
    """The turns after which files were changed before the user asked for something else; `known` is False in a session
    that holds no calls of tools at all."""

    before: frozenset[int]
    known: bool
    last: int = -1  # the turn of the last edit, commands that may have changed files among them
    document: str = ""  # the only file that was changed, where it is a document

    def state(self, text: str, turn: int) -> str:
        """A sentence that says what the fix is, told as made or as proposed; any other as it is."""
        if turn in self.before:
            return _IS_TO.sub(r"\g<fix> was to", text)
        return _PLAIN.sub(r"The proposed \g<what> is to", text) if self.known else text

    def verdict(self, candidate: Candidate, cues: Cues) -> str:
        """What became of a proposal, where the session tells that no code was changed for it."""
        texts = [scored.unit.text for scored in candidate.units]
        proposed = any(map(_SHOULD.match, texts))
        planned = any("should" in text.split() or cues.starts("imperative", text) for text in texts)
        if self.document and (planned or (candidate.asked is not None and candidate.asked.kind == "request")):
            return f"In the session only `{self.document}` was changed for it, no code."
        if self.known and self.last < min(candidate.turns) and proposed:
            return "It was not carried out in the session."
        return ""


def read_edits(topics: Sequence[Topic]) -> Edits:
    """The edits of a session."""
    before: set[int] = set()
    known = False
    edited: list[tuple[int, str]] = []
    for topic in topics:
        turns = [*([topic.asked] if topic.asked else []), *topic.approvals, *topic.answers]
        known = known or any(turn.tools for turn in turns)
        last = max((turn.index for turn in turns if any(map(_EDIT.match, turn.tools))), default=-1)
        called = [(turn.index, line) for turn in turns for line in turn.tools]
        edited += [(at, line) for at, line in called if _EDIT.match(line) or _WRITES.match(line)]
        before.update(turn.index for turn in turns if turn.index <= last)
    documents = {match["name"] if (match := _DOCUMENT.match(line)) else "" for _, line in edited}
    return Edits(
        frozenset(before),
        known,
        max((at for at, _ in edited), default=-1),
        documents.pop() if len(documents) == 1 else "",
    )


def tell_verdict(candidate: Candidate, edits: Edits, cues: Cues) -> Candidate:
    """The candidate of a proposal with what became of it, where nothing else ends it."""
    told = "" if candidate.ending else edits.verdict(candidate, cues)
    room = count_words(candidate.body) + count_words(told) <= BODY_WORDS
    return replace(candidate, ending=told) if told and room else candidate


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

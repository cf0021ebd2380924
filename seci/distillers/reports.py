"""All that a session reports as done, and which of it was given up later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from seci.distillers.deed_blocks import read_deeds
from seci.distillers.deeds import DONE, Deed, beside_words
from seci.distillers.language import Cues
from seci.distillers.salience import NAMED
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.topics import Topic

SHORT_ASK = 300  # characters of a user's turn that is about one thing
REACH = 3  # words after "instead of" in which what was given up is named
LONGEST = 8000  # characters of a turn in which it is looked for

# What a review describes was done by somebody else.
_REVIEW = re.compile(r"(?:please |can you |could you |/[\w:-]*)*review\b", re.IGNORECASE)
_GIVES_UP = re.compile(
    r"\b(?:instead of|rather than|remov(?:e|ed|es|ing)|delet(?:e|ed|ing)|drop(?:ped|ping)?|revert(?:ed|ing)?|undo|"
    r"undid|get rid of|replac(?:e|ed|es|ing)|no longer)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Report:
    """A deed and the place of its exchange in the session."""

    deed: Deed
    order: int


@dataclass(frozen=True, slots=True)
class Reports:
    """What was done and lasted, in order; `undone` holds the text of each report that did not, with the turn that gave
    it up."""

    lasting: tuple[Report, ...]
    undone: Mapping[str, int] = field(default_factory=dict)

    def of(self, orders: frozenset[int]) -> Reports:
        """Those of some exchanges only."""
        return Reports(tuple(report for report in self.lasting if report.order in orders), self.undone)


def read_reports(topics: Sequence[Topic], cues: Cues, casing: Casing) -> Reports:
    """All that the answers report, in order, apart from what was given up later."""
    wanted: set[str] = set()  # what is beside a change, but was asked for
    found: list[Report] = []
    for topic in topics:
        if topic.asked is not None and len(topic.asked.text) < SHORT_ASK:
            wanted |= beside_words(topic.asked.text)
        if topic.asked is not None and _REVIEW.match(topic.asked.text):
            continue
        for answer in topic.answers:
            for deed in read_deeds(answer.text, answer.index, cues, casing):
                beside = deed.beside and not wanted & beside_words(deed.text)
                found.append(Report(replace(deed, beside=beside), topic.order))
    turns = [turn for topic in topics for turn in (*([topic.asked] if topic.asked else []), *topic.answers)]
    given_up = [(turn.index, said) for turn in turns for said in _given_up(turn.text)]
    ends = {report.deed.text: _end_of(report.deed, given_up) for report in found}
    undone = {text: turn for text, turn in ends.items() if turn is not None}
    return Reports(tuple(report for report in found if report.deed.text not in undone), undone)


def _end_of(deed: Deed, given_up: Sequence[tuple[int, str]]) -> int | None:
    """The later turn that speaks of removing or replacing the first thing that a deed names; None where it lasted."""
    named = NAMED.search(deed.text, len(DONE) if deed.is_change else 0)
    if named is None or _GIVES_UP.search(deed.text[: named.start()]):  # what it removed itself
        return None
    first = re.compile(rf"(?<![\w/.]){re.escape(named[0].strip('`').removesuffix('()'))}(?![\w/])")
    return next((turn for turn, said in given_up if turn > deed.turn and first.search(said)), None)


def _given_up(text: str) -> Iterable[str]:
    for sentence in split_sentences(text[:LONGEST]):
        for match in _GIVES_UP.finditer(sentence):
            yield " ".join(sentence[match.end() :].split()[:REACH])

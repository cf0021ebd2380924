"""A note in the making, and what it is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seci.distillers.assembly import Scored
from seci.distillers.language import Cues
from seci.distillers.salience import is_measured, is_passing, is_substantive, says_why, score_sentence
from seci.distillers.sentences import count_words
from seci.distillers.told import Told
from seci.distillers.topics import Topic
from seci.distillers.voice import is_report_heading

COMMANDS = "commands"  # the role of a unit that tells commands
SHORT_NOTE = 24  # words; a shorter note needs SHORT_SCORE points
SHORT_SCORE = 3.0
BARE_DECISION = 9  # words
QUESTION = 300  # characters of a question that is about one thing
DECIDED = 2.0  # points that put a decision before the proposal that it repeats
# Points of what a user says about themselves or decides, which is worth a note by itself.
WEIGHT = {"wish": 2.2, "limit": 2.2, "decision": 1.4, "fact": 1.2, "plan": 1.2}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note in the making. `score` is the sum of its best sentences' points, `order` its place in the session."""

    subject: str
    units: tuple[Scored, ...]
    asked: Told | None
    turns: tuple[int, ...]
    score: float
    order: int
    decided: bool = False
    substantive: bool = True
    asked_turn: int = -1  # the turn of `asked`
    ending: str = ""  # what was done about it
    about: str = ""  # the thing in code that the question names first
    led: bool = False  # `asked` is the question, which only names what the answer is about

    @property
    def decisive(self) -> bool:
        """Whether it tells a decision or a standing order."""
        return self.asked is not None and (self.asked.kind == "decision" or self.asked.standing)

    @property
    def commands(self) -> bool:
        """Whether it tells commands and what they do."""
        return bool(self.units) and self.units[0].unit.role == COMMANDS

    @property
    def body(self) -> str:
        parts = [self.asked.text] if self.asked else []
        return " ".join([*parts, *(scored.unit.text for scored in self.units), *([self.ending] if self.ending else [])])


def make_candidate(subject: str, body: Sequence[Scored], asked: Told | None, topic: Topic, cues: Cues) -> Candidate:
    """The candidate that `body` and the user's sentence make, with its points and the turns that it rests on."""
    turns = {scored.unit.turn for scored in body}
    if asked is not None and topic.asked is not None:
        turns.add(topic.asked.index)
    score = sum(sorted((s.score for s in body), reverse=True)[:4])
    if asked is not None:
        score += 0.8 + 0.5 * score_sentence(asked.text, count_words(asked.text), cues)
        score += WEIGHT.get(asked.kind, 0.8) + (0.5 if asked.standing else 0.0)
        score += 0.5 if asked.correction else 0.0
        score += DECIDED if asked.kind == "decision" else 0.0
    if subject:
        score += 0.5
    if subject and is_report_heading(subject):
        score -= 1.0
        substantive = any(says_why(s.unit.text, cues) for s in body)
    else:
        substantive = any(is_substantive(s.unit, s.score, cues) for s in body) or _weighty(asked, cues)
    if body and body[0].unit.role == COMMANDS:
        substantive = True
    elif not _long_enough(body, asked, score, cues) or _only_passing(body, asked) or _only_silences(body, asked):
        substantive = False
    return Candidate(
        subject,
        tuple(body),
        asked,
        tuple(sorted(turns)),
        score,
        topic.order,
        bool(topic.approvals),
        substantive,
        topic.asked.index if asked is not None and topic.asked is not None else -1,
        about=_asked_thing(topic),
    )


def _asked_thing(topic: Topic) -> str:
    """The first thing in code that a short question names; empty for other turns."""
    text = topic.asked.text if topic.asked else ""
    named = re.search(r"`[^`]+`|\b[a-z]+[A-Z]\w*(?:\.\w+)*(?:\(\))?|\b\w+\.\w+\(\)", text)
    return named[0].strip("`") if named and len(text) <= QUESTION and text.rstrip().endswith("?") else ""


def _only_passing(body: Sequence[Scored], asked: Told | None) -> bool:
    """A note of nothing but measured times, in few words, or the calls that lead through the code."""
    told = " ".join(scored.unit.text for scored in body)
    measured = is_measured(told) and count_words(told) < SHORT_NOTE
    return asked is None and bool(body) and (measured or all(s.unit.listed and is_passing(s.unit.text) for s in body))


# A remark to a checker of code that it shall keep silent about a line.
_CHECKER = re.compile(
    r"nolint|noqa|ts-ignore|type: ignore|eslint-disable|pylint|\blint(?:er|ers|ing)?\b", re.IGNORECASE
)


def _only_silences(body: Sequence[Scored], asked: Told | None) -> bool:
    """A note of nothing but what a linter complained of and how it was told not to."""
    units = [scored.unit for scored in body]
    return asked is None and bool(units) and all(_CHECKER.search(unit.text) or unit.leans for unit in units)


def _long_enough(body: Sequence[Scored], asked: Told | None, score: float, cues: Cues) -> bool:
    """A short note must say something weighty: what the user wants, or a choice with its reason."""
    words = sum(s.unit.words for s in body) + (count_words(asked.text) if asked else 0)
    if asked is not None and asked.kind == "decision" and words < BARE_DECISION and not says_why(asked.text, cues):
        return False  # "decided to do the simple approach", with nothing said of it
    if words >= SHORT_NOTE or score >= SHORT_SCORE or (asked is not None and asked.kind in WEIGHT):
        return True
    return any(cues.signal("chosen", s.unit.text) and says_why(s.unit.text, cues) for s in body)


def _weighty(asked: Told | None, cues: Cues) -> bool:
    """A user's sentence that is worth a note by itself."""
    if asked is None:
        return False
    if asked.kind in WEIGHT:
        return True
    reasoned = any(cues.signal(name, asked.text) for name in ("cause", "reason", "condition", "rule"))
    if asked.errand or count_words(asked.text) < 12:
        return False
    return (asked.kind == "request" and (reasoned or asked.correction)) or (asked.kind == "statement" and reasoned)

"""Candidate notes: the best units of an exchange, or of one of its headed sections, put together in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from seci.core.session import Turn
from seci.distillers.exchanges import Exchange
from seci.distillers.language import Cues
from seci.distillers.passages import Unit, parse_sections
from seci.distillers.requests import Told, tell_user
from seci.distillers.salience import score_unit
from seci.distillers.sentences import Casing, count_words

BODY_WORDS = 78
MIN_WORDS = 14
SECTION_WORDS = 24  # a headed section of at least this many words may be a note of its own


@dataclass(frozen=True, slots=True)
class Scored:
    unit: Unit
    score: float


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
    corrected: bool = field(default=False)

    @property
    def body(self) -> str:
        parts = [self.asked.text] if self.asked else []
        return " ".join(parts + [scored.unit.text for scored in self.units])


@dataclass(frozen=True, slots=True)
class Topic:
    """One or more exchanges about one thing: a question, the answer, and the approvals that follow it."""

    asked: Turn | None
    answers: tuple[Turn, ...]
    order: int
    approvals: tuple[Turn, ...] = ()


def join_approvals(exchanges: Sequence[Exchange]) -> list[Topic]:
    """Topics: an exchange that only approves belongs to the proposal before it."""
    topics: list[Topic] = []
    for order, exchange in enumerate(exchanges):
        if exchange.approves and topics and exchange.asked is not None:
            last = topics[-1]
            topics[-1] = Topic(
                last.asked, last.answers + exchange.answers, last.order, (*last.approvals, exchange.asked)
            )
        else:
            topics.append(Topic(exchange.asked, exchange.answers, order))
    return topics


def draft_candidates(topic: Topic, overturned: bool, cues: Cues, casing: Casing) -> list[Candidate]:
    """The candidates of one topic. `overturned`: the user objected next, so what was done here did not last."""
    sections = [s for turn in topic.answers for s in parse_sections(turn.text, turn.index, cues, casing)]
    last = topic.answers[-1].index if topic.answers else -1
    told = tell_user(topic.asked.text, cues, casing) if topic.asked is not None else []
    asked = select_told(told, topic.asked)
    pooled: list[Scored] = []
    found: list[Candidate] = []
    for section in sections:
        scored = [_scored(unit, last, overturned, cues) for unit in section.units]
        if section.subject and sum(s.unit.words for s in scored) >= SECTION_WORDS:
            body = assemble(scored, BODY_WORDS)
            if body:
                found.append(_candidate(section.subject, body, None, topic))
        else:
            pooled.extend(scored)
    room = BODY_WORDS - (count_words(asked.text) if asked else 0)
    body = assemble(pooled, room)
    if body or (asked and asked.kind != "request"):
        found.append(_candidate("", body, asked, topic))
    return found


def _scored(unit: Unit, last: int, overturned: bool, cues: Cues) -> Scored:
    score = score_unit(unit, unit.turn == last, cues)
    if overturned and cues.signal("fix", unit.text):
        score -= 1.5
    return Scored(unit, score)


def _candidate(subject: str, body: Sequence[Scored], asked: Told | None, topic: Topic) -> Candidate:
    turns = {scored.unit.turn for scored in body}
    if asked is not None and topic.asked is not None:
        turns.add(topic.asked.index)
    score = sum(sorted((s.score for s in body), reverse=True)[:4])
    if asked is not None:
        score += (
            1.0
            + (1.0 if asked.kind in ("wish", "limit", "decision") else 0.0)
            + (0.5 if asked.standing else 0.0)
        )
    if subject:
        score += 0.5
    return Candidate(
        subject, tuple(body), asked, tuple(sorted(turns)), score, topic.order, bool(topic.approvals)
    )


def select_told(told: Sequence[Told], asked: Turn | None) -> Told | None:
    """The one sentence of a user's turn worth telling: a wish, limit, decision or correction before a request."""
    if asked is None or len(asked.text) > 1500:
        return None
    rank = {
        "limit": 5,
        "wish": 5,
        "decision": 4,
        "plan": 3,
        "fact": 3,
        "question": 2,
        "request": 2,
        "statement": 1,
    }
    best: Told | None = None
    best_rank = 0.0
    for one in told:
        value = rank[one.kind] + (1 if one.correction else 0) + (1 if one.standing else 0)
        if one.kind == "statement" and (not one.correction or len(asked.text) > 400):
            continue
        if one.kind == "question" and not one.correction:
            continue
        if one.kind == "request" and count_words(one.text) < 9:
            continue
        if value > best_rank:
            best, best_rank = one, value
    return best


def assemble(units: Sequence[Scored], limit: int) -> list[Scored]:
    """The best units in their order within `limit` words; one that leans comes only with the unit before it.

    Empty when nothing worth keeping is left."""
    chosen: set[int] = set()
    words = 0
    ranked = sorted(range(len(units)), key=lambda i: (-units[i].score, -i))
    for at in ranked:
        if units[at].score < 0.9 or len(chosen) >= 5:
            continue
        needed = [at]
        while units[needed[-1]].unit.leans and needed[-1] > 0:
            needed.append(needed[-1] - 1)
        if units[needed[-1]].unit.leans:
            continue
        fresh = [i for i in needed if i not in chosen]
        if any(_repeats(units[i].unit.text, (units[j].unit.text for j in chosen)) for i in fresh):
            continue
        added = sum(units[i].unit.words for i in fresh)
        if words + added > limit:
            continue
        chosen.update(fresh)
        words += added
    return [units[i] for i in sorted(chosen)] if words else []


def content_words(text: str) -> frozenset[str]:
    """Lower-case words of four letters and more, and the parts of identifiers: what two texts share if alike."""
    return frozenset(word.lower() for word in re.findall(r"[^\W\d_]{4,}|\d{3,}|\w+_\w+", text))


def _repeats(text: str, others: Iterable[str]) -> bool:
    mine = content_words(text)
    for other in others:
        theirs = content_words(other)
        if mine and theirs and len(mine & theirs) >= 0.7 * min(len(mine), len(theirs)):
            return True
    return False

"""What a user's turn contributes to its topic: rules of their own, a decision, a correction, a weighty remark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.core.session import Role, Turn
from seci.distillers.joining import join_told
from seci.distillers.language import Cues
from seci.distillers.objections import quote_user
from seci.distillers.picks import tell_agreement, tell_choice
from seci.distillers.plans import plan_text
from seci.distillers.requests import tell_user
from seci.distillers.sentences import Casing, count_words, finish_sentence
from seci.distillers.told import PERSONAL, Told, is_report
from seci.distillers.topics import Topic, speaker
from seci.distillers.voice import tell_theirs

LONG_TURN = 1200  # characters of a user's turn that is no longer talk


TALK_WORDS = 20  # of a user's turn that may hold an argument


LONG_ASKED = 1500  # characters of a user's turn in which no single sentence is looked for


def tell_topic(topic: Topic, cues: Cues, casing: Casing) -> list[Told]:
    """What the user's turn itself says; little for plans and reports, whose sentences are read as prose."""
    turn = topic.asked
    if turn is None or plan_text(turn, cues):
        return []
    told = tell_user(turn.text, cues, casing, speaker(turn))
    if is_report(turn.text):  # of which only a rule of one's own is talk
        return [one for one in told if one.standing and one.kind == "limit" and _OWN_RULE.search(one.text)]
    return told


_OWN_RULE = re.compile(r"\b(?:we|our|I|my|from now on|going forward|in future)\b", re.IGNORECASE)


def select_rules(told: Sequence[Told], turn: Turn | None, cues: Cues) -> Told | None:
    """The wishes and limits of a turn, told together."""
    rules = [one for one in told if one.kind in ("wish", "limit")]
    if turn is None or not rules or len(turn.text) > LONG_ASKED:
        return None
    main = rules[0]
    return join_told(main, [main, *told], turn.text, cues)


def select_asked(told: Sequence[Told], topic: Topic, cues: Cues, casing: Casing, ruled: bool) -> Told | None:
    """The one thing of a user's turn that the answer belongs to."""
    turn = topic.asked
    if turn is None or plan_text(turn, cues) or is_report(turn.text):
        return None
    proposal = topic.proposal.text if topic.proposal else ""
    asked = tell_choice(turn.text, proposal, cues, casing)
    if asked is None and topic.proposal is not None and turn.role is Role.USER:
        asked = tell_agreement(turn.text, cues, casing)
    asked = asked or select_told(told, turn, cues)
    if asked is not None:
        return join_told(asked, told, turn.text, cues)
    if not ruled and turn.role is Role.USER and len(turn.text) < LONG_TURN and _objects(turn.text, cues):
        return quote_user(turn.text, cues)
    return None


def stands_alone(asked: Told, who: str, topic: Topic) -> bool:
    """Wishes and limits are notes of their own; facts and plans too where the talk is not about code."""
    if asked.kind not in PERSONAL or asked.text.startswith(f"{who} said"):
        return False
    technical = any("`" in turn.text for turn in topic.answers)
    return asked.kind in ("wish", "limit") or not technical


def tell_question(turn: Turn | None, cues: Cues) -> Told | None:
    """The question of a short turn, told or word for word; none where it asks for a deed or points at something."""
    if turn is None or turn.role is not Role.USER or len(turn.text) > SHORT_QUESTION:
        return None
    text = turn.text.strip()
    if match := _EXPLAIN.match(text):
        what = tell_theirs(match["what"].strip())
        return Told(finish_sentence(f"{speaker(turn)} asked {what}"), "question", correction=True)
    asked = quote_user(text, cues) if text.endswith("?") else None
    return asked if asked and asked.kind == "question" and not _DO_IT.search(asked.text) else None


SHORT_QUESTION = 240  # characters of a turn that asks one thing
# "Can you explain me why we need ...?"
_EXPLAIN = re.compile(
    r"(?:(?:can|could) you (?:please )?)?(?:explain|tell)(?: to)?(?: me)? "
    r"(?P<what>(?:why|how|what|when|where)\b[^?\n]+)\?$",
    re.IGNORECASE,
)
_DO_IT = re.compile(
    r"\b(?:can|could) (?:you|we) (?!check\b|see\b)\w+ (?:it|this|that|them|these|those)\b", re.IGNORECASE
)


def _objects(text: str, cues: Cues) -> bool:
    felt = (
        cues.says("corrections", text[:200]) or cues.says("dislikes", text[:400]) or cues.says("requires", text[:400])
    )
    return felt or (count_words(text) >= TALK_WORDS and any(cues.signal(n, text) for n in ("cause", "reason", "rule")))


def select_told(told: Sequence[Told], asked: Turn | None, cues: Cues) -> Told | None:
    """The one sentence of a user's turn worth telling: a wish, limit, decision or correction before a request."""
    if asked is None or len(asked.text) > LONG_ASKED:
        return None
    rank = {
        "limit": 5,
        "wish": 5,
        "decision": 4,
        "plan": 3,
        "fact": 3,
        "question": 2,
        "need": 1,
        "request": 2,
        "statement": 1,
    }
    best: Told | None = None
    best_rank = 0.0
    for one in told:
        value: float = rank[one.kind] + (1 if one.correction else 0) + (1 if one.standing else 0)
        value += 0.5 if one.kind == "request" and cues.signal("reason", one.text) else 0.0
        if one.kind == "statement" and not _weighs(one, asked.text, cues):
            continue
        if one.kind == "question" and not one.correction:
            continue
        if one.kind == "request" and (one.errand or count_words(one.text) < 8):
            continue
        if value > best_rank:
            best, best_rank = one, value
    return best


def _weighs(statement: Told, text: str, cues: Cues) -> bool:
    """A statement that corrects, requires or gives a cause, in a turn that is not a long story."""
    if len(text) > 400:
        return False
    told = statement.text
    return (
        statement.correction or cues.says("requires", told) or cues.signal("cause", told) or cues.signal("date", told)
    )

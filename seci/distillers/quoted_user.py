"""What the user says as notes: rules, decisions with their reason, choices, plans, facts."""

from __future__ import annotations

from dataclasses import replace

from seci.core.note import Namespace
from seci.core.session import Role
from seci.distillers.headlines import LEAST, headline, width
from seci.distillers.language import Voices
from seci.distillers.markdown import parse_blocks
from seci.distillers.quotes import RULE_SCORE, SHELVES, Quote, joined, quoted, terms
from seci.distillers.remarks import Remark
from seci.distillers.sentences import finish_sentence, split_sentences
from seci.distillers.statements import Statement, read_statements
from seci.distillers.topics import Topic, speaker

SHORT = 6  # columns of a title that is told after the kind of what it names


def quote_remark(remark: Remark, topic: Topic, voices: Voices) -> Quote | None:
    """What the user said, with who said it and as what."""
    cues = voices.user
    title = headline(remark.gist, cues, SHORT) or headline(split_sentences(remark.text)[0], cues, SHORT)
    if title and width(title) < LEAST:
        title = cues.lead[remark.kind].format(title)
    if not title or topic.asked is None:
        return None
    shelf = SHELVES[remark.kind]
    if topic.asked.role is Role.PARTICIPANT and topic.asked.speaker:
        body = f"{speaker(topic.asked)}: {quoted(remark.text, cues)}"
        if shelf.namespace is Namespace.BRAIN:
            shelf = replace(shelf, namespace=Namespace.CLIENTS)
    else:
        body = cues.lead[remark.kind].format(quoted(remark.text, cues))
    if remark.kind in ("standing", "limit", "preference") and cues.says("wording", remark.text):
        shelf = replace(shelf, namespace=Namespace.VOICE)
    if remark.kind == "fact" and cues.says("clients", remark.text):
        shelf = replace(shelf, namespace=Namespace.CLIENTS)
    elif remark.kind == "fact" and cues.says("own_facts", remark.text):
        shelf = replace(shelf, namespace=Namespace.BRAIN)
    score = RULE_SCORE + (1.0 if remark.kind in ("standing", "decision") else 0.0)
    turns = {topic.asked.index}
    if remark.kind == "decision" and (reason := _reason(remark, topic, voices)):
        body = joined([body, cues.lead["reason"].format(quoted(reason.text, cues))], cues)
        turns.add(reason.unit.turn)
    return Quote(title, body, remark.kind, tuple(sorted(turns)), score, topic.order, shelf, said=remark.text)


def _reason(remark: Remark, topic: Topic, voices: Voices) -> Statement | None:
    """The sentence of the answer, or of the proposal before, that says why what was decided is right."""
    wanted = frozenset(terms(remark.text))
    turns = [*topic.answers, *([topic.proposal] if topic.proposal else [])]
    found = [
        one
        for turn in turns
        for one in read_statements(turn.text, turn.index, False, voices.answers)
        if not one.unit.leans and one.words <= 36 and any(one.signals(n, voices.answers) for n in ("reason", "cause"))
    ]
    near = [one for one in found if len(wanted & frozenset(terms(one.text))) >= 1]
    return max(near, key=lambda one: (len(wanted & frozenset(terms(one.text))), one.score), default=None)


def quote_choice(topic: Topic, voices: Voices) -> list[Quote]:
    """A pick from the numbered options of the proposal before ("die 2", "B 方案")."""
    if topic.asked is None or topic.proposal is None:
        return []
    match = voices.user.whole("choices", topic.asked.text.strip()[:80])
    if match is None:
        return []
    options = [block for block in parse_blocks(topic.proposal.text) if block.kind == "item" and block.level < 2]
    options = [block for block in options if block.ordered] or options
    picked = next(group for group in match.groups() if group)
    number = int(picked) if picked.isdigit() else "abcd".index(picked.lower()) + 1
    if not 1 <= number <= len(options) or len(options) < 2:
        return []
    block = options[number - 1]
    option = f"{block.label}: {block.text}" if block.label and block.text else block.label or block.text
    first = finish_sentence(split_sentences(option)[0])
    title = headline(first, voices.answers) or headline(block.label, voices.answers)
    if not title:
        return []
    body = voices.user.lead["chosen"].format(first)
    turns = (topic.proposal.index, topic.asked.index)
    return [Quote(title, body, "decision", turns, RULE_SCORE, topic.order, SHELVES["decision"], said=first)]

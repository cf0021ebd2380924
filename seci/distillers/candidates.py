"""Candidate notes: the best units of an exchange, or of one of its headed sections, put together in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.distillers.asking import select_asked, select_rules, stands_alone, tell_question, tell_topic
from seci.distillers.assembly import BODY_WORDS, Scored, assemble, content_words, partition, repeats, stems
from seci.distillers.candidate import COMMANDS, WEIGHT, Candidate, make_candidate
from seci.distillers.choices import name_choice
from seci.distillers.commands import is_command, name_task, tell_commands, tell_task
from seci.distillers.findings import tell_finding
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.passages import Unit, parse_sections, parse_units
from seci.distillers.plans import plan_sections, plan_text
from seci.distillers.referents import resolve_subject
from seci.distillers.salience import NAMED, NEVER, is_substantive, says_why, score_unit
from seci.distillers.sentences import Casing, capitalise, count_words
from seci.distillers.subjects import is_unnamed
from seci.distillers.told import Told, is_report
from seci.distillers.topics import Topic, speaker
from seci.distillers.voice import is_change, lists_edits

MIN_WORDS = 14


COMMANDS_SCORE = 3.0


PLAN_NOTES = 5  # of one plan


UNNAMED = 0.8  # points that a note loses which never says what it is about


SECTION_WORDS = 24  # a headed section of at least this many words may be a note of its own


def draft_candidates(topic: Topic, overturned: bool, cues: Cues, casing: Casing) -> list[Candidate]:
    """The candidates of one topic. `overturned`: the user objected next, so what was done here did not last."""
    found: list[Candidate] = []
    if plan := plan_text(topic.asked, cues):
        found.extend(_plan_candidates(plan, topic, cues, casing))
    found.extend(_command_candidates(topic, cues, casing))
    told = tell_topic(topic, cues, casing)
    rules = select_rules(told, topic.asked, cues)
    corrects = rules is not None and not rules.standing and any(o.kind == "request" and not o.errand for o in told)
    if rules is not None and (corrects or not stands_alone(rules, speaker(topic.asked), topic)):
        rules = None
    if rules is not None:
        found.append(make_candidate("", _enforced(rules, topic, cues, casing), rules, topic, cues))
        told = [one for one in told if one.kind not in ("wish", "limit", "fact", "plan")]
    asked = select_asked(told, topic, cues, casing, bool(rules))
    if corrects and asked is not None and (wanted := next((o for o in told if o.kind == "request"), None)):
        asked = replace(asked, text=f"{asked.text} {wanted.text}") if wanted.text not in asked.text else asked
    if asked is not None and asked.kind == "decision":
        found.append(_decision(asked, topic, cues, casing))
        asked = None
    if asked is not None and not corrects and stands_alone(asked, speaker(topic.asked), topic):
        found.append(make_candidate("", [], asked, topic, cues))
        asked = None
    finding = () if overturned else tell_finding(topic, cues, casing)
    if finding:
        found.append(make_candidate("", finding, None, topic, cues))
    own, pooled = _sections(topic, overturned, bool(finding), cues, casing)
    found.extend(_answering(make_candidate(subject, body, None, topic, cues), topic, cues) for subject, body in own)
    groups = partition(pooled)
    home = _home(groups, asked)
    for at, group in enumerate(groups):
        told_here = asked if at == home else None
        body = assemble(group, BODY_WORDS - (count_words(told_here.text) if told_here else 0))
        if body:
            one = make_candidate("", body, told_here, topic, cues)
            found.append(one if told_here else _answering(one, topic, cues))
            asked = None if told_here else asked
    if asked and count_words(asked.text) >= (8 if asked.kind in WEIGHT else 12):
        found.append(make_candidate("", [], asked, topic, cues))
    return found


def _answering(candidate: Candidate, topic: Topic, cues: Cues) -> Candidate:
    """The candidate after the question that it answers, where only that names what its first sentence is about; it is
    worth less where nothing does."""
    unnamed = bool(candidate.units) and is_unnamed(candidate.units[0].unit.text)
    about = candidate.about.removesuffix("()")
    if (about.rpartition(".")[0] or about) in candidate.body if about else not unnamed:
        return candidate
    asked = tell_question(topic.asked, cues)
    if asked is not None:
        body = assemble(candidate.units, BODY_WORDS - count_words(asked.text))
        if body and body[0] == candidate.units[0]:
            after = make_candidate(candidate.subject, body, asked, topic, cues)
            return replace(after, score=candidate.score, substantive=candidate.substantive, led=True)
    named = not unnamed or NAMED.search(candidate.subject)
    return candidate if named else replace(candidate, score=candidate.score - UNNAMED)


def _enforced(rules: Told, topic: Topic, cues: Cues, casing: Casing) -> list[Scored]:
    """The sentence of the answer that tells what now holds the rule: it speaks of the same things."""
    if not rules.standing:
        return []
    mine = content_words(rules.text)
    order = rules.text.partition(": ")[2] or rules.text
    room = BODY_WORDS - count_words(rules.text)
    for turn in topic.answers:
        for unit in parse_units(turn.text, turn.index, cues, casing):
            echoes = repeats(unit.text, [order]) and not is_change(unit.text)
            shared = len(mine & content_words(unit.text))
            if echoes or unit.leans or unit.listed or unit.words > room or shared < 3:
                continue
            if is_substantive(unit, 2.0, cues):
                return [Scored(unit, score_unit(unit, True, cues))]
    return []


def _decision(asked: Told, topic: Topic, cues: Cues, casing: Casing) -> Candidate:
    """A decision with what was said for it in the proposal that it accepts."""
    subject = name_choice(asked, topic.question.text if topic.question else "", cues)
    mine = content_words(asked.gist)
    units: list[Scored] = []
    for turn in ([topic.proposal] if topic.proposal else []) + list(topic.answers):
        for section in parse_sections(turn.text, turn.index, cues, casing, settled=True):
            for at, unit in enumerate(section.units):
                about = len(mine & content_words(f"{section.subject} {unit.text}")) + 2 * cues.signal(
                    "choice", unit.text
                )
                if not repeats(unit.text, [asked.text]) and about >= (1 if subject and turn is topic.proposal else 2):
                    scored = Scored(unit, score_unit(unit, False, cues) + min(about, 3) * 0.6)
                    units.append(_under(section.subject, scored, casing) if section.label and at == 0 else scored)
    body = assemble(units, BODY_WORDS - count_words(asked.text)) if units else []
    return make_candidate(subject, body, asked, topic, cues)


def _sections(
    topic: Topic, overturned: bool, found: bool, cues: Cues, casing: Casing
) -> tuple[list[tuple[str, list[Scored]]], list[Scored]]:
    """(bodies under a heading of their own, the rest): what the answers say, and a report that the user pasted unless
    it was `found` worth telling with its outcome."""
    answers = [(turn.index, resolve_subject(turn.text, topic.asked)) for turn in topic.answers]
    sections = [section for index, text in answers for section in parse_sections(text, index, cues, casing)]
    if topic.asked is not None and not found and not plan_text(topic.asked, cues) and is_report(topic.asked.text):
        sections = parse_sections(topic.asked.text, topic.asked.index, cues, casing) + sections
    last = topic.answers[-1].index if topic.answers else -1
    own: list[tuple[str, list[Scored]]] = []
    pooled: list[Scored] = []
    for section in sections:
        scored = [_scored(unit, last, overturned, cues) for unit in section.units]
        if section.subject and sum(s.unit.words for s in scored) >= SECTION_WORDS:
            if body := assemble(scored, BODY_WORDS):
                own.append((section.subject, body))
        else:  # a list under a role such as "cons" says nothing without the heading above it
            kept = [s for s in scored if not (section.subject and s.unit.listed and s.unit.role)]
            pooled.extend([_under(section.subject, kept[0], casing), *kept[1:]] if kept and section.label else kept)
    return own, pooled


def _under(label: str, scored: Scored, casing: Casing) -> Scored:
    """The first sentence of a labelled item, with the label that it would be misunderstood without."""
    if label.lower() in scored.unit.text.lower() or is_change(scored.unit.text):
        return scored
    return replace(
        scored, unit=replace(scored.unit, text=f"{capitalise(label)}: {casing.lower_first(scored.unit.text)}")
    )


def _command_candidates(topic: Topic, cues: Cues, casing: Casing) -> list[Candidate]:
    found: list[Candidate] = []
    for turn in topic.answers:
        for title, sentence in tell_commands(parse_blocks(turn.text), casing):
            commands = [Scored(Unit(sentence, turn.index, listed=True, role=COMMANDS), COMMANDS_SCORE)]
            found.append(make_candidate(title, commands, None, topic, cues))
    return [*found, *_task_candidates(topic, cues, casing)]


def _task_candidates(topic: Topic, cues: Cues, casing: Casing) -> list[Candidate]:
    """The command that answers "How do I ...?", with what is said of it."""
    task = name_task(topic.asked.text, cues) if topic.asked else ""
    if not task:
        return []
    for turn in topic.answers:
        units = [unit for unit in parse_units(turn.text, turn.index, cues, casing) if not unit.listed]
        first = next((at for at, u in enumerate(units) if _gives_command(u.text)), None)
        if first is None:
            continue
        told: list[Scored] = []
        words = 0
        for at, unit in enumerate(units[first : first + 4]):
            text = tell_task(task, unit.text) if at == 0 else unit.text
            words += count_words(text)
            if words <= BODY_WORDS:
                told.append(Scored(Unit(text, turn.index, listed=True, role=COMMANDS), COMMANDS_SCORE))
        name = re.sub(r"\b(?:my|our)\b", "the", task, flags=re.IGNORECASE)
        return [make_candidate(capitalise(name), told, None, topic, cues)] if told and not told[0].unit.leans else []
    return []


def _gives_command(text: str) -> bool:
    return any(is_command(span) for span in re.findall(r"`([^`]+)`", text))


def _home(groups: Sequence[Sequence[Scored]], asked: Told | None) -> int:
    """The group that the user's sentence belongs to: the one that shares most words with it. None for a sentence of
    many words that shares none, else the first."""
    if asked is None:
        return -1
    mine = stems(content_words(asked.text) - _TOLD)
    shared = [len(mine & stems(content_words(" ".join(s.unit.text for s in group)))) for group in groups]
    if len(mine) >= TELLING and not any(shared):
        return -1
    return max(range(len(groups)), key=lambda at: (shared[at], -at), default=-1)


_TOLD = frozenset({"user", "asked", "also", "said", "objected", "remarked"})
TELLING = 4  # content words of a sentence that says what it is about


def _scored(unit: Unit, last: int, overturned: bool, cues: Cues) -> Scored:
    score = score_unit(unit, unit.turn == last, cues)
    if overturned and cues.signal("fix", unit.text):
        score -= 1.5
    return Scored(unit, score)


_UNDECIDED = re.compile(r"\((?:or|alternatively)\b|\bor alternatively\b", re.IGNORECASE)


def _planned(unit: Unit, cues: Cues) -> Scored:
    """A unit of a plan. Once it was carried out, the edits that it lists stand in git; its reasons do not. What it
    leaves open says nothing of what was done."""
    if unit.listed and lists_edits(unit.text) and not says_why(unit.text, cues):
        return Scored(unit, NEVER)
    if _UNDECIDED.search(unit.text):
        return Scored(unit, NEVER)
    return Scored(unit, score_unit(unit, False, cues) + 0.6)


def _plan_candidates(plan: str, topic: Topic, cues: Cues, casing: Casing) -> list[Candidate]:
    """A note for each section of a plan, the richest PLAN_NOTES of them."""
    found: list[Candidate] = []
    assert topic.asked is not None
    for section in plan_sections(plan, topic.asked.index, cues, casing):
        scored = [_planned(unit, cues) for unit in section.units]
        named = sum(s.unit.text.count("`") for s in scored) >= 4
        if sum(s.unit.words for s in scored) >= (9 if named else MIN_WORDS) and (body := assemble(scored, BODY_WORDS)):
            found.append(make_candidate(section.subject, body, None, topic, cues))
    best = sorted(found, key=lambda c: -c.score)[:PLAN_NOTES]
    return [candidate for candidate in found if candidate in best]

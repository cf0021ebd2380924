"""What the assistant answers as notes: a problem with cause and fix, a command, a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from seci.distillers.headlines import headline
from seci.distillers.language import Cues, Voices
from seci.distillers.quotes import (
    BODY_WORDS,
    LEAST_NOTE,
    RULE_SCORE,
    SHELVES,
    Quote,
    colon,
    joined,
    quoted,
    shared,
    terms,
)
from seci.distillers.remarks import Remark, read_remarks
from seci.distillers.salience import NAMED
from seci.distillers.sentences import capitalise, count_words, finish_sentence, split_sentences
from seci.distillers.statements import Statement, read_commands, read_statements
from seci.distillers.topics import Topic

PROBLEM_WORDS = 24  # more where a solution tells what it solves
MOST_STATEMENTS = 4  # in a body
LEAST_SCORE = 0.9  # of a statement in a body
SECTION_WORDS = 24  # of a headed section that is a note of its own
MOST_FINDING = 3.8  # points of what the assistant says, below what the user decides


@dataclass(frozen=True, slots=True)
class Problem:
    """What the user reported, the turn in which they did, and its topic's place in the session."""

    remark: Remark
    turn: int
    order: int


def tell_problem(topic: Topic, cues: Cues) -> Problem | None:
    if topic.asked is None:
        return None
    remarks = read_remarks(topic.asked.text, cues)
    told = next((one for one in remarks if one.kind == "problem"), None)
    if told is None and cues.says("why", topic.asked.text[:400]):
        open_ones = [one for one in remarks if one.kind in ("question", "request", "statement", "fact")]
        told = max(open_ones, key=lambda one: count_words(one.text), default=None)
    return Problem(told, topic.asked.index, topic.order) if told else None


def quote_solution(
    topic: Topic, problem: Problem | None, statements: Sequence[Statement], voices: Voices
) -> tuple[Quote, list[Statement]] | None:
    """A problem with its cause and fix, where the answers tell a cause."""
    cues = voices.answers
    causes = [one for one in statements if one.signals("cause", cues) and not one.unit.leans]
    causes = [one for one in causes if one.part == "cause" or not cues.signal("choice", one.text)]
    if not causes and problem is not None and any(one.signals("fix", cues) for one in statements):
        causes = [one for one in statements if not one.report and not one.unit.leans and cues.signal("fact", one.text)][
            :1
        ]
    if not causes:
        return None
    cause = next((one for one in causes if one.part == "cause"), None) or max(causes, key=lambda one: one.score)
    fixes = [one for one in statements if one is not cause and one.signals("fix", cues)]
    labelled = any(one.part in ("cause", "fix") for one in statements)
    failing = any(one.signals("failure", cues) for one in [cause, *fixes])
    if problem is None and not (fixes and (labelled or failing)):
        return None
    fixes.sort(key=lambda one: -one.score)
    chosen = [cause]
    words = cause.words
    others = [one for one in statements if one not in fixes and one is not cause and one.score >= LEAST_SCORE + 0.5]
    for one in [*fixes[:2], *sorted(others, key=lambda one: -one.score)[:1]]:
        if words + one.words <= BODY_WORDS and not _repeats(one.text, chosen) and not _dangles(one, chosen, statements):
            chosen.append(one)
            words += one.words
    chosen.sort(key=statements.index)
    body = joined((one.text for one in chosen), cues)
    turns = {one.unit.turn for one in chosen}
    if problem is not None and words + count_words(problem.remark.text) <= BODY_WORDS + PROBLEM_WORDS:
        reported = voices.user.lead["problem"].format(quoted(problem.remark.text, voices.user))
        body = joined([reported, body], voices.user)
        turns.add(problem.turn)
    title = headline(cause.text, cues) or (headline(problem.remark.gist, voices.user) if problem else "")
    title = title or next((t for one in chosen if (t := headline(one.text, cues))), "") or headline(cause.subject, cues)
    if not title:
        return None
    score = RULE_SCORE + min(cause.score, 3.0) * 0.4
    return (
        Quote(title, body, "solution", tuple(sorted(turns)), score, topic.order, SHELVES["solution"], best=cause),
        chosen,
    )


def _dangles(one: Statement, chosen: Sequence[Statement], statements: Sequence[Statement]) -> bool:
    """It leans on a sentence that is not taken."""
    at = statements.index(one)
    return one.unit.leans and (at == 0 or statements[at - 1] not in chosen)


def quote_commands(topic: Topic, voices: Voices) -> list[Quote]:
    """The command that answers a question for one."""
    if topic.asked is None:
        return []
    task = _task(topic.asked.text, voices.user)
    if not task:
        return []
    for turn in topic.answers:
        named = next((command for _, command in read_commands(turn.text, voices.answers)), None)
        statements = read_statements(turn.text, turn.index, False, voices.answers)
        told = [one for one in statements if _gives_command(one.text)][:1]
        parts = [f"{capitalise(task)}{colon(voices.answers)}`{named}`"] if named else []
        if named is not None:
            options = frozenset(_OPTION.findall(named))
            told = [one for one in statements if options & frozenset(_OPTION.findall(one.text))][:2]
        elif not told:
            continue
        elif not frozenset(terms(task)) & frozenset(terms(told[0].text)):
            parts = [f"{capitalise(task)}{colon(voices.answers)}{told.pop(0).text}"]
        told += [one for one in statements if one.unit.turn == turn.index and one not in told and not named][:1]
        for one in told:
            held = one.unit.leans or any(one.text in part for part in parts)
            if not held and sum(map(count_words, parts)) + one.words <= BODY_WORDS:
                parts.append(one.text)
        body = joined(map(finish_sentence, parts), voices.answers)
        title = headline(task, voices.user)
        if title and body:
            shelf, turns = SHELVES["command"], (topic.asked.index, turn.index)
            return [Quote(title, body, "command", turns, RULE_SCORE, topic.order, shelf)]
    return []


_OPTION = re.compile(r"--?[a-zA-Z][\w-]*|[A-Z][A-Z_]{2,}|\w{5,}")


def _task(question: str, cues: Cues) -> str:
    """What a question for a command wants to do; empty for other questions. Of a verb's bare stem (`how_to_stem`) the
    language's `task` makes a noun."""
    for sentence in reversed(split_sentences(question)[-4:]):
        for name, form in (("how_to_stem", cues.lead.get("task", "{}")), ("how_to", "{}")):
            if (pattern := cues.user.get(name)) and (match := pattern.search(sentence)):
                task = next((g for g in match.groups() if g), sentence).strip(" ,，、?？.!。")
                if filler := cues.titles.get("fillers"):
                    task = filler.sub("", task)
                return form.format(task)
    return ""


def _gives_command(text: str) -> bool:
    return any(re.match(r"(?:\./)?[a-z][\w./-]* \S", span) for span in re.findall(r"`([^`]+)`", text))


def quote_findings(topic: Topic, statements: Sequence[Statement], voices: Voices) -> list[Quote]:
    """What the answers say besides: a note for each rich section, one for the rest."""
    cues = voices.answers
    groups: dict[str, list[Statement]] = {}
    for one in statements:
        groups.setdefault(one.subject, []).append(one)
    rest = list(groups.pop("", []))
    found: list[Quote] = []
    for subject, group in groups.items():
        if sum(one.words for one in group) >= SECTION_WORDS and (quote := _finding(topic, subject, group, voices)):
            found.append(quote)
        else:
            rest.extend(group)
    if rest and (quote := _finding(topic, "", rest, voices)):
        found.append(quote)
    if topic.approvals:  # what was proposed here was agreed to
        found = [replace(q, shelf=SHELVES["decision"], score=q.score + 0.5) if _chooses(q, cues) else q for q in found]
    return found


def _chooses(quote: Quote, cues: Cues) -> bool:
    return cues.signal("choice", quote.body) or cues.signal("plan", quote.body)


_SUBSTANCE = ("cause", "reason", "instead", "rule", "choice", "finding", "value", "condition")


def _finding(topic: Topic, subject: str, statements: Sequence[Statement], voices: Voices) -> Quote | None:
    cues = voices.answers
    chosen: list[Statement] = []
    words = 0
    for one in sorted(statements, key=lambda s: (-s.score, s.unit.turn)):
        if one.score < LEAST_SCORE or len(chosen) >= MOST_STATEMENTS or words + one.words > BODY_WORDS:
            continue
        if not _repeats(one.text, chosen) and not _dangles(one, chosen, statements):
            chosen.append(one)
            words += one.words
    if not any(one.signals(name, cues) for one in chosen if not one.report for name in _SUBSTANCE):
        return None
    score = min(MOST_FINDING, sum(sorted((one.score for one in chosen), reverse=True)[:3]))
    ranked = sorted((one for one in chosen if not one.unit.leans), key=lambda one: -_worth_as_title(one))
    title = next((t for one in ranked if (t := headline(one.text, cues))), "") or headline(subject, cues)
    if not title or score < LEAST_NOTE:
        return None
    chosen.sort(key=statements.index)
    shelf = SHELVES["finding"]
    if cues.signal("choice", ranked[0].text):
        shelf = SHELVES["decision"]
    turns = tuple(sorted({one.unit.turn for one in chosen}))
    body = joined((one.text for one in chosen), cues)
    return Quote(title, body, "finding", turns, score, topic.order, shelf, best=ranked[0])


def _worth_as_title(one: Statement) -> float:
    named = NAMED.search(one.text)
    return one.score + (0.5 if named and named.start() < 40 else 0.0) - 0.6 * one.unit.listed - 3.0 * one.report


def _repeats(text: str, others: Iterable[Statement]) -> bool:
    mine = frozenset(terms(text))
    return any(shared(mine, frozenset(terms(other.text))) > 0.6 for other in others)

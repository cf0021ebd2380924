"""What an answer only says again: a finding that the user passed on and that the session took as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.distillers.assembly import Scored, content_words, stems
from seci.distillers.candidate import Candidate
from seci.distillers.deed_sentences import STATE
from seci.distillers.language import Cues
from seci.distillers.outcomes import names_in
from seci.distillers.sentences import split_sentences
from seci.distillers.told import is_report
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change

SAID = 0.6  # of the words of a sentence that are in the finding
_OF_THE_CODE = re.compile(r"[a-z][A-Z]|\w_\w|\w\(\)|\w\.[a-z]{1,5}\b")
AGREES = 40  # characters in which a paragraph agrees


def drop_echoes(candidates: Sequence[Candidate], topic: Topic, cues: Cues) -> list[Candidate]:
    """The candidates without what only tells a finding again to which the answer agrees in its words."""
    if topic.asked is None or not _echoes(topic, cues):
        return list(candidates)
    kept = [c if c.asked or not c.units else replace(c, units=_own(c.units, topic.asked.text)) for c in candidates]
    return [candidate for candidate in kept if candidate.asked or candidate.units]


def _own(units: Sequence[Scored], asked: str) -> tuple[Scored, ...]:
    """The units that the finding does not say, without those that lean on what it says."""
    own: list[Scored] = []
    said = False
    for scored in units:
        said = _is_within(scored.unit.text, asked) or (said and scored.unit.leans)
        own += [] if said else [scored]
    return tuple(own)


def takes_over(topic: Topic, candidates: Sequence[Candidate], cues: Cues) -> bool:
    """Whether an answer agrees to a finding in its words, and the candidates tell only what was done about it."""
    told = [scored.unit.text for c in candidates if c.order == topic.order for scored in c.units]
    return bool(_echoes(topic, cues)) and all(is_change(text) or STATE.search(text) for text in told)


def _echoes(topic: Topic, cues: Cues) -> list[str]:
    """The sentences in which the answers agree to what the user passed on, and which name nothing else and no function,
    field or file of the project: what those do stands in the code."""
    if topic.asked is None or not is_report(topic.asked.text):
        return []
    found: list[str] = []
    for paragraph in (part for answer in topic.answers for part in re.split(r"\n\s*\n", answer.text)):
        said = split_sentences(paragraph)[1:2]
        if not said or said[0][-1] not in ".!" or not cues.says("concessions", paragraph[:AGREES]):
            continue
        read = _OF_THE_CODE.search(said[0]) or STATE.search(said[0])  # which the session has seen or made so
        if not read and not cues.narration.match(said[0]) and _is_within(said[0], topic.asked.text):
            found += said
    return found


def _is_within(sentence: str, text: str) -> bool:
    """Whether most words of a sentence and all that it names are in a text."""
    mine = stems(content_words(sentence))
    named = all(name.strip() in text for name in names_in(sentence))
    return named and len(mine & stems(content_words(text))) >= SAID * len(mine)

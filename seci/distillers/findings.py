"""A finding that the user passes on (a review comment, a bug report), told together with what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seci.distillers.assembly import BODY_WORDS, Scored, assemble, content_words, repeats, stems
from seci.distillers.deeds import is_beside
from seci.distillers.language import Cues
from seci.distillers.passages import Unit, parse_units
from seci.distillers.plans import plan_text
from seci.distillers.salience import NEVER, score_sentence, score_unit
from seci.distillers.sentences import Casing, count_words, finish_sentence
from seci.distillers.told import is_report
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change

FOUND_WORDS = 44  # of a finding, so that there is room for what came of it
DONE = 1.2  # points of a sentence that tells what was done about a finding; alone it would be worth none
NEARNESS = 0.3  # points for each word that an answer shares with the finding
MOST_NEAR = 5
BESIDE = 1.5  # points that tests, comments and documents cost, which only follow what was done
LEAST_NEAR = 2  # words that what was done shares with the finding

# What the finding proposes stands in its answer, done or turned down.
_PROPOSES = re.compile(
    r"(?:[;,] (?:and )?|^(?:while|although|if|to) [^,]+, |^)(?:please )?"
    r"(?:consider|suggest(?:ion)?:|recommend(?:ation)?:|make sure|it would be (?:better|good|nice)|adding|try)\b.*$",
    re.IGNORECASE,
)
_OURS = re.compile(r"\b(?:we|our)\b", re.IGNORECASE)  # the user's own wish rather than what somebody found
_STATE = re.compile(r"\b(?:now|no longer|have been|has been)\b")


def tell_finding(topic: Topic, cues: Cues, casing: Casing) -> tuple[Scored, ...]:
    """The finding in the user's turn and what was done about it; empty where there is none or nothing was done."""
    turn = topic.asked
    if (
        turn is None
        or not topic.answers
        or plan_text(turn, cues)
        or not is_report(turn.text)
        or _OURS.search(turn.text)
    ):
        return ()
    found = assemble(list(_found(turn.text, turn.index, cues, casing)), FOUND_WORDS)
    if not found:
        return ()
    about = stems(content_words(" ".join(scored.unit.text for scored in found)))
    done = [scored for scored in _done(topic, about, cues, casing) if not _says_again(scored, found)]
    if not any(_is_done(scored.unit) for scored in done):
        return ()
    told = assemble(done, BODY_WORDS - sum(scored.unit.words for scored in found))
    return (*found, *told) if any(_is_done(scored.unit) for scored in told) else ()


def _found(text: str, turn: int, cues: Cues, casing: Casing) -> Iterator[Scored]:
    for unit in parse_units(text, turn, cues, casing):
        kept = _PROPOSES.sub("", unit.text).rstrip(" ,;")
        if count_words(kept) >= 6:
            whole = replace(unit, text=finish_sentence(kept))
            yield Scored(whole, score_unit(whole, False, cues) + 1.0)


def _done(topic: Topic, about: frozenset[str], cues: Cues, casing: Casing) -> Iterator[Scored]:
    last = topic.answers[-1].index
    for answer in topic.answers:
        for unit in parse_units(answer.text, answer.index, cues, casing):
            near = len(about & stems(content_words(unit.text)))
            if is_change(unit.text):
                score = DONE + score_sentence(unit.text, unit.words, cues) if near >= LEAST_NEAR else NEVER
            else:
                score = score_unit(unit, unit.turn == last, cues)
            score -= BESIDE if is_beside(unit.text) else 0.0
            yield Scored(unit, score + NEARNESS * min(near, MOST_NEAR))


def _is_done(unit: Unit) -> bool:
    return is_change(unit.text) or bool(_STATE.search(unit.text))


def _says_again(scored: Scored, found: Sequence[Scored]) -> bool:
    return not _is_done(scored.unit) and repeats(scored.unit.text, (one.unit.text for one in found))

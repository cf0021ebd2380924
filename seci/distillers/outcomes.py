"""How a session ended: the sentence that tells what was done at last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import Scored, content_words, stems
from seci.distillers.language import Cues
from seci.distillers.passages import parse_units
from seci.distillers.salience import score_sentence
from seci.distillers.sentences import Casing
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change

LAST = 2  # exchanges in which an outcome is looked for
MOST_WORDS = 34
NEARNESS = 0.4  # points for each word that it shares with what the session is about
MOST_NEAR = 4
LATEST = 0.8  # points of the last exchange's
BESIDE = 1.5  # points that tests, comments and documents cost, which only follow what was done
LEAST = 1.2  # points of an outcome that is told

_BESIDE = re.compile(
    r"\b[Tt]ests?\b|\bTest[A-Z]\w+|_test\b|\b(?:comment|import|lint|linter|nolint|doc|docs|plan|README)s?\b|\.md\b"
)
_NO_OUTCOME = re.compile(r"It also |The change \w+ (?:in|at|on|to|the plan) |\w+ed [^:]{3,60}: \w+ed\b", re.IGNORECASE)
_STATE = re.compile(r"\b(?:now|no longer)\b")


def is_beside(text: str) -> bool:
    """Whether a sentence is about tests, comments or documents."""
    return bool(_BESIDE.search(text))


def tell_outcome(topics: Sequence[Topic], about: str, cues: Cues, casing: Casing) -> Scored | None:
    """The best sentence of the last answers that tells what was done, or how things are since; None for none."""
    answered = [topic for topic in topics if topic.answers][-LAST:]
    mine = stems(content_words(about))
    found: list[Scored] = []
    for topic in answered:
        for answer in topic.answers:
            for unit in parse_units(answer.text, answer.index, cues, casing):
                done = (is_change(unit.text) and unit.text.startswith("The ")) or _STATE.search(unit.text)
                if not done or unit.leans or unit.words > MOST_WORDS or _NO_OUTCOME.match(unit.text):
                    continue
                near = min(len(mine & stems(content_words(unit.text))), MOST_NEAR)
                score = score_sentence(unit.text, unit.words, cues) + NEARNESS * near
                score -= BESIDE if is_beside(unit.text) else 0.0
                found.append(Scored(unit, score + (LATEST if topic is answered[-1] else 0.0)))
    best = max(found, key=lambda scored: (scored.score, scored.unit.turn), default=None)
    return best if best is not None and best.score >= LEAST else None

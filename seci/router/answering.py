"""The answer agent: a language model that reads 60 memories for each question, through any OpenAI-compatible endpoint.

It says what the figures without a model cannot: how well questions are answered from what a router stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from seci.core.session import Failure, Turn
from seci.errors import ModelError
from seci.router.questions import Category, Question, score_answer
from seci.router.teacher import Complete

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seci.router.retrieval import Search

INSTRUCTION = (
    "You answer a question about people from what was said in their conversations. Each memory gives the time, the "
    "speaker and the words. Use nothing else, except where you are told to. Reply with the answer alone, in as few "
    "words as possible, without a sentence around it."
)
HINTS: Mapping[Category, str] = {
    Category.MULTI_HOP: "The answer is spread over several memories. Gather all its parts and separate them by commas.",
    Category.TEMPORAL: (
        "The question is about time. A memory's own time says when it was spoken: work out what 'yesterday' or 'last "
        "week' was by it. Reply with a date such as 7 May 2023, or with a span of time."
    ),
    Category.OPEN_DOMAIN: (
        "The memories only hint at the answer. Join what they say with what everybody knows, and reply with what is "
        "most likely."
    ),
    Category.SINGLE_HOP: "One memory holds the answer. Reply in its own words where you can.",
    Category.ADVERSARIAL: "If no memory says it of the very person asked about, reply: not mentioned.",
}
"""What helps with each kind of question."""


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """`f1` is the mean over the questions that were answered, `by_category` the same for each kind; `stored` the share
    of turns that there was to search."""

    questions: int
    f1: float
    by_category: Mapping[str, float]
    stored: float
    seconds: float
    questions_per_second: float
    failures: tuple[Failure, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def render_memories(turns: Sequence[Turn]) -> str:
    """Oldest first, one line each: time, speaker, the words as they were."""
    lines = []
    for turn in turns:
        when = turn.at.strftime("%d %B %Y, %H:%M").lstrip("0") if turn.at else "at an unknown time"
        lines.append(f"[{when}] {turn.speaker or turn.role.value}: {' '.join(turn.text.split())}")
    return "\n".join(lines)


def render_question(question: Question, memories: Sequence[Turn], *, hints: bool = True) -> str:
    """The prompt for one question; without `hints` all kinds of question are asked alike."""
    hint = f"\n{HINTS[question.category]}" if hints else ""
    return f"Memories:\n{render_memories(memories)}\n\nQuestion: {question.text}{hint}\nAnswer:"


def answer_questions(
    searches: Sequence[Search],
    questions: Mapping[str, Sequence[Question]],
    kept: Mapping[str, NDArray[np.bool_]],
    complete: Complete,
    *,
    hints: bool = True,
    progress: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.perf_counter,
) -> AnswerReport:
    """Asks all questions about each conversation over the turns of it that were kept. A question without an answer is
    a failure and does not count."""
    scores: dict[Category, list[float]] = {}
    failures: list[Failure] = []
    began = clock()
    for search in searches:
        name = search.stream.name
        stored = search.keep(kept[name])
        for number, question in enumerate(questions.get(name, ())):
            turns = [search.stream.turns[row] for row in sorted(stored.find(question.text))]
            try:
                given = complete(INSTRUCTION, render_question(question, turns, hints=hints))
            except ModelError as error:
                failures.append(Failure(f"{name}#{number}", error.reason))
            else:
                scores.setdefault(question.category, []).append(score_answer(question, given))
            progress()
    seconds = clock() - began
    every = [score for values in scores.values() for score in values]
    total = sum(len(rows) for rows in kept.values())
    return AnswerReport(
        questions=len(every),
        f1=sum(every) / max(1, len(every)),
        by_category={kind.name.lower(): sum(v) / len(v) for kind, v in sorted(scores.items())},
        stored=sum(int(rows.sum()) for rows in kept.values()) / max(1, total),
        seconds=seconds,
        questions_per_second=len(every) / seconds if seconds else 0.0,
        failures=tuple(failures),
    )

"""LoCoMo's questions with their answers, and how an answer is scored."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from seci.router.labels import read_locomo_items

_WORD = re.compile(r"[^\W_]+")
_FILLERS = frozenset({"a", "an", "the", "and"})
_UNSAID = re.compile(r"\b(?:not mentioned|no information|not (?:said|stated|known)|unknown)\b", re.IGNORECASE)


class Category(IntEnum):
    """The numbers of the data set."""

    MULTI_HOP = 1
    TEMPORAL = 2
    OPEN_DOMAIN = 3
    SINGLE_HOP = 4
    ADVERSARIAL = 5


@dataclass(frozen=True, slots=True)
class Question:
    """`answer` is empty for an adversarial question: nothing in the conversation answers it."""

    text: str
    category: Category
    answer: str


def read_questions(path: Path) -> dict[str, tuple[Question, ...]]:
    """Conversation (`conv-26`) -> questions, of a file in LoCoMo's layout; {} where it is another file."""
    return {name: tuple(map(_question, item.get("qa", ()))) for name, item in read_locomo_items(path).items()}


def _question(qa: dict[str, Any]) -> Question:
    category = Category(int(qa["category"]))
    answer = "" if category is Category.ADVERSARIAL else str(qa.get("answer", ""))
    return Question(str(qa["question"]), category, answer)


def score_answer(question: Question, given: str) -> float:
    """0..1. Words in common with the expected answer, as F1 (LoCoMo, arXiv 2402.17753, without its stemming); several
    expected parts each count with their best match, an open question with what is expected before a semicolon, and an
    adversarial one with having said that nothing is known."""
    match question.category:
        case Category.ADVERSARIAL:
            return float(_UNSAID.search(given) is not None)
        case Category.MULTI_HOP:
            parts = [part for part in question.answer.split(",") if part.strip()] or [question.answer]
            offered = [part for part in given.split(",") if part.strip()] or [given]
            return sum(max(score_f1(part, other) for other in offered) for part in parts) / len(parts)
        case Category.OPEN_DOMAIN:
            return score_f1(question.answer.partition(";")[0], given)
        case _:
            return score_f1(question.answer, given)


def score_f1(expected: str, given: str) -> float:
    """F1 over lower-case words without articles and "and"."""
    wanted, offered = _words(expected), _words(given)
    common = (wanted & offered).total()
    return 2 * common / (wanted.total() + offered.total()) if common else 0.0


def _words(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text.lower()) if word not in _FILLERS)

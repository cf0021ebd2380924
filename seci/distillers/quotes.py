"""Notes told in the words of the session: what one is, where it is put, and when two say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from seci.core.note import Namespace, NoteType, Tier
from seci.distillers.language import Cues
from seci.distillers.remarks import UNSPACED
from seci.distillers.sentences import split_sentences
from seci.distillers.statements import Statement

MOST_NOTES = 10
LEAST_NOTE = 2.0  # points of a note
RULE_SCORE = 4.0  # points of what the user says themselves
BODY_WORDS = 80
MOST_SHARED = 0.5  # of the terms of the shorter of two notes


@dataclass(frozen=True, slots=True)
class Shelf:
    namespace: Namespace
    type: NoteType
    tier: Tier = Tier.MEMORY
    importance: float = 0.5


SHELVES = {
    "standing": Shelf(Namespace.BRAIN, NoteType.PREFERENCE, Tier.PROCEDURE, 0.7),
    "limit": Shelf(Namespace.BRAIN, NoteType.PREFERENCE, Tier.MEMORY, 0.6),
    "preference": Shelf(Namespace.BRAIN, NoteType.PREFERENCE, Tier.MEMORY, 0.65),
    "decision": Shelf(Namespace.PROJECTS, NoteType.DECISION, Tier.MEMORY, 0.65),
    "correction": Shelf(Namespace.PROJECTS, NoteType.DECISION, Tier.MEMORY, 0.6),
    "plan": Shelf(Namespace.PROJECTS, NoteType.PLAN, Tier.MEMORY, 0.55),
    "fact": Shelf(Namespace.DOCS, NoteType.FACT, Tier.MEMORY, 0.55),
    "solution": Shelf(Namespace.SOLUTIONS, NoteType.SOLUTION, Tier.MEMORY, 0.6),
    "command": Shelf(Namespace.QUICK_REFERENCE, NoteType.COMMAND, Tier.MEMORY, 0.55),
    "finding": Shelf(Namespace.DOCS, NoteType.FACT, Tier.MEMORY, 0.5),
}


@dataclass(frozen=True, slots=True)
class Quote:
    """A note in the making; `kind` is a key of the shelves, `best` the sentence that tells most of it."""

    title: str
    body: str
    kind: str
    turns: tuple[int, ...]
    score: float
    order: int
    shelf: Shelf
    said: str = ""  # what the user said, where that is the note
    best: Statement | None = None


def quoted(text: str, cues: Cues) -> str:
    return cues.lead.get("quotes", "“{}”").format(text)


def colon(cues: Cues) -> str:
    return "：" if cues.name in UNSPACED else ": "


def joined(parts: Iterable[str], cues: Cues) -> str:
    """Sentences one after another, with a space between them where the script has spaces."""
    return ("" if cues.name in UNSPACED else " ").join(parts)


_SPACED = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,}|\d{3,}|[A-Z][A-Z\d]+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_ENDING = re.compile(r"[\u3040-\u309f]{2}|습니|니다|합니|세요|어요|해요|주세")  # the forms of verbs, which all share


def terms(text: str) -> list[str]:
    """What two texts share if they speak of the same: words of four letters and more, pairs of dense characters."""
    found = [
        word.lower()
        for word in re.findall(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,}|\d{3,}|[A-Z][A-Z\d]+", text)
    ]
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}", text):
        found.extend(first + second for first, second in pairwise(run) if not _ENDING.fullmatch(first + second))
    return found


def shared(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, min(len(a), len(b))) if a and b else 0.0


def select_quotes(quotes: Sequence[Quote]) -> list[Quote]:
    """The best notes in session order; of two about the same thing the better one."""
    kept: list[Quote] = []
    for quote in sorted(quotes, key=lambda q: (-q.score, q.order)):
        if len(kept) >= MOST_NOTES or quote.score < LEAST_NOTE:
            continue
        mine = frozenset(terms(quote.said or quote.body))
        if any(shared(mine, frozenset(terms(other.said or other.body))) > MOST_SHARED for other in kept):
            continue
        sentences = split_sentences(quote.body)
        if not quote.said and any(one in other.body for other in kept if other.said for one in sentences):
            continue  # what led to a decision stands with it
        if quote.best is not None and any(quote.best.text in other.body for other in kept):
            continue
        kept.append(quote)
    return sorted(kept, key=lambda q: q.order)

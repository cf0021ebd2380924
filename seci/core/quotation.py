"""A short quotation from a long turn: the run of sentences that answers best to the question's words."""

from __future__ import annotations

import re

QUOTATION_WORDS = 60
_SENTENCE = re.compile(r".+?(?:[.!?。！？](?=\s|$)|\n|$)", re.DOTALL)


def select_quotation(text: str, terms: frozenset[str], limit: int = QUOTATION_WORDS) -> str:
    """Consecutive sentences of at most `limit` words that hold the most of `terms` (case-folded words).

    The earliest of equally good runs wins; an ellipsis marks what was left out on either side. A single sentence that
    is longer is cut at a word. For scripts without spaces a character counts as half a word.
    """
    sentences = [s.strip() for s in _SENTENCE.findall(text) if s.strip()]
    if not sentences:
        return ""
    lengths = [word_count(sentence) for sentence in sentences]
    if sum(lengths) <= limit:
        return " ".join(sentences)
    found = [frozenset(re.findall(r"\w+", sentence.casefold())) & terms for sentence in sentences]
    best, best_score = (0, 1), -1.0
    end = 0
    total = 0.0
    for start in range(len(sentences)):
        end = max(end, start)
        while end < len(sentences) and total + lengths[end] <= limit:
            total += lengths[end]
            end += 1
        stop = max(end, start + 1)
        held = {word for words in found[start:stop] for word in words}
        density = sum(len(f) for f in found[start:stop]) / 100
        if len(held) + density > best_score:
            best, best_score = (start, stop), len(held) + density
        if end > start:
            total -= lengths[start]
    start, stop = best
    quoted = " ".join(sentences[start:stop])
    if word_count(quoted) > limit:
        quoted = " ".join(quoted.split()[:limit]) if " " in quoted else quoted[: limit * 2]
        stop = -1
    return ("… " if start else "") + quoted + (" …" if stop != len(sentences) else "")


def word_count(text: str) -> float:
    """Words, a character of a script without spaces counting as half of one."""
    dense = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text))
    return len(text.split()) + dense / 2

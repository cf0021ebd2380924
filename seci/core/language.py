"""Which language a text is in, of those that seci reads: by its words, and by letters that only one of them has."""

from __future__ import annotations

import re
from functools import cache

from seci.core.lexicon import LANGUAGES, lexicon
from seci.core.phrases import phrases

_LETTERS = {"de": re.compile(r"[äöüß]"), "nl": re.compile(r"ij|aa|uu|oe|ieuw")}
_HINT = 0.5  # what letters count against a word


def detect_language(text: str) -> str | None:
    """`en`, `de` or `nl`; None where nothing tells, as in a note of two words and a number."""
    found = re.findall(r"[^\W\d_]+", text.lower())
    scores = {name: float(sum(word in _known(name) for word in found)) for name in LANGUAGES}
    for name, letters in _LETTERS.items():
        scores[name] += _HINT * sum(bool(letters.search(word)) for word in found)
    first, second, third = sorted(scores.values(), reverse=True)
    if first == second > third == scores["en"]:  # the two share words, but only German writes its nouns with a capital
        inside = re.findall(r"(?<=[a-zäöüß,] )[^\W\d_]+", text)
        return "de" if sum(word[0].isupper() for word in inside) * 3 >= len(inside) > 0 else "nl"
    return max(LANGUAGES, key=scores.__getitem__) if first > second else None


@cache
def _known(language: str) -> frozenset[str]:
    """Words that steer reading, function words and phrases of one word."""
    table = lexicon(language)
    return table.function | table.light | {phrase[0] for phrase in phrases(language) if len(phrase) == 1}

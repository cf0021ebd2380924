"""Figures that a text gives for what a question asks: how many, how much, how long.

Two statements from different days that give different figures for one thing cannot both be how it is now. English
only; a figure is compared with another of the same unit, or of none where the question asks how many.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from seci.core.lexicon import lexicon, words
from seci.core.roots import root

REACH = 4_000  # characters of a text that are read
LEAST_SHARED = 2  # words of the question, or all of a shorter one, that stand in a sentence that answers it
MOST_OF_QUESTION = 0.5  # share of them

_ASKS = re.compile(
    r"^(?:so |and )?(?:how (?:many|much|long|often|old|far)\b|what(?:['’]s| (?:is|was|are|were)) (?:my|our|the)\b)",
    re.IGNORECASE,
)
# A span between two events, what somebody said at one time, or how it was before: none of these is a figure of now.
_OTHERWISE = re.compile(
    r"\b(?:between|passed|elapsed|ago|apart|difference|say|said|mention(?:ed)?|told|at first|first|initial(?:ly)?"
    r"|original(?:ly)?|previous(?:ly)?|before|used to|earlier|history|over time|chang(?:e|ed|es)|evol\w+|throughout)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_NUMBERS = words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty"""
)
_WORTH = {name: str(number) for number, name in enumerate(_NUMBERS)}
_FIGURE = re.compile(
    r"(?P<money>[$€£])?\s?(?P<number>\d[\d,]*(?:\.\d+)?(?::\d\d)*)(?:\s?k\b)?(?P<share>\s?(?:%|percent\b))?"
    r"(?:[ -]+(?P<unit>[a-z]+))?|\b(?P<word>" + "|".join(_NUMBERS) + r")\b(?:[ -]+(?P<unit_of_word>[a-z]+))?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+| - ")
_WORD = re.compile(r"[a-z][a-z'-]{2,}")


def asks_for_figure(question: str) -> bool:
    """Whether a question asks for a number, an amount or a time as it is now."""
    return _ASKS.search(question) is not None and _OTHERWISE.search(question) is None


def figures_differ(question: str, text: str, other: str) -> bool:
    """Whether two texts answer a question with figures of one unit, and with none in common."""
    mine, theirs = find_figures(question, text), find_figures(question, other)
    for unit in mine.keys() & theirs.keys():
        if unit and mine[unit].isdisjoint(theirs[unit]):
            return True
    if _COUNTS.search(question) is None:
        return False
    asked = {root(word) for word in _WORD.findall(question.lower())}
    counts, others = _counts(mine), _counts(theirs)
    named = not asked.isdisjoint(mine.keys() | theirs.keys())
    return named and bool(counts) and bool(others) and counts.isdisjoint(others)


def find_figures(question: str, text: str) -> Mapping[str, frozenset[str]]:
    """The figures, by unit, of the sentence that has most of the question's words; empty where none has enough. The
    unit is the root of the word that follows, `$`, `%` or `:` for money, shares and times of day or of a run."""
    asked = significant_roots(question)
    least = max(min(LEAST_SHARED, len(asked)), MOST_OF_QUESTION * len(asked))
    best: tuple[int, bool, Mapping[str, frozenset[str]]] = (0, False, {})
    for sentence in _SENTENCE.split(text[:REACH]):
        shared = len(asked & significant_roots(sentence))
        if shared >= least and shared >= best[0]:
            figures = _parse_figures(sentence)
            if (shared, bool(figures)) > best[:2]:
                best = (shared, bool(figures), figures)
    return best[2]


@lru_cache(maxsize=512)
def _parse_figures(sentence: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for match in _FIGURE.finditer(sentence):
        if match["word"]:
            found[root((match["unit_of_word"] or "").lower())].add(_WORTH[match["word"].lower()])
            continue
        number = match["number"].rstrip(",").replace(",", "")
        kind = "$" if match["money"] else "%" if match["share"] else ":" if ":" in number else ""
        found[kind or root((match["unit"] or "").lower())].add(number)
    return {unit: frozenset(numbers) for unit, numbers in found.items()}


def _counts(figures: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*(numbers for unit, numbers in figures.items() if unit not in ("$", "%", ":")))


@lru_cache(maxsize=512)
def significant_roots(text: str) -> frozenset[str]:
    """The roots of a text's words that carry meaning."""
    known = lexicon("en")
    said = set(_WORD.findall(text[:REACH].lower())) - known.function - known.light - known.generic
    return frozenset(map(root, said))

"""Numbers as they are written or spelled: "1,200", "18k", "5 Mio.", "twenty-five", "fünfundzwanzig", "anderhalf"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from seci.core import quantities
from seci.core.lexicon import NUMBERS, words
from seci.core.tokens import Token

_SCALES = {
    word: factor
    for factor, listed in (
        (100, "hundred hundert honderd"),
        (1_000, "thousand tausend duizend tsd"),
        (1_000_000, "million millions millionen miljoen mio mln mn"),
        (1_000_000_000, "billion billions milliarde milliarden miljard bn mrd"),
    )
    for word in words(listed)
}
_ONE = {"ein": 1.0, "een": 1.0, "één": 1.0}  # as part of a longer number; alone they are articles
_HALVES = {"anderthalb": 1.5, "anderthalbe": 1.5, "anderhalf": 1.5, "anderhalve": 1.5}
_AND_HALF = ("einhalb", "einhalbe", "eneenhalf", "ëneenhalf", "enhalf", "ënhalf", "enhalve", "ënhalve")
_ORDINAL = ("th", "sten", "ster", "stes", "ste", "ten", "ter", "tes", "te", "de")
_WHOLE = frozenset(NUMBERS) - frozenset(
    words("half halb halbe halve couple both twice zweimal tweemaal thrice dreimal viermal")
)
_OTHER_WORDS = {"de": frozenset({"half"})}  # numbers of another language: "half" is German for "helped"
_LEAST_ORDINAL = 11  # smaller ones are words of their own: "first" is told apart from "second"


def read_number(tokens: Sequence[Token], at: int, language: str) -> tuple[str, int] | None:
    """The number that begins at a token, in canonical form, and how many tokens it takes."""
    token = tokens[at]
    if token.low in _OTHER_WORDS.get(language, ()):
        return None
    if token.kind == "number":
        number = quantities.parse_number(token.text.removesuffix("%"), language)
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        scale = _SCALES.get(following.low) if following is not None and following.kind == "word" else None
        value = quantities.as_float(number) if number is not None else None
        if number is None or scale is None or value is None:
            return (number, 1) if number is not None else None
        abbreviated = at + 2 < len(tokens) and tokens[at + 2].text == "."  # 5 Mio. Euro
        return quantities.plain(value * scale), 2 + abbreviated
    if token.kind != "word":
        return None
    return _read_words(tokens, at)


def _read_words(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    first = cardinal(tokens[at].low)
    if first is None:
        return None
    if tokens[at].low not in _WHOLE or first != int(first):
        return quantities.plain(first), 1
    total, part = 0.0, first
    end = at + 1
    while end < len(tokens):
        step = _joint(tokens, end)
        word = tokens[end + step].low if end + step < len(tokens) else ""
        scale, value = _SCALES.get(word), cardinal(word) if word in _WHOLE else None
        if scale is not None and not step and part:
            part *= scale
            if scale > 100:
                total, part = total + part, 0.0
        elif value is not None and _fits(part, total, value):
            part += value
        else:
            break
        end += step + 1
    return quantities.plain(total + part), end - at


def _joint(tokens: Sequence[Token], at: int) -> int:
    """Tokens that only join two parts of a number: the hyphen of "twenty-five", the "and" of "hundred and five"."""
    return int(tokens[at].text == "-" or (tokens[at].low == "and" and tokens[at - 1].low in _SCALES))


def _fits(part: float, total: float, value: float) -> bool:
    """Whether a smaller number goes on with what was said: "twenty five", "hundred and twenty", not "two three"."""
    if part == 0:
        return total > 0 and value < 1000
    if part % 100 == 0:
        return value < 100
    return part % 10 == 0 and part % 100 >= 20 and 0 < value < 10


@cache
def cardinal(word: str) -> float | None:
    """The value of a number in one word, None where it is none: `twenty`, `fünfundzwanzig`, `zweieinhalb`."""
    if word in NUMBERS:
        return float(NUMBERS[word])
    if word in _HALVES:
        return _HALVES[word]
    for ending in _AND_HALF:
        whole = word.removesuffix(ending)
        if whole != word and (value := _ONE.get(whole) or _small(whole)) is not None:
            return value + 0.5
    return _compound(word)


@cache
def ordinal(word: str) -> int | None:
    """The place that a word beyond "tenth" names: `eighteenth`, `achtzehnten`, `eenentwintigste`."""
    if word == "twelfth":
        return 12
    for ending in _ORDINAL:
        stem = word.removesuffix(ending)
        if stem == word:
            continue
        value = _small(f"{stem[:-2]}y") if stem.endswith("tie") else _small(stem) or _compound(stem)
        if value is not None and value >= _LEAST_ORDINAL:
            return int(value)
    return None


def _small(word: str) -> float | None:
    return float(NUMBERS[word]) if word in _WHOLE else None


def _compound(word: str) -> float | None:
    """German and Dutch write it in one word, the smaller part first: `fünfundzwanzig`, `honderdvijftig`."""
    for name in ("tausend", "duizend", "hundert", "honderd"):
        head, found, rest = word.partition(name)
        if found and (head or rest):
            times = 1.0 if not head else _ONE.get(head) or _small(head) or _compound(head)
            added = 0.0 if not rest else _small(rest) or _compound(rest)
            return None if times is None or added is None else times * _SCALES[name] + added
    for joint in ("und", "ën", "en"):
        unit, found, tens = word.partition(joint)
        while found:
            small, large = _ONE.get(unit) or _small(unit), _small(tens)
            if small is not None and large is not None and small < 10 <= large < 100 and large % 10 == 0:
                return small + large
            more, found, tens = tens.partition(joint)
            unit = f"{unit}{joint}{more}"
    return None

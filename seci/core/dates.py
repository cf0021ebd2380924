"""Dates in canonical form: `2026-03-20`, with `*` for what is not said; a quarter stands in the month's place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.core import quantities
from seci.core.lexicon import NUMBERS, words
from seci.core.numerals import ordinal
from seci.core.tokens import Token

_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?")
_NTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_QUARTER = re.compile(r"q([1-4])")
_QUARTERS = frozenset(words("quarter quartal kwartaal"))
_DAY_MONTH = re.compile(r"(\d{1,2})[.-](\d{1,2})")
_ON = frozenset(words("am vom zum bis ab seit dem den der op tot vanaf per van"))  # in front of a day in figures
_THROUGH = frozenset(words("to auf naar until bis tot through and und en - –"))
_NO_NOUN = frozenset(
    words("of on in at by for to is was will and or but which when at it we so as because instead of during from until")
)
_MONTHS, _DAYS = 12, 31


def parse_date(tokens: Sequence[Token], at: int, language: str) -> tuple[str, int] | None:
    """The date that begins at a token, and how many tokens it takes."""
    token, ahead = tokens[at], tokens[at + 1 : at + 7]
    if token.kind == "iso":
        year, month, day = map(int, token.text.split("-"))
        return quantities.date_key(month, day, year), 1
    if token.kind == "dmy":
        return _read_numeric(token.text, language)
    if token.kind == "number":
        before = tokens[at - 1].low if at else ""
        return _day_first(token, ahead) or _in_figures(token, before, ahead, language) or _day_alone(tokens, at)
    if token.kind != "word":
        return None
    if quarter := _read_quarter(token, ahead):
        return quarter
    if (nth := ordinal(token.low) or _small_ordinal(token)) is not None:
        return _day_first(Token("number", f"{nth}th"), ahead)
    month_number = quantities.month(token.text)
    if month_number is None or not (token.text[0].isupper() or language == "nl"):
        return None
    return _month_first(month_number, ahead, language)


def _read_numeric(text: str, language: str) -> tuple[str, int] | None:
    """ "20.3.2026", "3-12-2025", "30/05/2025"; None for 3/12/2025 in English, which may be the third or the twelfth."""
    first, second, year = map(int, re.findall(r"\d+", text))
    if "/" in text and language == "en" and (first <= _MONTHS) == (second <= _MONTHS):
        return None
    day, month = (second, first) if second > _MONTHS else (first, second)
    return (quantities.date_key(month, day, year), 1) if 0 < month <= _MONTHS and 0 < day <= _DAYS else None


def _small_ordinal(token: Token) -> int | None:
    ordered = token.low.endswith(("st", "nd", "rd", "th", "te", "ten", "de")) and token.low in NUMBERS
    return int(NUMBERS[token.low]) if ordered and NUMBERS[token.low].isdigit() else None


def _read_quarter(token: Token, ahead: Sequence[Token]) -> tuple[str, int] | None:
    """ "Q3 2025", "the third quarter of 2025", "im dritten Quartal"."""
    named = _QUARTER.fullmatch(token.low)
    if named is None:
        number = NUMBERS.get(token.low.removesuffix("s"))
        if number not in ("1", "2", "3", "4") or not ahead or ahead[0].low not in _QUARTERS:
            return None
        if len(ahead) > 2 and ahead[2].low in ("an", "hour") and ahead[1].low == "of":  # "the first quarter of an hour"
            return None
    elif token.text[0] != "Q":
        return None
    length = 1 if named else 2
    rest = ahead[length - 1 :]
    skip = int(bool(rest) and rest[0].low in ("of", "van", "in"))
    year, taken = _year(rest[skip:])
    return f"{year or '*'}-q{named[1] if named else number}-*", length + (skip + taken if year else 0)


def _day_first(token: Token, ahead: Sequence[Token]) -> tuple[str, int] | None:
    day = _DAY.fullmatch(token.text)
    rest = list(ahead)
    skip = 0
    while rest and rest[0].text in (".", "of"):
        rest, skip = rest[1:], skip + 1
    if not day or not rest or rest[0].kind != "word":
        return None
    month_number = quantities.month(rest[0].text)
    if month_number is None:
        shared = _month_of_next(rest)
        return (quantities.date_key(shared, int(day[1]), None), 1 + skip) if shared else None
    year = _year(rest[1:])
    return quantities.date_key(month_number, int(day[1]), year[0]), 2 + skip + year[1]


def _month_of_next(rest: Sequence[Token]) -> int | None:
    """ "From 10 to 20 March", "vom 4. bis zum 15. August": the first day has the month of the second."""
    words_left = [token for token in rest if token.text not in (".", "zum", "the", "en", "met") or token is rest[0]]
    if len(words_left) < 3 or words_left[0].low not in _THROUGH or words_left[1].kind != "number":
        return None
    return quantities.month(words_left[2].text)


def _in_figures(token: Token, before: str, ahead: Sequence[Token], language: str) -> tuple[str, int] | None:
    """ "am 21.3.", "op 3-12": day and month, where German or Dutch words in front tell that it is a day."""
    if language == "en" or before not in _ON:
        return None
    text, length = token.text, 1
    if language == "nl" and len(ahead) > 1 and ahead[0].text == "-" and ahead[1].kind == "number":
        text, length = f"{text}-{ahead[1].text}", 3
    elif not ahead or ahead[0].text != ".":
        return None
    found = _DAY_MONTH.fullmatch(text)
    if found is None or not (0 < int(found[1]) <= _DAYS and 0 < int(found[2]) <= _MONTHS):
        return None
    ended = length == 1 and len(ahead) > 1 and ahead[1].text[:1].islower()  # the point ends the date, not a sentence
    return quantities.date_key(int(found[2]), int(found[1]), None), length + ended


def _day_alone(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """ "on the 21st": a day whose month is told elsewhere. "The 3rd attempt" is none."""
    day = _NTH.fullmatch(tokens[at].low)
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    ends = following is None or following.kind in ("stop", "clause") or following.low in _NO_NOUN
    if day is None or at == 0 or not 0 < int(day[1]) <= _DAYS:
        return None
    before = tokens[at - 1].low
    months = [found for token in tokens[max(0, at - 4) : at - 1] if (found := quantities.month(token.text))]
    if before in _THROUGH and months:  # April 10th and 11th
        return quantities.date_key(months[-1], int(day[1]), None), 1
    return (f"*-*-{int(day[1]):02d}", 1) if ends and before == "the" else None


def _month_first(month_number: int, ahead: Sequence[Token], language: str) -> tuple[str, int]:
    if ahead and ahead[0].kind == "number" and language == "en":  # "sinds maart 12 euro" is no day
        day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", ahead[0].text.rstrip(".,"))
        if day:
            year = _year(ahead[1:])
            return quantities.date_key(month_number, int(day[1]), year[0]), 2 + year[1]
    year = _year(ahead)
    return quantities.date_key(month_number, None, year[0]), 1 + year[1]


def _year(ahead: Sequence[Token]) -> tuple[int | None, int]:
    """A year right ahead, a comma in between allowed, and how many tokens it takes."""
    for skip in (0, 1):
        if len(ahead) <= skip or (skip and ahead[0].text != ","):
            continue
        text = ahead[skip].text.rstrip(".,")
        if re.fullmatch(r"(?:19|20)\d\d", text):
            return int(text), skip + 1
    return None, 0

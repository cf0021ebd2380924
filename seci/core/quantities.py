"""Numbers, amounts, dates and times in canonical form, so that "90 minutes" and "1.5 hours" are one quantity."""

from __future__ import annotations

import re
from functools import cache
from math import isfinite

from seci.core.lexicon import MONTHS, NUMBERS, UNITS, WEEKDAYS, words

_THOUSANDS = re.compile(r"\d{1,3}(?:[,.\u202f' ]\d{3})+")
_SUFFIXES = {"k": 1_000.0, "m": 1_000_000.0, "x": 1.0, "": 1.0}
_NUMBER = re.compile(r"(\d[\d.,']*?)(k|m|x|st|nd|rd|th)?[.,]?", re.IGNORECASE)


def parse_number(text: str, language: str) -> str | None:
    """The canonical form of a number as written ("1,200", "40k", "3x", "5th", "two"), None when it is none.

    A decimal keeps its digits, since 3.10 is not 3.1 where it is a version. A comma is a decimal sign in German and
    Dutch and groups thousands in English; three digits after a point group thousands in German and Dutch.
    """
    low = text.lower()
    if low in NUMBERS:
        return NUMBERS[low]
    if low.startswith(("-", "−")):
        positive = parse_number(text[1:], language)
        return f"-{positive}" if positive else None
    match = _NUMBER.fullmatch(low)
    if match is None:
        return None
    digits, suffix = match[1].replace("'", ""), match[2] or ""
    if language == "en":
        digits = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) and "." not in digits else digits
        digits = digits.replace(",", ".") if digits.count(",") == 1 else digits.replace(",", "")
    elif _THOUSANDS.fullmatch(digits):
        digits = re.sub(r"[.,']", "", digits)
    else:
        digits = digits.replace(",", ".")
    digits = digits.strip(".'")
    if suffix in ("k", "m") and digits.count(".") <= 1:
        return plain(float(digits) * _SUFFIXES[suffix])
    return digits


def plain(value: float) -> str:
    """A float without a needless fraction: 1500.0 is "1500"."""
    return str(int(value)) if isfinite(value) and value == int(value) else repr(round(value, 9))


def as_float(number: str) -> float | None:
    """The value of a canonical number; None for a version (1.2.3), and for more digits than any quantity has."""
    try:
        value = float(number)
    except ValueError:
        return None
    return value if isfinite(value) else None


def parse_unit(word: str) -> tuple[str, float] | None:
    """Dimension and factor to its base unit; None when the word is no unit."""
    return UNITS.get(word.lower())


def amount(number: str, unit: tuple[str, float]) -> str:
    """The key of a number with its unit: `s:5400` for 90 minutes and for 1.5 hours."""
    dimension, factor = unit
    value = as_float(number)
    return number if value is None else f"{dimension}:{plain(value * factor)}"  # "1.2.3 days" is no amount


# Lengths of time that are told without a number.
LASTING = frozenset(
    words("viertelstunde kwartier kwartiertje halfuur halfuurtje dreiviertelstunde driekwartier fortnight")
)


def month(word: str) -> int | None:
    return MONTHS.get(word.lower().rstrip(".").removesuffix("'s"))


def weekday(word: str) -> int | None:
    low = word.lower()
    return WEEKDAYS.get(low) or WEEKDAYS.get(low.removesuffix("s"))


def date_key(month_number: int, day: int | None, year: int | None) -> str:
    """`2026-03-20`, with `*` for what is not said."""
    return f"{year or '*'}-{month_number:02d}-{day if day is None else f'{day:02d}'}".replace("None", "*")


@cache
def dates_agree(a: str, b: str) -> bool:
    """True where both may be the same day: equal, or one leaves the year open, or the month of a day."""
    first, second = a.split("-"), b.split("-")
    return first[2] == second[2] and all(x == y or "*" in (x, y) for x, y in zip(first[:2], second[:2], strict=True))


@cache
def amounts_agree(a: str, b: str) -> bool:
    """True where both are as much: equal, or cents of a currency that only one names."""
    cents, whole = sorted((a, b), key=lambda key: not key.startswith("cent:"))
    currency, _, much = whole.partition(":")
    if not cents.startswith("cent:") or currency not in ("eur", "usd"):
        return a == b
    return round(float(much) * 100, 6) == float(cents.removeprefix("cent:"))

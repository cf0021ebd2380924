"""Days that a question names, "on 25 May 2022" or "two weeks ago", as intervals, and how near a day is to them.

What a dialogue tells about a day is told on that day or soon after it: nearness falls off quickly before an interval
and slowly after it. English only; what cannot be read is left alone.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAD_DAYS = 2.0  # nearness before an interval falls to 1/e in so many days
LAG_DAYS = 14.0  # and after it
LONG_DAYS = 300  # an interval as long as a year says little: inside it the nearness is WEAK, outside 0
WEAK = 0.3

_MONTHS = {name.lower(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if n}
_MONTHS["sept"] = 9
_MONTH = f"({'|'.join(sorted(_MONTHS, key=len, reverse=True))})\\.?"
_WEEKDAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "several": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
# Parts of a month as (first day, last day); negative days count from its end.
_PARTS = {
    "beginning": (1, 12), "start": (1, 12), "early": (1, 12), "first half": (1, 15), "mid": (9, 21), "middle": (9, 21),
    "second half": (16, -1), "end": (19, -1), "late": (19, -1), "first week": (1, 8), "first weekend": (1, 8),
    "second week": (7, 15), "second weekend": (7, 15), "third week": (14, 22), "third weekend": (14, 22),
    "last week": (-9, -1), "last weekend": (-9, -1),
}  # fmt: skip
_PART = rf"(?:\b({'|'.join(_PARTS)})[\s-]+(?:of\s+)?(?:the\s+)?)?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?:of\s+)?((?:19|20)\d\d))?"
_ISO = re.compile(r"\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b")
_DAY_MONTH = re.compile(rf"\b{_DAY}(?:\s+of)?\s+{_MONTH}\b{_YEAR}")
_MONTH_DAY = re.compile(rf"\b{_MONTH}\s+{_DAY}\b{_YEAR}")
_MONTH_YEAR = re.compile(rf"{_PART}\b{_MONTH}(?!\w){_YEAR}")
_IN_YEAR = re.compile(r"\b(?:in|of|during|since|by|year)\s+((?:19|20)\d\d)\b")
_AGO = re.compile(rf"\b(\d{{1,4}}|{'|'.join(_COUNTS)})\s+(day|week|month|year)s?\s+ago\b")
_LAST = re.compile(rf"\b(last|this|past|previous)\s+(week|weekend|month|year|{'|'.join(_WEEKDAYS)})\b")
_UNIT_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.25}
# "may", "march" and the short forms are months only after one of these.
_BEFORE_MONTH = re.compile(
    r"\b(?:in|of|since|during|by|until|last|this|next|before|after|from|to|between|and|late|early|mid)[\s-]+$"
)
_DOUBTFUL = frozenset({"may", "march", "mar", "sat", "sun", "dec", "jan", "jun", "sep", "oct", "nov", "feb", "apr"})


@dataclass(frozen=True, slots=True)
class Interval:
    """Both days are part of it."""

    first: date
    last: date


def parse_intervals(text: str, now: date | None = None, years: Sequence[int] = ()) -> list[Interval]:
    """The days that a question names. A date without a year is read in each of `years` (those that the sessions fall
    in), else in the year of `now`; words like "last week" need `now`."""
    text = text.lower()
    found: list[Interval] = []
    taken: list[tuple[int, int]] = []
    open_years = list(years) or ([now.year] if now else [])
    for match, interval in _absolute(text, open_years):
        if not any(start < match.end() and match.start() < end for start, end in taken if (start, end) != match.span()):
            taken.append(match.span())
            found.append(interval)
    if now is not None:
        found.extend(_relative(text, now))
    return found


def score_nearness(days: NDArray[np.float64], intervals: Sequence[Interval]) -> NDArray[np.float64]:
    """For each day (proleptic ordinals, nan where none is known) its nearness to the nearest interval: 1 inside,
    exp(-days / 2) before, exp(-days / 14) after; 0 where nothing is known."""
    import numpy as np

    best = np.zeros(len(days))
    with np.errstate(invalid="ignore"):
        for interval in intervals:
            first, last = interval.first.toordinal(), interval.last.toordinal()
            early, late = np.maximum(first - days, 0.0), np.maximum(days - last, 0.0)
            if last - first >= LONG_DAYS:
                value = np.where((early == 0) & (late == 0), WEAK, 0.0)
            else:
                value = np.exp(-early / LEAD_DAYS - late / LAG_DAYS)
            best = np.fmax(best, value)
    return best


def _absolute(text: str, years: Sequence[int]) -> Iterator[tuple[re.Match[str], Interval]]:
    """Candidates, the most exact first."""
    for match in _ISO.finditer(text):
        yield from _day(match, int(match[2]), int(match[3]), [int(match[1])])
    for pattern, day, month in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(text):
            yield from _day(match, _MONTHS[match[month]], int(match[day]), [int(match[3])] if match[3] else years)
    for match in _MONTH_YEAR.finditer(text):
        word = match[2]
        doubtful = word in _DOUBTFUL and not match[3] and not match[1]
        if not (doubtful and not _BEFORE_MONTH.search(text[: match.start(2)])):
            for year in [int(match[3])] if match[3] else years:
                yield match, _month(year, _MONTHS[word], match[1])
    for match in _IN_YEAR.finditer(text):
        yield match, Interval(date(int(match[1]), 1, 1), date(int(match[1]), 12, 31))


def _day(match: re.Match[str], month: int, day: int, years: Sequence[int]) -> Iterator[tuple[re.Match[str], Interval]]:
    for year in years:
        if 1 <= month <= 12 and year >= 1 and 1 <= day <= calendar.monthrange(year, month)[1]:
            yield match, Interval(date(year, month, day), date(year, month, day))


def _month(year: int, month: int, part: str | None) -> Interval:
    length = calendar.monthrange(year, month)[1]
    first, last = _PARTS.get(part or "", (1, -1))
    return Interval(
        date(year, month, first if first > 0 else length + 1 + first),
        date(year, month, last if last > 0 else length + 1 + last),
    )


def _relative(text: str, now: date) -> Iterator[Interval]:
    if re.search(r"\byesterday\b", text):
        yield Interval(now - timedelta(1), now - timedelta(1))
    if re.search(r"\btoday\b", text):
        yield Interval(now, now)
    for match in _AGO.finditer(text):
        count = int(match[1]) if match[1].isdigit() else _COUNTS[match[1]]
        unit = _UNIT_DAYS[match[2]]
        if count * unit < now.toordinal() - unit:
            middle, slack = now - timedelta(count * unit), timedelta((unit - 1) / 2)
            yield Interval(middle - slack, middle + slack)
    for match in _LAST.finditer(text):
        yield _named(match[1], match[2], now)


def _named(which: str, what: str, now: date) -> Interval:
    """ "last week", "this month", "last Tuesday", counted from `now`."""
    if what in _WEEKDAYS or what == "weekend":
        weekday = _WEEKDAYS.get(what, 5)
        first = now - timedelta((now.weekday() - weekday - 1) % 7 + 1)
        return Interval(first, first + timedelta(what == "weekend"))
    if what == "week":
        monday = now - timedelta(now.weekday())
        return Interval(monday, now) if which == "this" else Interval(now - timedelta(14), now - timedelta(1))
    if what == "month":
        if which == "this":
            return Interval(now.replace(day=1), now)
        last = now.replace(day=1) - timedelta(1)
        return Interval(last.replace(day=1), last)
    if which == "this":
        return Interval(date(now.year, 1, 1), now)
    return Interval(date(now.year - 1, 1, 1), date(now.year - 1, 12, 31))

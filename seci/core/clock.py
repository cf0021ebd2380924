"""Times of day in canonical form: `16:30`; `04:30?` where nothing tells the half of the day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from seci.core.lexicon import NUMBERS, words
from seci.core.numerals import cardinal
from seci.core.tokens import Token

_MIDNIGHT = frozenset(words("midnight mitternacht middernacht"))
NOON, NOON_WORDS = "12:00", frozenset(words("noon midday"))  # words, since "before noon" is also said as "mornings"
_FIGURES = re.compile(r"(\d{1,2})[.:](\d{2})")
_LATE = frozenset(
    words("pm p.m afternoon evening nachmittags abends abend nachmittag namiddags middags avonds middag avond")
)
_EARLY = frozenset(words("am a.m morning morgens vormittags früh morgen ochtends ochtend"))
_NIGHT = frozenset(words("night nachts nacht"))
_PART = _LATE | _EARLY | _NIGHT
_HOUR_WORDS = frozenset(words("o'clock uhr"))
_AT = frozenset(
    words("at by until till before after around about from um ab bis gegen om vanaf tot rond tussen voor na")
)
_SHARP = frozenset(words("at um om"))
_PAST = {"en": ("past", "after"), "de": ("nach",), "nl": ("over",)}
_UNTIL = {"en": ("to", "before", "till"), "de": ("vor",), "nl": ("voor",)}
_HALF = {"en": (), "de": ("halb",), "nl": ("half",)}  # half of the hour that follows: "halb fünf" is 4:30
_QUARTER = frozenset(words("quarter viertel kwart"))
_BEGIN = _QUARTER | frozenset(words("half halb dreiviertel"))
_MINUTES = frozenset(words("minutes minuten"))
_HOURS, _HALF_DAY = 24, 12
_LAST_AT_NIGHT = 5  # "two at night" is early, "eleven at night" late


def begins_time(word: str) -> bool:
    """Whether a time of day may begin with a word that is no number."""
    return word in _BEGIN or word in _MIDNIGHT or word in ("eins", "één", "een")


@cache
def times_agree(a: str, b: str) -> bool:
    """True where both may be the same time: equal, or twelve hours apart where one leaves the half of the day open."""
    if "?" not in a + b:
        return a == b
    first, second = ((int(key[:2]) % _HALF_DAY, key[3:5]) for key in (a, b))
    return first == second


def is_hour_of(number: str, time: str) -> bool:
    """Whether a bare number is the hour of a time: "before 10", "before 10 am"."""
    return number.isdigit() and times_agree(f"{int(number):02d}:00{time[5:]}", time)


def is_length_of(amount: str, time: str) -> bool:
    """Whether what looks like a time is that long: "in 1:50", "in 1 hour 50 minutes"."""
    found = re.fullmatch(r"(\d\d):(\d\d)", time)
    return found is not None and amount == f"s:{int(found[1]) * 3600 + int(found[2]) * 60}"


def parse_time(tokens: Sequence[Token], at: int, language: str, link: str) -> tuple[str, int] | None:
    """The time of day that begins at a token, and how many tokens it takes. `link` is the preposition in front."""
    token = tokens[at]
    if token.kind == "word":
        if token.low in _MIDNIGHT:
            return "00:00", 1
        if token.low not in _BEGIN and cardinal(token.low) is None:
            return None
    elif token.kind not in ("time", "number"):
        return None
    return _read_figures(tokens, at) or _read_spoken(tokens, at, language) or _read_hour(tokens, at, language, link)


def _read_figures(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """ "16:30", "4:30 pm", "16.30 Uhr"."""
    token = tokens[at]
    figures = _FIGURES.match(token.text) if token.kind == "time" else _FIGURES.fullmatch(token.text)
    if figures is None or int(figures[1]) > _HOURS or int(figures[2]) >= 60:
        return (token.text, 1) if token.kind == "time" else None  # a ratio, or a length of time
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    named = following in ("uhr", "uur")
    late, length = _part_of_day(tokens, at + 1 + named)
    if token.kind != "time" and not named and following not in ("am", "pm", "a.m", "p.m"):
        return None
    return _key(int(figures[1]), int(figures[2]), late, sure=True), 1 + named + length


def _read_spoken(tokens: Sequence[Token], at: int, language: str) -> tuple[str, int] | None:
    """ "half past four", "quarter to 5", "halb fünf", "tien voor half negen"."""
    before = tokens[at - 1].low if at else ""
    low = tokens[at].low
    if low in _HALF[language]:
        return _hour_after(tokens, at, 1, -30, language)
    if low == "dreiviertel":
        return _hour_after(tokens, at, 1, -15, language)
    if low in _QUARTER:
        minutes: float | None = 15
    elif low == "half" and language == "en":
        minutes = 30
    else:
        halved = any(token.low in _HALF[language] for token in tokens[at + 2 : at + 3])  # zehn vor halb neun
        minutes = cardinal(low) if halved or before in _AT - {"from", "ab", "vanaf", "tussen"} else None
    if minutes is None or minutes not in (5, 10, 15, 20, 25, 30):
        return None
    place = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].low in _MINUTES)
    word = tokens[place].low if place < len(tokens) else ""
    if word not in _PAST[language] + _UNTIL[language]:
        return None
    place += 1
    offset = int(minutes) if word in _PAST[language] else -int(minutes)
    if place < len(tokens) and tokens[place].low in _HALF[language]:
        place, offset = place + 1, offset - 30
    return _hour_after(tokens, at, place - at, offset, language)


def _hour_after(tokens: Sequence[Token], at: int, skip: int, offset: int, language: str) -> tuple[str, int] | None:
    """The hour that a spoken time names, `offset` minutes later."""
    place = at + skip
    hour = _hour(tokens[place], language) if place < len(tokens) else None
    if hour is None:
        return None
    named = place + 1 < len(tokens) and tokens[place + 1].low in ("uhr", "uur", "o'clock")
    late, length = _part_of_day(tokens, place + 1 + named)
    minutes = (hour * 60 + offset) % (_HOURS * 60)
    return _key(minutes // 60, minutes % 60, late, sure=hour > _HALF_DAY), skip + 1 + named + length


def _read_hour(tokens: Sequence[Token], at: int, language: str, link: str) -> tuple[str, int] | None:
    """ "9 am", "16 Uhr", "nine in the morning", "om negen uur"."""
    hour = _hour(tokens[at], language)
    if hour is None:
        return None
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    before = tokens[at - 1].low if at else ""
    named = following in _HOUR_WORDS or (following == "uur" and (link == "om" or before in _AT - {"na", "voor"}))
    late, length = _part_of_day(tokens, at + 1 + named)
    earlier = tokens[at - 2].low if at > 1 and before in _SHARP else ""
    if not length and earlier in _PART:
        late = earlier  # "on Sunday evening at seven"
    elif not named and not length:
        return None
    minutes = 0
    end = at + 1 + named
    if following == "uhr" and not length and end < len(tokens) and re.fullmatch(r"[0-5]\d", tokens[end].text):
        minutes, length = int(tokens[end].text), 1  # 16 Uhr 30
    written = tokens[at].kind == "number" and following != "o'clock"
    return _key(hour, minutes, late, sure=written or hour > _HALF_DAY), 1 + named + length


def _hour(token: Token, language: str) -> int | None:
    if token.kind == "number":
        return int(token.text) if re.fullmatch(r"\d{1,2}", token.text) and int(token.text) <= _HOURS else None
    if token.kind != "word" or token.low not in NUMBERS:
        return 1 if token.low in ("eins", "één", "een") and language != "en" else None
    value = NUMBERS[token.low]
    return int(value) if value.isdigit() and 0 < int(value) <= _HALF_DAY else None


def _part_of_day(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The word for the part of the day at a place, "" for none, and how many tokens it takes."""
    for skip in range(3):
        if at + skip >= len(tokens):
            break
        low = tokens[at + skip].low
        if low in _PART and (skip or low not in ("morning", "afternoon", "evening", "night", "morgen", "abend")):
            point = low in ("a.m", "p.m") and at + skip + 1 < len(tokens) and tokens[at + skip + 1].text == "."
            ends = point and at + skip + 2 < len(tokens) and tokens[at + skip + 2].text[:1].isupper()
            return low, skip + 1 + (point and not ends)
        if low not in ("in", "the", "at", "am", "s", "de"):
            break
    return "", 0


def _key(hour: int, minute: int, part: str, sure: bool) -> str:
    late = part in _LATE or (part in _NIGHT and hour > _LAST_AT_NIGHT)
    if part and hour <= _HALF_DAY:
        hour = hour % _HALF_DAY + _HALF_DAY * (late or (part == "middags" and hour == _HALF_DAY))
        return f"{hour:02d}:{minute:02d}"
    if sure:
        return f"{hour % _HOURS:02d}:{minute:02d}"
    return f"{hour % _HALF_DAY:02d}:{minute:02d}?"

"""A text as tokens, and the dates, times and pieces of code among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from seci.core import quantities
from seci.core.lexicon import NUMBERS

_TOKEN = re.compile(
    r"""
      (?P<code>`[^`\n]+`)
    | (?P<url>\b(?:https?|ftp|ssh|git|file|s3)://[^\s<>"')\]]+ | \b[\w.+-]+@[\w-]+\.[\w.-]+\w)
    | (?P<iso>\b\d{4}-\d{2}-\d{2}\b)
    | (?P<dmy>\b\d{1,2}\.\s?\d{1,2}\.\d{4}\b)
    | (?P<time>\b\d{1,2}:\d{2}(?::\d{2})?\b)
    | (?P<path>(?<![\w/])(?:~|\.{1,2})?/[\w.@<>{}*:-]+(?:/[\w.@<>{}*:-]*)* | \b[\w.@-]+(?:/[\w.@<>{}*-]+)+)
    | (?P<flag>(?<![\w-])--?[a-zA-Z][\w-]*)
    | (?P<hashed>[#@][\w-]+)
    | (?P<version>\bv\d+(?:\.\w+)*\b | \b\d+(?:\.\d+){2,}(?:-\w+)?\b)
    | (?P<model>\b[^\W\d_]\w*(?:(?=[\w.-]*\d)(?:-\w+(?:\.\d+)?){2,}|-(?:\d+[^\W\d_]\w*|[^\W\d_]+\d\w*))\b)
    | (?P<number>\d(?:[\d.,']*\d)?(?:(?:st|nd|rd|th|[kKmMx])\b|%)?)
    | (?P<ident>\b\w+(?:[_.]\w+)+\b(?:\(\))? | \b\w+\(\))
    | (?P<arrow>->|→|=>|⇒)
    | (?P<word>[^\W\d_]\w*(?:['’]\w+|\+\+|\#|(?:\+\d))? | \.NET\b)
    | (?P<unit>[%€$£°]C?)
    | (?P<stop>[.!?](?=\s|$)|\n)
    | (?P<clause>[,;:()\[\]—–-])
    """,
    re.VERBOSE,
)
_MARKDOWN = re.compile(r"\*\*|__|^#{1,6}\s+|^\s*[-*+]\s+|\[\[|\]\]|(?<=\w)\](?=\()|^>\s*", re.MULTILINE)
_EVERY = {
    unit: word
    for word, units in {
        "per-second": "s sec second",
        "per-minute": "min minute",
        "hourly": "h hr hour",
        "daily": "day",
        "weekly": "week",
        "monthly": "month mo",
        "yearly": "year yr",
    }.items()
    for unit in units.split()
}
_RATE = re.compile(rf"([^\W\d_]+)/({'|'.join(_EVERY)})\.?", re.IGNORECASE)


@dataclass(slots=True)
class Token:
    """One token; `kind` is the name of its group in the pattern."""

    kind: str
    text: str

    @property
    def low(self) -> str:
        return self.text.lower().replace("’", "'")


def parse_tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(_MARKDOWN.sub("", text)):
        kind = match.lastgroup or ""
        raw = match[0]
        if kind == "code":
            inner = raw.strip("`").strip()
            if re.fullmatch(r"[^\W\d_]+", inner):  # a plain word in code marks is that word
                kind, raw = "word", inner
        if kind == "url":
            raw = raw.rstrip(".,;:!?)")
        if kind == "path":
            raw = raw.rstrip(".:")  # the end of a sentence, not of a path
        if kind == "path" and re.fullmatch(r"[A-Za-z]/[A-Za-z]|and/or|\d+/\d+", raw):
            kind = "word"
        if kind == "path" and (rate := _RATE.fullmatch(raw)):  # req/min, requests/second
            yield Token("word", rate[1])
            yield Token("word", _EVERY[rate[2].lower()])
            continue
        if kind == "ident" and "=" in raw:
            kind = "code"
        yield Token(kind, raw)


def code_key(text: str) -> str:
    """Code is compared as written but for marks around it, spacing and a closing slash or pair of brackets."""
    return (
        " ".join(text.strip("`").split())
        .removesuffix("()")
        .rstrip("/")
        .removeprefix("https://")
        .removeprefix("http://")
    )


def parse_date(token: Token, ahead: list[Token], language: str) -> tuple[str, int] | None:
    if token.kind == "iso":
        year, month, day = map(int, token.text.split("-"))
        return quantities.date_key(month, day, year), 1
    if token.kind == "dmy":
        day, month, year = map(int, re.findall(r"\d+", token.text))
        return quantities.date_key(month, day, year), 1
    if token.kind == "number":
        return _day_first(token, ahead)
    month_number = quantities.month(token.text) if token.kind == "word" else None
    if month_number is None or not (token.text[0].isupper() or language == "nl"):
        return None
    return _month_first(month_number, ahead)


def _day_first(token: Token, ahead: list[Token]) -> tuple[str, int] | None:
    day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?\.?", token.text)
    rest = list(ahead)
    skip = 0
    while rest and rest[0].text in (".", "of"):
        rest, skip = rest[1:], skip + 1
    if not day or not rest or rest[0].kind != "word":
        return None
    month_number = quantities.month(rest[0].text)
    if month_number is None:
        # "from 10 to 20 March": the first day has the month of the second
        if len(rest) >= 3 and rest[0].low in ("to", "auf", "naar", "until", "bis", "tot") and rest[1].kind == "number":
            shared = quantities.month(rest[2].text)
            return (quantities.date_key(shared, int(day[1]), None), 1) if shared else None
        return None
    year = _year(rest[1:])
    return quantities.date_key(month_number, int(day[1]), year[0]), 2 + skip + year[1]


def _month_first(month_number: int, ahead: list[Token]) -> tuple[str, int]:
    if ahead and ahead[0].kind == "number":
        day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", ahead[0].text.rstrip(".,"))
        if day:
            year = _year(ahead[1:])
            return quantities.date_key(month_number, int(day[1]), year[0]), 2 + year[1]
    year = _year(ahead)
    return quantities.date_key(month_number, None, year[0]), 1 + year[1]


def _year(ahead: list[Token]) -> tuple[int | None, int]:
    """A year right ahead, a comma in between allowed, and how many tokens it takes."""
    for skip in (0, 1):
        if len(ahead) <= skip or (skip and ahead[0].text != ","):
            continue
        text = ahead[skip].text.rstrip(".,")
        if re.fullmatch(r"(?:19|20)\d\d", text):
            return int(text), skip + 1
    return None, 0


def parse_time(token: Token, ahead: list[Token], link: str) -> tuple[str, int] | None:
    following = ahead[0].low if ahead else ""
    if token.kind == "time":
        hours, minutes = map(int, token.text.split(":")[:2])
        half = following in ("pm", "p.m") and hours < 12
        return f"{hours + 12 * half:02d}:{minutes:02d}", 1 + (following in ("am", "pm", "uhr", "uur"))
    if token.kind == "word" and token.low in ("midnight", "mitternacht", "middernacht"):
        return "00:00", 1
    hour = re.fullmatch(r"\d{1,2}", token.text)
    named = NUMBERS.get(token.low) if token.kind == "word" else None
    value = int(hour[0]) if hour else int(named) if named and named.isdigit() else None
    if value is None or value > 24:
        return None
    if following in ("am", "pm", "a.m", "p.m"):
        return f"{value % 12 + 12 * following.startswith('p'):02d}:00", 2
    if following in ("uhr", "o'clock") or (following == "uur" and link == "om"):
        return f"{value:02d}:00", 2
    return None

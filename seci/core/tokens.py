"""A text as tokens, and the pieces of code among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""
      (?P<code>`[^`\n]+`)
    | (?P<url>\b(?:https?|ftp|ssh|git|file|s3)://[^\s<>"')\]]+ | \b[\w.+-]+@[\w-]+\.[\w.-]+\w)
    | (?P<iso>\b\d{4}-\d{2}-\d{2}\b)
    | (?P<dmy>\b\d{1,2}\.\s?\d{1,2}\.\s?\d{4}\b | \b\d{1,2}-\d{1,2}-\d{4}\b | \b\d{1,2}/\d{1,2}/\d{4}\b)
    | (?P<time>\b\d{1,2}:\d{2}(?::\d{2})?\b)
    | (?P<path>(?<![\w/])(?:~|\.{1,2})?/[\w.@<>{}*:-]+(?:/[\w.@<>{}*:-]*)* | \b[\w.@-]+(?:/[\w.@<>{}*-]+)+)
    | (?P<flag>(?<![\w-])--?[a-zA-Z][\w-]*)
    | (?P<hashed>[#@][\w-]+)
    | (?P<version>\bv\d+(?:\.\w+)*\b | \b\d+(?:\.\d+){2,}(?:-\w+)?\b)
    | (?P<model>\b[^\W\d_]\w*(?:(?=[\w.-]*\d)(?:-\w+(?:\.\d+)?){2,}|-(?:\d+[^\W\d_]\w*|[^\W\d_]+\d\w*))\b)
    | (?P<number>(?:(?<![\w.)\]-])[-−])?\d(?:[\d.,']*\d)?(?:(?:st|nd|rd|th|[kKmMx])\b|%)?)
    | (?P<ident>\b\w+(?:[_.]\w+)+\b(?:\(\))? | \b\w+\(\))
    | (?P<arrow>->|→|=>|⇒)
    | (?P<word>[^\W\d_]\w*(?:['’]\w+|\+\+|\#|(?:\+\d))? | \.NET\b)
    | (?P<sign>[<>]=?(?=\s?\d) | [≤≥](?=\s?\d))
    | (?P<unit>[%€$£°]C?)
    | (?P<stop>[.!?](?=\s|$)|\n)
    | (?P<clause>[,;:()\[\]—–-])
    """,
    re.VERBOSE,
)
_MARKDOWN = re.compile(r"\*\*|__|^#{1,6}\s+|^\s*[-*+]\s+|\[\[|\]\]|(?<=\w)\](?=\()|^>\s*", re.MULTILINE)
_HYPHENATED = re.compile(
    r"\b(e(?=-mail)|front(?=-end)|back(?=-end)|start(?=-up)|set(?=-up)|code(?=-base))-(\w)", re.IGNORECASE
)
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
    """One token; `kind` is the name of its group in the pattern, `low` its text in lower case."""

    kind: str
    text: str
    low: str = field(init=False)  # kept: it is asked for some twenty times

    def __post_init__(self) -> None:
        self.low = self.text.lower().replace("’", "'")


def parse_tokens(text: str) -> Iterator[Token]:
    plain = _HYPHENATED.sub(_run_together, _MARKDOWN.sub("", text))
    for match in _TOKEN.finditer(plain):
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


def _run_together(match: re.Match[str]) -> str:
    """ "E-Mail" is written "email" as well, "front-end" "frontend"."""
    return match[1] + match[2].lower()


def code_key(text: str) -> str:
    """Code is compared as written but for marks around it, spacing and a closing slash or pair of brackets."""
    return (
        " ".join(text.strip("`").split())
        .removesuffix("()")
        .rstrip("/")
        .removeprefix("https://")
        .removeprefix("http://")
    )

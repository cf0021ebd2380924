"""Titles in any language: a sentence in its own words, shortened only where a clause ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from seci.distillers.language import Cues
from seci.distillers.sentences import capitalise, is_balanced
from seci.distillers.voice import strip_openers

WIDTH = 88  # columns; a character of a script without spaces takes two
LEAST = 16
LEAST_CUT = 24  # columns that must be left before a mere comma or a phrase
_PARENTHESES = re.compile(r"\s?[(（][^()（）]*[)）]")
_MARKS = re.compile(r"\s[-–—]\s|[;；]|\s?——\s?")
_COMMA = re.compile(r"[,，、]")
_TRIM = " .!?;:,–—-。！？；：，、…¡¿"
_QUOTES = re.compile(r"^[\"'“”„«»「」]+|[\"'“”„«»「」]+$")


def headline(sentence: str, cues: Cues, least: int = LEAST) -> str:
    """A claim or wish of `least` to WIDTH columns; empty where none can be cut out whole."""
    text = sentence.strip(_TRIM)
    for name in ("leads", "politeness"):
        if pattern := cues.titles.get(name):
            text = _drop_edges(pattern, strip_openers(text, cues), least).strip(_TRIM)
    if pattern := cues.titles.get("fillers"):
        text = pattern.sub("", text)
    plain = _PARENTHESES.sub("", text)
    for attempt in (text, plain, *_without_scene(plain, cues)):
        if fitted := _fit(attempt, cues, least, whole=True):
            return fitted
    return _cut(plain, [_MARKS, cues.titles.get("breaks")], LEAST, cues) or _cut(
        plain, [_COMMA, cues.titles.get("phrases")], LEAST_CUT, cues
    )


def _without_scene(text: str, cues: Cues) -> Iterator[str]:
    """The text without the clause that only sets the scene; where the verb comes last, the main clause at the end."""
    scenes, breaks = cues.titles.get("scenes"), cues.titles.get("breaks")
    if scenes and (match := scenes.match(text)) and not (breaks and breaks.match(text[match.end() :])):
        yield text[match.end() :]
    if tails := cues.titles.get("tails"):
        for match in tails.finditer(text):
            yield text[match.end() :]


def width(text: str) -> int:
    """Columns on a screen."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _drop_edges(pattern: re.Pattern[str], text: str, least: int) -> str:
    """The text without what the pattern matches at its start or its end, as long as words are left."""
    for _ in range(3):
        found = pattern.match(text)
        if found is None or not found[0]:
            found = next((match for match in pattern.finditer(text) if match.end() == len(text) and match[0]), None)
        if found is None:
            return text
        rest = (text[: found.start()] + text[found.end() :]).strip(_TRIM)
        if width(rest) < least:
            return text
        text = rest
    return text


def _cut(text: str, patterns: list[re.Pattern[str] | None], least: int, cues: Cues) -> str:
    """The longest beginning that ends where one of the patterns matches and can stand by itself."""
    places = sorted({m.start() for pattern in patterns if pattern for m in pattern.finditer(text)}, reverse=True)
    for place in places:
        if width(text[:place]) >= least and (fitted := _fit(text[:place], cues, least)):
            return fitted
    return ""


def _fit(text: str, cues: Cues, least: int, *, whole: bool = False) -> str:
    """The text as a title if it can be one; a `whole` sentence never ends badly."""
    text = text.strip(_TRIM)
    if len(_QUOTES.findall(text)) == 2:
        text = _QUOTES.sub("", text)
    if not least <= width(text) <= WIDTH or not is_balanced(text) or text.count("„") != text.count("“"):
        return ""
    bad_end, bad_start = cues.titles.get("bad_ends"), cues.titles.get("bad_starts")
    if (bad_end and not whole and any(m.end() == len(text) for m in bad_end.finditer(text))) or (
        bad_start and bad_start.match(text)
    ):
        return ""
    return capitalise(text) if "`" not in text[:1] else text

"""What a question asks about, apart from how it asks.

"Can you give me a summary of how my budget evolved throughout our conversations?" is about "how my budget evolved";
the rest would only pull in other requests. English only; a question that no rule fits is its own subject.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from seci.core.temporal import Interval, parse_intervals

_REACH = 2000  # characters that the rules look at; a longer question is taken as it is

_LEAD = re.compile(
    r"^\s*(?:(?:hi|hey|hello|ok|okay|so|well|please)[,\s]+)*"
    r"(?:(?:can|could|would|will) you (?:please |also |kindly )?(?:help me (?:to )?)?"
    r"(?:give|tell|show|remind|walk|list|provide|explain|describe|summari[sz]e|recap|outline|recall|write|find|suggest"
    r"|recommend|help)\b(?: (?:me|us)\b)?(?: (?:through|about|of|with|out)\b)?"
    r"|(?:please )?(?:tell|give|show|remind|walk) me\b(?: (?:through|about|of)\b)?"
    r"|do you (?:remember|know|recall)\b|i(?:['’]d| would) like (?:to know|you to tell me)\b"
    r"|i(?:['’]m| am) (?:wondering|curious)\b)\s*",
    re.IGNORECASE,
)
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\(?\s*\b(?:mention|list|give|include|name|answer|reply|respond)(?: with)? "
        r"(?:only\b.*|exactly\b.*|\w+ (?:items|things|aspects|points)\b.*|yes or no\b.*)$",
        r"\b(?:an? |the )?"
        r"(?:(?:comprehensive|clear|complete|quick|brief|short|detailed|full|overall|concise|thorough) )*"
        r"(?:summary|overview|recap|rundown) ?(?:of|about|on)?(?!\w)",
        r"\b(?:the )?(?:chronological )?(?:order|sequence) (?:in which|of|that)\b|\bin (?:chronological )?order\b",
        r"\b(?:did )?(?:i|we|you)(?:['’]ve| have)? "
        r"(?:brought up|bring up|mention(?:ed)?|talk(?:ed)? about|discuss(?:ed)?"
        r"|said|say|told|tell you|asked about)\b(?: (?:that|about)\b)?",
        r"\b(?:the )?(?:(?:different|various|main|key|many) )?(?:aspects?|topics?|items?|points?) "
        r"(?:of|about|related to|around)\b",
        r"\b(?:through(?:out)?|across|over|during|in|from|based on) (?:all )?(?:of )?"
        r"(?:our|my|the|these|this|past|previous|recent|earlier|your)? ?"
        r"(?:(?:past|previous|recent|earlier|whole|entire) )?"
        r"(?:conversations?|chats?|discussions?|messages|interactions|exchanges|sessions|requests|questions)\b"
        r"|\bover time\b|\bso far\b",
    )
)
_EMPTY = re.compile(r"\b(?:different|total|specific(?:ally)?|comprehensive|mention(?:ed)?)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_SUMMARY = re.compile(r"\bsummar|\boverview\b|\brecap\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will) you\b|\bshould (?:i|we)\b|\bhow (?:do|can|to|would|should)\b|\bsuggest|\brecommend"
    r"|\bhelp me\b|\bwhat (?:should|are some|are good)\b|^\s*(?:show|explain|give|write|plan|walk)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question taken apart. `subject` is what it is about, `bare` the same without the names of known speakers."""

    text: str
    subject: str
    bare: str
    names: frozenset[str] = frozenset()  # speakers that it names
    intervals: tuple[Interval, ...] = ()
    first_person: bool = False  # speaks of "I" or "my"
    summary: bool = False  # wants the whole story, both sides of it
    request: bool = False  # asks for something to be done or advised, so standing instructions apply


def parse_inquiry(
    text: str, speakers: Collection[str] = (), now: date | None = None, years: Sequence[int] = ()
) -> Inquiry:
    """`speakers` are the names under which turns were said; for `now` and `years` see `parse_intervals`."""
    if len(text) > _REACH:
        return Inquiry(text, text, text)
    subject = select_subject(text)
    names = frozenset(name for name in speakers if name in text and _names(name).search(text))
    return Inquiry(
        text=text,
        subject=subject,
        bare=drop_names(subject, names),
        names=names,
        intervals=tuple(parse_intervals(text, now, years)),
        first_person=_FIRST_PERSON.search(text) is not None,
        summary=_SUMMARY.search(text) is not None,
        request=_REQUEST.search(text) is not None,
    )


def select_subject(text: str) -> str:
    """The question without its framing; unchanged where fewer than two words would be left."""
    subject = _FRAMES[0].sub(" ", text)
    for frame in (_LEAD, *_FRAMES[1:]):
        subject = frame.sub(" ", subject)
    return _tidy(subject, 2) or text


def select_topic(text: str) -> str:
    """Without words that count or compare; unchanged where nothing would be left."""
    return _tidy(_EMPTY.sub(" ", text), 1) or text


def drop_names(text: str, names: Collection[str]) -> str:
    """Without these names: every turn of a speaker carries the speaker's name, so the name tells them apart from nobody
    and draws a question towards greetings. Unchanged where nothing would be left."""
    for name in sorted(names):
        text = _tidy(_names(name).sub(" ", text), 1) or text
    return text


def _names(name: str) -> re.Pattern[str]:
    """As it is written, a possessive ending included."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)")


def _tidy(text: str, least: int) -> str:
    """Blanks put right; "" where fewer than `least` words of three letters are left."""
    text = re.sub(r"[\s,;:]+([?.,!)])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,.;:")
    return text if len(_WORD.findall(text)) >= least else ""

"""Orders that hold from now on: how they are told from requests, and what names them."""

from __future__ import annotations

import re

from seci.distillers.language import Cues


def is_standing(text: str, cues: Cues) -> bool:
    """An order that holds from now on: an adverb of all times before a bare verb, or things in general that are
    told what to do ("tests compare literal values", "every handler must log its request")."""
    if cues.starts("standing_orders", text):
        return True
    if match := cues.starts("general_subjects", text):
        rest = text[match.end() :]
        every = bool(cues.starts("every_subject", text))
        general = every or cues.says("contrasted", rest)
        return bool(general and (cues.starts("obliged", rest) or (not every and cues.starts("imperative", rest))))
    return False


_HERE = re.compile(r"\s(?:(?:in|for|on|of|to) (?:this|these|that) \w+|like (?:that|this|these))\b")


def standing_gist(text: str, cues: Cues) -> str:
    """A standing order as a title: without "from now on" and without the place that only the session knew."""
    if match := cues.starts("manners", text):
        return f"{match['what']}: {match['how']}"
    if match := cues.starts("of_ours", text):
        text = f"{match['where']}: {match['how']}"
    elif match := cues.starts("standing_leads", text):
        text = text[match.end() :]
    text = re.split(r", (?:we|i|it|they|the)\b|,? because\b|,? since\b", text, maxsplit=1, flags=re.IGNORECASE)[0]
    return _HERE.sub("", text).strip(" .,!")


_SPLICE = re.compile(
    r", (?=(?:we|they|it|he|she)(?:'re|'s|'ve|(?: \w+)? (?:have|has|had|are|is|were|was|don't|doesn't|can't|always|"
    r"never|need|needs|want|wants|ship|use|uses|run|runs|get|go|goes|know|pay|pays|do not|cannot))\b)"
)


def without_pointers(text: str) -> str:
    """The text without a bare "like that", whose that nobody will know."""
    return re.sub(r"(?<=\w) like (?:that|this|these|those)(?=[\s.,])", "", text)


def cut_splice(text: str) -> str:
    """The instruction without the reason that a comma joins to it."""
    return _SPLICE.split(text.replace("’", "'"), maxsplit=1)[0]


def mend_splice(text: str) -> str:
    """An instruction and its reason, joined by a comma only, told with "because"."""
    match = _SPLICE.search(text)
    if not match or re.search(r"\b(?:because|since|if|when)\b", text[: match.start()]):
        return text
    word = "since" if "because" in text else "because"
    return f"{text[: match.start()]}, {word} {text[match.end() :]}"

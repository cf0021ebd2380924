"""Sentences whose subject only the text before them names ("Both hooks", "For each of them"), and who lends it."""

from __future__ import annotations

import re

_NOUN = (
    r"(?:operations?|functions?|methods?|calls?|hooks?|handlers?|cases?|changes?|implementations?|locations?|places?|"
    r"paths?|variants?|callers?|tests?|agents?|strategies|approaches|commands?|fields?|instances?|items?|steps?|types?|"
    r"modes?|versions?|branches|files?|checks?|options?|messages?|errors?|values?|packages?|components?|modules?)"
)
_UNNAMED = re.compile(
    rf"(?:(?:for|in|on|with|of|from|after|before) )?(?:both|either|neither|two|three|four|five|six) (?!of\b)"
    rf"(?:(?:new|other|old|existing|remaining|affected) )?{_NOUN}(?![\w`-])"
    rf"|for (?:each|every|all) (?:[a-z-]+ )?{_NOUN}(?=[,:]| before| after)"
    rf"|(?:all|each|every) (?:the |new |other |such )?{_NOUN} (?:is|are|was|were|has|have|now|also|uses?|shares?|"
    rf"implements?|calls?|follows?|returns?|respects?|must|should|can|will|do|does)\b"
    rf"|the (?:returned|resulting|remaining|corresponding|respective|affected|latter|former|other|new|same|original|"
    rf"existing|two|three|four) (?:[a-z-]+ )?{_NOUN}(?![\w`-])(?! `| of\b| for\b| in `)",
    re.IGNORECASE,
)
# A thing with an article that nothing before it names, among the first words of a sentence.
_BARE = re.compile(
    r"^(?:[\w',-]+ ){0,4}?[Tt]he (?!user\b|assistant\b|change\b|fix\b)(?:[a-z-]+ )?[a-z-]+"
    r"(?! (?:of|for|that|which|in|from|to|between|with) )(?! [`(\"A-Z])(?![\w`'’])"
)
_THOSE = re.compile(r"\b(?:these|those) (?P<noun>[a-z]{3,}s)\b(?! (?:that|which|who)\b)")
_NAME = re.compile(r"[a-z_]{2,}[A-Z_]\w|\d| [A-Z][a-z]")
_CODE = re.compile(r"`[^`]+`")


# What is added after a dash about things that are only counted.
_COUNTED = re.compile(rf" [-–—] (?:two|three|four|both|several|some) {_NOUN} (?:is|are|was|were|have|has)\b[^`]*$")


def lacks_subject(text: str) -> bool:
    """Whether a sentence begins with things that stand nowhere in it, or counts them in an aside."""
    match = _UNNAMED.match(text)
    return bool(_COUNTED.search(text)) or (match is not None and not _CODE.search(text[: match.end()]))


def is_unnamed(text: str) -> bool:
    """Whether a sentence begins with a thing that has an article but no name, or speaks of "those" that are not in
    it."""
    if any(found["noun"][:-1] not in text[: found.start()] for found in _THOSE.finditer(text)):
        return True
    match = _BARE.match(text)
    return match is not None and not _NAME.search(text[: match.end()])


def lend_subject(text: str, heading: str) -> str:
    """The sentence with the one thing that the heading above it names; empty where it names none or several."""
    names = list(dict.fromkeys(_CODE.findall(heading)))
    if len(names) != 1:
        return ""
    if names[0] in text:
        return text
    return f"In {names[0]}, {text[0].lower()}{text[1:]}"

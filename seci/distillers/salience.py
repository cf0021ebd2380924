"""How much a sentence is worth keeping, from the form of it: causes, reasons, rules and named things count."""

from __future__ import annotations

import re
from collections.abc import Mapping

from seci.distillers.general import is_general
from seci.distillers.language import Cues
from seci.distillers.passages import Unit
from seci.distillers.voice import is_change

# Points for each signal in a sentence (see `cues/*.toml`); chosen by reading, checked by leaving half of the
# labelled sessions out.
WEIGHTS: Mapping[str, float] = {
    "cause": 1.1,
    "reason": 0.9,
    "rule": 0.7,
    "condition": 0.7,
    "instead": 0.9,
    "contrast": 0.4,
    "fact": 0.7,
    "fix": 0.4,
    "choice": 0.6,
    "plan": 0.3,
    "value": 0.6,
    "finding": 0.4,
    "hedge": -0.7,
    "ephemeral": -0.5,
    "personal": -0.8,
    "generic_you": -0.3,
    "unnamed_subject": -0.5,
    "result": 0.6,
}
NAMED = re.compile(r"`[^`]+`|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+_[a-z_]+\b|\b[A-Z]{2,}\b")
NEVER = -9.0  # points of a unit that no body takes
TIMINGS = 3  # measured times in one text that make it a table of results
PASSING = 1.2  # points that a way through a screen or a trace loses, which the next version changes
SEEN = 2.0  # points that what was seen in an output loses
GENERAL = 0.8  # points that common knowledge loses
TIMED = 1.5  # points that such a sentence loses
_MEASURED = re.compile(r"\b\d[\d,.]*\s?(?:ns|[mµ]s)\b|\b(?:nano|micro|milli)seconds?\b")
_NAME = re.compile(r"(?<=\w )[A-Z][a-z]+")


def score_sentence(text: str, words: int, cues: Cues) -> float:
    """Points of one sentence; about 0 for filler, 3 and more for a cause or rule about named things."""
    score = sum(weight for name, weight in WEIGHTS.items() if cues.signal(name, text))
    score += 0.35 * min(len(NAMED.findall(text)), 4) + 0.15 * min(len(_NAME.findall(text)), 3)
    if is_measured(text):
        score -= TIMED
    if words < 7:
        score -= 1.0
    elif 10 <= words <= 45:
        score += 0.4
    return score


def score_unit(unit: Unit, late: bool, cues: Cues) -> float:
    """Points of a unit; `late` marks the last answer of an exchange, which holds the last word."""
    score = score_sentence(unit.text, unit.words, cues)
    if unit.listed:
        score += 0.3
    if is_change(unit.text) and not says_why(unit.text, cues):
        return NEVER  # what was done stands in git; why does not
    if unit.leans:
        score -= 0.3
    if late:
        score += 0.6
    if is_general(unit.text):
        score -= GENERAL
    if unit.listed and is_passing(unit.text):
        score -= PASSING
    if narrates(unit.text):
        score -= SEEN
    return score


def narrates(text: str) -> bool:
    """Whether a sentence tells what was seen on a screen or in an output."""
    return bool(_SEEN.match(text))


def is_passing(text: str) -> bool:
    """Whether a list leads through a screen click by click, or through the code call by call."""
    return len(_CLICKS.findall(text)) >= MANY_STEPS or (bool(_CALLS.search(text)) and text.count("()`") >= MANY_STEPS)


MANY_STEPS = 3
_SEEN = re.compile(
    r"(?:the|an?) [\w-]+(?: (?!will\b)[\w-]+)? (?:now )?(?:shows?|appears?|displays?|looks?|reads|passes|works)\b"
    r"(?! up to\b)",
    re.IGNORECASE,
)
_CLICKS = re.compile(
    r"(?:^|[:;,.→] |\band |\bthen )(?:click|go to|scroll|select|choose|tick|uncheck|open the|fill in|press|navigate)\b",
    re.IGNORECASE,
)
_CALLS = re.compile(r"\(\)` (?:is called|calls|is invoked|invokes)\b")


def is_measured(text: str) -> bool:
    """Whether a text gives so many times that it is a table of results."""
    return len(_MEASURED.findall(text)) >= TIMINGS


def says_why(text: str, cues: Cues) -> bool:
    """Whether a sentence gives a cause or a reason."""
    return any(cues.signal(name, text) for name in ("cause", "reason"))


def is_substantive(unit: Unit, score: float, cues: Cues) -> bool:
    """Whether a unit says more than what was done: a cause, reason, rule, choice or finding, or a rich fact."""
    if is_change(unit.text):
        return says_why(unit.text, cues)
    if is_general(unit.text):
        return False  # only beside what applies it here
    if any(cues.signal(name, unit.text) for name in _SUBSTANCE):
        return True
    return score >= RICH and any(cues.signal(name, unit.text) for name in ("fact", "condition", "contrast", "plan"))


_SUBSTANCE = ("cause", "reason", "instead", "rule", "choice", "finding")
RICH = 1.8

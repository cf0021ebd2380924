"""What a session left open: the question at its end that nobody answered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.grammar import reported
from seci.distillers.language import Cues
from seci.distillers.sentences import count_words, finish_sentence, is_balanced
from seci.distillers.told import read_prose
from seci.distillers.topics import Topic
from seci.distillers.voice import strip_openers

OPEN_WORDS = 22
ASKED = 300  # characters of a turn in which the rest is put off
LAST = 2  # sentences of an answer that may ask

_OFFER = re.compile(
    r"(?:(?:do you want|would you like) me to|want me to|(?:should|shall) (?:I|we)) (?:now |then |also |next )?"
    r"(?:start(?: by)? |go ahead and |proceed to |(?P<on>proceed with )|begin )?(?P<what>[^?]{8,120})\?$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:so,? )?(?:which|what) (?P<what>(?:approach|option|way|variant|version|one)s?)\b[^?]{0,50}\?", re.IGNORECASE
)
_POINTED_WAY = re.compile(r" (?:using|with|in|by|as|following) (?:this|that|these|the same) \w+$")
_POINTS = re.compile(
    r"\b(?:this|that|these|those|it|them|one of|commit|push|run|PR|pull request|instead)\b|:", re.IGNORECASE
)


# What to do if what was done does not help.
_PERSISTS = re.compile(
    r"if (?:the|this|that) (?:issue|problem|error|bug|failure) (?:still )?(?:persists|remains|continues|occurs|happens)"
    r",? (?P<what>[^?:]{12,120})",
    re.IGNORECASE,
)
# The user puts off the rest.
_LATER = re.compile(
    r"\b(?:pick|take) (?:this|it|that) (?:back )?up\b|\b(?:continue|go on|resume|finish)(?: with)?(?: this| it| that)? "
    r"(?:tomorrow|later|next week|on monday)\b",
    re.IGNORECASE,
)
LATE = 3  # exchanges at the end, in one of which the rest is put off


def tell_open(topics: Sequence[Topic], cues: Cues) -> tuple[int, str] | None:
    """What the last answer asked and nobody answered: a choice, or whether to go on with more than an errand."""
    for topic in topics[-LATE:]:
        if topic.asked is not None and _LATER.search(topic.asked.text[:ASKED]):
            return topic.asked.index, "The rest was left to be taken up later."
    last = topics[-1] if topics else None
    if last is None or not last.answers:
        return None
    turn = last.answers[-1]
    for sentence in read_prose(turn.text):
        if match := _PERSISTS.match(sentence):
            what = reported(match["what"].strip(" .:"), "The user")
            if count_words(what) <= OPEN_WORDS and is_balanced(what):
                return turn.index, finish_sentence(f"Left open: whether that helps; if not, {what}")
    for sentence in reversed(read_prose(turn.text)[-LAST:]):
        plain = strip_openers(sentence, cues)
        if _WHICH.match(plain):
            return turn.index, "Which approach to take was left open."
        match = _OFFER.match(plain)
        if match is None:
            continue
        what = reported(_POINTED_WAY.sub("", match["what"].strip()), "The user")
        if match["on"] or match["what"].partition(" ")[0].endswith("ing"):
            what = f"go on with {what}"
        if cues.says("errands", match["what"]) or _POINTS.search(what) or not 3 <= count_words(what) <= OPEN_WORDS:
            return None
        return (turn.index, finish_sentence(f"Left open: whether to {what}")) if is_balanced(what) else None
    return None

"""A plan that was handed over, told in one sentence: what it is for, or else its title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.grammar import reported
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.sentences import (
    Casing,
    capitalise,
    count_words,
    finish_sentence,
    hide_code,
    is_balanced,
    split_sentences,
)
from seci.distillers.told import Told
from seci.distillers.topics import Topic
from seci.distillers.voice import tell_theirs

LEAST_WORDS = 4
MOST_WORDS = 36
CAUSE_WORDS = 26  # of the cause that a plan tells

# The section that says why there is a plan.
_PURPOSE = re.compile(
    r"(?:the )?(?:context|problem(?: statement)?|summary|goals?|overview|background|motivation|issue|objective|"
    r"purpose|why)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"(?:the )?(?:root )?cause|(?:root )?cause analysis|why (?:it|this) (?:happens|fails)", re.IGNORECASE
)
_VERB = re.compile(r"(?:x|(?:the )?[\w-]+(?: [\w-]+)?) [a-z]{3,}(?<!s)s (?:[a-z`x]|\()")
_POINTS = ("this ", "it ")


def tell_plan(plan: str, cues: Cues, casing: Casing) -> Told | None:
    """That a plan was carried out, and why; None for one without a title."""
    title = plan_title(plan).rstrip(" .")
    if not title:
        return None
    purpose = _purpose(plan, cues)
    said = reported(casing.lower_first(tell_theirs(purpose)), "The user").rstrip(" .!")
    bare = hide_code(said)
    told = f"A plan was carried out: {capitalise(title)}."
    if purpose and cues.starts("imperative", purpose):
        told = f"A plan was carried out to {said[0].lower()}{said[1:]}."
    elif (cues.finite.search(bare) or _VERB.match(bare)) and not said.startswith(_POINTS):
        told = f"A plan was carried out, since {said}."
    return Told(told, "plan", gist=title)


def tell_plan_cause(topics: Sequence[Topic], cues: Cues) -> tuple[int, str] | None:
    """(turn, what a plan found to be the cause of what it mends), where it has a section that says so."""
    for topic in topics:
        cause = _first_sentence(plan_text(topic.asked, cues), _CAUSE, cues)
        if (
            topic.asked is not None
            and cause
            and count_words(cause) <= CAUSE_WORDS
            and not cause.startswith(("It ", "This "))
        ):
            return topic.asked.index, finish_sentence(capitalise(reported(tell_theirs(cause), "The user")))
    return None


def _purpose(plan: str, cues: Cues) -> str:
    """The first sentence of the section that says what the plan is for; empty where none can be told."""
    return _first_sentence(plan, _PURPOSE, cues)


def _first_sentence(plan: str, heading: re.Pattern[str], cues: Cues) -> str:
    wanted = False
    for block in parse_blocks(plan):
        if block.kind == "heading":
            wanted = bool(heading.fullmatch(block.text.strip(" :")))
        elif wanted and block.kind in ("para", "item"):
            sentence = next(iter(split_sentences(block.text)), "")
            fits = LEAST_WORDS <= count_words(sentence) <= MOST_WORDS and sentence[-1] not in ":?"
            return sentence if fits and is_balanced(sentence) and not cues.says("pasted", sentence) else ""
    return ""

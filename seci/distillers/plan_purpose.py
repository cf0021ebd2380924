"""A plan that was handed over, told in one sentence: what it is for, or else its title."""

from __future__ import annotations

import re

from seci.distillers.grammar import reported
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.plans import plan_title
from seci.distillers.sentences import Casing, capitalise, count_words, is_balanced, split_sentences
from seci.distillers.told import Told
from seci.distillers.voice import tell_theirs

LEAST_WORDS = 4
MOST_WORDS = 36

# The section that says why there is a plan.
_PURPOSE = re.compile(
    r"(?:the )?(?:context|problem(?: statement)?|summary|goals?|overview|background|motivation|issue|objective|"
    r"purpose|why)",
    re.IGNORECASE,
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
    bare = re.sub(r"`[^`]*`", "x", said)
    told = f"A plan was carried out: {capitalise(title)}."
    if purpose and cues.starts("imperative", purpose):
        told = f"A plan was carried out to {said[0].lower()}{said[1:]}."
    elif (cues.finite.search(bare) or _VERB.match(bare)) and not said.startswith(_POINTS):
        told = f"A plan was carried out, since {said}."
    return Told(told, "plan", gist=title)


def _purpose(plan: str, cues: Cues) -> str:
    """The first sentence of the section that says what the plan is for; empty where none can be told."""
    wanted = False
    for block in parse_blocks(plan):
        if block.kind == "heading":
            wanted = bool(_PURPOSE.fullmatch(block.text.strip(" :")))
        elif wanted and block.kind in ("para", "item"):
            sentence = next(iter(split_sentences(block.text)), "")
            fits = LEAST_WORDS <= count_words(sentence) <= MOST_WORDS and sentence[-1] not in ":?"
            return sentence if fits and is_balanced(sentence) and not cues.says("pasted", sentence) else ""
    return ""

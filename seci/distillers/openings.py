"""What the user asked first in a session, and what they asked last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.core.session import Role, Turn
from seci.distillers.language import Cues
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.requests import tell_user
from seci.distillers.sentences import Casing, capitalise, count_words, finish_sentence, is_balanced
from seci.distillers.told import Told, is_noisy, is_report, plain_gist, read_prose
from seci.distillers.topics import Topic, speaker
from seci.distillers.voice import strip_openers

QUOTE_LEAST = 6  # words of an opening that is quoted
QUOTE_MOST = 30
LONG_TALK = 600  # characters of a turn that is no longer a question


def tell_opening(topics: Sequence[Topic], cues: Cues, casing: Casing) -> tuple[int, Told] | None:
    """(turn, what the user came with): told where it can be, else in their own words."""
    for at, topic in enumerate(topics[:3]):
        if topic.asked is None:
            continue
        told = _asked(topic.asked, cues, casing)
        of_themselves = told is not None and told.kind in ("statement", "fact") and told.text.startswith("The user ")
        if at == 0 and (told is None or (of_themselves and "?" in topic.asked.text)):
            told = _quote(topic.asked, cues) or told  # what is told would leave out what was asked
        if told is not None:
            return topic.asked.index, told
    return None


def tell_closing(topics: Sequence[Topic], opened: int, cues: Cues, casing: Casing) -> tuple[int, Told] | None:
    """What the user asked last, when that is more than an errand."""
    for topic in reversed(topics[-2:]):
        if topic.asked is None or topic.asked.index == opened or len(topics) < 3:
            continue
        told = _asked(topic.asked, cues, casing)
        if (
            told is not None
            and not told.errand
            and told.kind not in ("question", "limit", "wish")
            and count_words(told.text) <= 28
        ):
            return topic.asked.index, told
    return None


def _asked(turn: Turn, cues: Cues, casing: Casing) -> Told | None:
    """What a user's turn is about in one sentence: a plan's title, a finding, the first request or statement."""
    if plan := plan_text(turn, cues):
        title = plan_title(plan).rstrip(" .")
        return Told(f"A plan was carried out: {capitalise(title)}.", "plan", gist=title) if title else None
    told = [one for one in tell_user(turn.text, cues, casing, speaker(turn)) if _tellable(one)]
    if not told:
        return None
    told.sort(key=lambda one: one.kind != "need")
    said = "The user said that "
    plain = told[0].text
    if plain.startswith(said) and is_report(turn.text):
        plain = f"The user passed on a finding: {plain.removeprefix(said)}"
    plain = re.sub(rf"^{said}(?!we\b)", "", plain)
    return replace(told[0], text=plain[0].upper() + plain[1:])


def _tellable(told: Told) -> bool:
    return count_words(told.text) >= 7 and not (told.errand and count_words(told.text) < 9)


# An end that is none, a quote within, or a secret that was taken out.
_UNQUOTED = re.compile(r"[:…]$|\.\.\.|\"|\bREDACTED\b|\[redacted|X{6}")


def _quote(turn: Turn, cues: Cues) -> Told | None:
    """The first sentences of a short turn word for word, for what no template tells."""
    if turn.role is not Role.USER or len(turn.text) > LONG_TALK or cues.says("pasted", turn.text):
        return None
    said: list[str] = []
    for sentence in read_prose(turn.text):
        plain = strip_openers(sentence, cues).strip(" ,;-–—")
        driven = not said and cues.says("errands", plain)
        if not plain or driven or _UNQUOTED.search(plain) or is_noisy(plain) or not is_balanced(plain):
            break
        if sum(map(count_words, said)) + count_words(plain) > QUOTE_MOST:
            break
        said.append(plain if plain[-1] in ".?!" else f"{plain}.")
    if sum(map(count_words, said)) < QUOTE_LEAST:
        return None
    quote = " ".join(said)
    asks = "?" in quote
    told = f'{speaker(turn)} {"asked" if asks else "said"}: "{finish_sentence(quote)}"'
    return Told(told, "question", errand=True, gist=plain_gist(said[0]) if asks else "")

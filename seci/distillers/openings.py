"""What the user came with in a session, and what they asked last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.core.session import Role, Turn
from seci.distillers.announced import read_announced, says_little
from seci.distillers.assembly import content_words, stems
from seci.distillers.language import Cues
from seci.distillers.plan_purpose import tell_plan
from seci.distillers.plans import plan_text
from seci.distillers.reports import Report
from seci.distillers.requests import tell_user
from seci.distillers.sentences import Casing, count_words, enumerate_parts, finish_sentence, is_balanced
from seci.distillers.told import Told, is_noisy, is_report, plain_gist, read_prose
from seci.distillers.topics import Topic, speaker
from seci.distillers.voice import strip_openers

OPENING_WORDS = 40  # of a list of wishes
QUOTE_LEAST = 6  # words of an opening that is quoted
BARE_LEAST = 4  # the same where nothing else tells what the user came with
QUOTE_MOST = 30
SAID = "The user said that "  # before a statement
PASSED_ON = "The user passed on a finding: "
REPORTED = "The user reported that "  # before a fault
NEAR = 2  # words that a request shares with what came of it
LAST = 2  # exchanges whose request may be told as the last one
LATE = 4  # those in which what the user found wrong may be
LONG_TALK = 600  # characters of a turn that is no longer a question


def tell_opening(topics: Sequence[Topic], cues: Cues, casing: Casing) -> tuple[int, Told] | None:
    """(turn, what the user came with): told where it can be, else in their own words."""
    if (planned := _tell_later_plan(topics, cues, casing)) is not None:
        return planned
    for at, topic in enumerate(topics[:3]):
        if topic.asked is None:
            continue
        told = _asked(topic.asked, cues, casing)
        of_themselves = told is not None and told.kind in ("statement", "fact") and _is_personal(told)
        if at == 0 and (told is None or told.standing or (of_themselves and "?" in topic.asked.text)):
            told = _quote(topic.asked, cues) or told  # what is told would leave out what was asked
        if told is not None:
            return topic.asked.index, replace(told, text=_first_wishes(told.text))
    first = topics[0].asked if topics else None
    fault = first is not None and _FAULT.search(first.text)
    told = _quote(first, cues, least=BARE_LEAST, driven=True) if first is not None and fault else None
    return (first.index, told) if first is not None and told is not None else None


def _tell_later_plan(topics: Sequence[Topic], cues: Cues, casing: Casing) -> tuple[int, Told] | None:
    """The plan that the talk before it came to, where it says what it is for."""
    if not topics or plan_text(topics[0].asked, cues):
        return None
    for topic in topics[1:]:
        plan = tell_plan(plan_text(topic.asked, cues), cues, casing)
        if topic.asked is not None and plan is not None and plan.gist not in plan.text:
            return topic.asked.index, plan
    return None


def _is_personal(told: Told) -> bool:
    """Whether it tells of the user rather than of what the user saw."""
    return told.text.startswith("The user ") and not told.text.startswith(REPORTED)


def _first_wishes(text: str) -> str:
    """A long list of wishes without its end, so that there is room for what came of them."""
    parts = text.rstrip(".").split("; ")
    while len(parts) > 1 and sum(map(count_words, parts)) > OPENING_WORDS:
        parts.pop()
    if len(parts) == text.count("; ") + 1:
        return text
    return finish_sentence(enumerate_parts(parts))


def tell_turning(
    topics: Sequence[Topic], opening: tuple[int, Told], reports: Sequence[Report], cues: Cues, casing: Casing
) -> tuple[int, Told] | None:
    """The request that led to what was done first, where the session began with another one that nothing came of."""
    begun = next((topic.order for topic in topics if topic.asked and topic.asked.index == opening[0]), -1)
    mine = stems(content_words(opening[1].gist))
    steady = [report for report in reports if not report.deed.leans]
    near = any(len(mine & stems(content_words(report.deed.text))) >= NEAR for report in steady)
    first = min((report.order for report in steady), default=begun)
    turned = next((topic.asked for topic in topics if topic.order == first), None)
    if opening[1].kind != "request" or near or first <= begun or turned is None:
        return None
    told = _asked(turned, cues, casing)
    return (turned.index, told) if told is not None and told.kind == "request" and not is_vague(told) else None


def tell_closing(
    topics: Sequence[Topic], opened: int, done: frozenset[int], cues: Cues, casing: Casing
) -> tuple[int, Told] | None:
    """What the user asked last or found wrong since, when that is more than an errand and none of the topics `done`
    tells what came of it."""
    for at, topic in enumerate(reversed(topics[-LATE:])):
        if topic.asked is None or topic.asked.index == opened or len(topics) < 3:
            continue
        if any(order >= topic.order for order in done):
            return None
        told = _asked(topic.asked, cues, casing)
        if at >= LAST and (told is None or not (is_fault(told.text) and _is_personal(told))):
            continue
        if (
            told is not None
            and not told.errand
            and (told.kind in ("request", "decision", "need") or _is_personal(told))
            and told.kind not in ("question", "limit", "wish")
            and count_words(told.text) <= 28
        ):
            return topic.asked.index, told
    return None


def _asked(turn: Turn, cues: Cues, casing: Casing) -> Told | None:
    """What a user's turn is about in one sentence: a plan's title, a finding, the first request or statement."""
    if plan := plan_text(turn, cues):
        return tell_plan(plan, cues, casing)
    report = is_report(turn.text)
    text = _problem_of(turn.text) if report else turn.text
    who = speaker(turn)
    told = [one for one in tell_user(text, cues, casing, who) if _tellable(one)]
    more = [one for piece in read_announced(text) for one in tell_user(piece, cues, casing, who) if _tellable(one)]
    expected = [one for one in (*told, *more) if not report and _EXPECTED.search(one.text)]
    if not report and all(_is_weak(one, cues) for one in told):
        told += more
    if not told and not expected:
        return None
    # A standing order is not what a session is about.
    first = min(expected or told, key=lambda one: (one.standing, _is_weak(one, cues), one.kind != "need"))
    plain = first.text
    if plain.startswith(SAID) and report:
        plain = f"{PASSED_ON}{plain.removeprefix(SAID)}"
    elif plain.startswith(SAID) and is_fault(plain) and " should " not in plain:
        plain = f"{REPORTED}{plain.removeprefix(SAID)}"
    plain = re.sub(rf"^{SAID}(?!we\b)", "", plain)
    return replace(first, text=plain[0].upper() + plain[1:])


def _is_weak(told: Told, cues: Cues) -> bool:
    """Whether a wish says nothing of what a session is about."""
    return told.standing or is_vague(told) or says_little(told, cues)


_EXPECTED = re.compile(r"^The user (?:would have |had )?expected\b")  # how somebody reports a fault
# A wish that only points at what it is about.
_VAGUE = re.compile(
    r"^(?:\S+ ){0,4}(?:it|this|that)\b"
    r"(?! (?:is|are|was|were|should|we|they|you|the|there|an?|all|no|each|every|it)\b)"
)
_FAULT = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|errors?|broken|crash(?:es|ed|ing)?|bugs?|wrong|not work(?:ing)?)\b", re.IGNORECASE
)
_AMISS = re.compile(
    r"\b(?:only|still|not|never|nothing|without|missing|omits?|lacks?|redundant|unused|duplicate[ds]?|silently|slow|"
    r"same|instead|incorrect(?:ly)?|inconsistent(?:ly)?|unexpected(?:ly)?|leaks?|hangs?|\w+n['’]t)\b",
    re.IGNORECASE,
)
# Where a report turns to what is wrong.
_TURNS = re.compile(r"(?<=[.!] )(?:However|But|Unfortunately|Yet)\b,? ?")


def is_fault(text: str) -> bool:
    """Whether a text says that something is not as it should be."""
    return bool(_FAULT.search(text) or _AMISS.search(text))


def is_vague(told: Told) -> bool:
    """Whether a request only points at what it is about ("think about it")."""
    return told.kind == "request" and bool(_VAGUE.search(told.gist))


def _problem_of(report: str) -> str:
    """A report from the sentence on that turns to what is wrong."""
    match = _TURNS.search(report)
    return report[match.end() :] if match else report


def _tellable(told: Told) -> bool:
    return count_words(told.text) >= 7 and not (told.errand and count_words(told.text) < 9)


# An end that is none, a quote within, or a secret that was taken out.
_UNQUOTED = re.compile(r"[:…]$|\.\.\.|\"|\bREDACTED\b|\[redacted|X{6}")


def _quote(turn: Turn, cues: Cues, least: int = QUOTE_LEAST, driven: bool = False) -> Told | None:
    """The first sentences of a short turn word for word, for what no template tells. An errand is quoted only where
    nothing else tells what the user came with (`driven`)."""
    if turn.role is not Role.USER or len(turn.text) > LONG_TALK:
        return None
    if turn.text.lstrip().startswith("/") or (cues.says("pasted", turn.text) and not driven):
        return None
    said: list[str] = []
    for sentence in read_prose(turn.text):
        plain = strip_openers(sentence, cues).strip(" ,;-–—")
        errand = not said and not driven and cues.says("errands", plain)
        if not plain or errand or _UNQUOTED.search(plain) or is_noisy(plain) or not is_balanced(plain):
            break
        if sum(map(count_words, said)) + count_words(plain) > QUOTE_MOST:
            break
        said.append(plain if plain[-1] in ".?!" else f"{plain}.")
    if sum(map(count_words, said)) < least:
        return None
    quote = " ".join(said)
    asks = "?" in quote
    told = f'{speaker(turn)} {"asked" if asks else "said"}: "{finish_sentence(quote)}"'
    return Told(told, "question", errand=True, gist=plain_gist(said[0]) if asks else "")

"""The last word of a session on a subject: what a later exchange overturned, undid, replaced or settled goes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.candidate import Candidate
from seci.distillers.edits import Edits
from seci.distillers.language import Cues
from seci.distillers.plans import plan_text
from seci.distillers.selection import names_of, stems_of
from seci.distillers.told import is_report
from seci.distillers.topics import Topic

FAULT = 0.25  # of the content words of a note that the answer to the next turn calls a mistake
OBJECTED = 0.3  # the same for a note that the next turn objects to and its answer tells anew
REPLACED = 0.35  # of the words of a proposal that a plan takes up with other names
SETTLED = 4  # words that a worry shares with what settles it
OBJECTION = 120  # characters in which the user objects
SAID = 600  # characters of a question and of its answer that tell what they are about
_WOULD_BE = re.compile(r"\b(?:approach|idea|plan|solution|fix) would be to\b", re.IGNORECASE)
OPENING = 300  # characters of an answer in which it owns a mistake


def keep_last_word(candidates: Sequence[Candidate], topics: Sequence[Topic], cues: Cues) -> list[Candidate]:
    """The candidates of a session without those that a later exchange of it overtook."""
    return [c for c in candidates if not (c.units and not c.decisive and is_overtaken(c, candidates, topics, cues))]


def is_never_done(candidate: Candidate, topics: Sequence[Topic], edits: Edits, cues: Cues) -> bool:
    """A proposal after which nothing was changed, until the user asked for it another way."""
    if candidate.decisive or not any(_WOULD_BE.search(scored.unit.text) for scored in candidate.units):
        return False
    answered = next((topic for topic in topics if topic.order > candidate.order and topic.asked is not None), None)
    if answered is None or answered.asked is None or edits.before.intersection(candidate.turns):
        return False
    changed = any(turn.index in edits.before for turn in answered.answers)
    return changed and cues.says("otherwise", answered.asked.text[:OPENING])


def is_overtaken(candidate: Candidate, others: Sequence[Candidate], topics: Sequence[Topic], cues: Cues) -> bool:
    """Whether the session says later that it is not so, or does it another way."""
    later = [topic for topic in topics if topic.order > candidate.order and topic.asked is not None]
    told_later = [other for other in others if other.order > candidate.order]
    if later and _is_rejected(candidate, later[0], told_later, cues):
        return True
    if any(_is_removed(candidate, topic, cues) or _is_replaced(candidate, topic, cues) for topic in later):
        return True
    return _only_worries(candidate, cues) and any(_settles(other, candidate, cues) for other in told_later)


def _is_rejected(candidate: Candidate, answered: Topic, told_later: Sequence[Candidate], cues: Cues) -> bool:
    """The next exchange owns that it was a mistake, gets another way, or objects and tells the same things anew."""
    assert answered.asked is not None
    asked = answered.asked.text
    opening = answered.answers[0].text[:OPENING] if answered.answers else ""
    if cues.says("faults", opening):
        return _is_about(candidate, answered) or any(_is_anew(candidate, other, 2) for other in told_later)
    if cues.says("otherwise", asked[:OPENING]) and cues.says("concessions", opening[:80]):
        argues = any(cues.signal("choice", scored.unit.text) for scored in candidate.units)
        return argues and _is_about(candidate, answered)
    if is_report(asked) or not cues.says("corrections", asked[:OBJECTION]):
        return False
    stated = (other for other in told_later if other.order == answered.order and other.asked is None)
    return any(_is_anew(candidate, other, 1) for other in stated)


def _is_about(candidate: Candidate, answered: Topic) -> bool:
    """Whether an exchange speaks of what the candidate tells."""
    asked = answered.asked.text if answered.asked else ""
    said = stems(content_words(f"{asked[:SAID]} {answered.answers[0].text[:SAID]}"))
    return overlap(stems_of(candidate), said) >= FAULT


def _is_anew(candidate: Candidate, other: Candidate, names: int) -> bool:
    """Whether another candidate tells of at least so many of the same names, and much else of the same."""
    shared = names_of(other) & names_of(candidate)
    return len(shared) >= names and overlap(stems_of(candidate), stems_of(other)) >= OBJECTED


def _is_removed(candidate: Candidate, topic: Topic, cues: Cues) -> bool:
    """The user had a thing removed that the note explains."""
    pattern = cues.user.get("removals")
    if pattern is None or topic.asked is None or not topic.answers or plan_text(topic.asked, cues):
        return False
    removed = {match["what"].strip("`.,") for match in pattern.finditer(topic.asked.text[:OPENING])}
    return bool(removed & {name.strip("`") for name in names_of(candidate)})


def _is_replaced(candidate: Candidate, topic: Topic, cues: Cues) -> bool:
    """A plan that was carried out later speaks of the same, and of none of the names that the note gives."""
    plan = plan_text(topic.asked, cues)
    names = re.findall(r"`([^`]+)`", candidate.body)
    if not plan or not names or any(name in plan for name in names):
        return False
    return overlap(stems_of(candidate), stems(content_words(plan))) >= REPLACED


def _only_worries(candidate: Candidate, cues: Cues) -> bool:
    """Whether a note tells what might go wrong and nothing that did."""
    told = [scored.unit.text for scored in candidate.units]
    return any(cues.signal("worry", text) for text in told) and not any(cues.signal("failed", text) for text in told)


def _settles(later: Candidate, worry: Candidate, cues: Cues) -> bool:
    """Whether a later note says how it is with what was only feared."""
    if any(cues.signal("worry", scored.unit.text) for scored in later.units):
        return False
    shared = len(stems_of(later) & stems_of(worry))
    return bool(names_of(later) & names_of(worry)) and shared >= SETTLED

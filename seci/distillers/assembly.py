"""Scored sentences put together to bodies: what belongs together, what fits, what repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seci.distillers.subjects import is_unnamed

if TYPE_CHECKING:
    from seci.distillers.passages import Unit

BODY_WORDS = 80
STEM = 6  # letters of a word that tell it from others


BARRED = -4.0  # points at which a sentence is not even taken for the one that leans on it


LEAST_SCORE = 0.45  # of a sentence that goes into a body


MOST_UNITS = 5


GROUP_WORDS = 110


GROUP_LEAST = 40


TURN_WORDS = 25  # words after which another turn begins another group


SHARED_WORDS = 1


@dataclass(frozen=True, slots=True)
class Scored:
    unit: Unit
    score: float


def partition(units: Sequence[Scored]) -> list[list[Scored]]:
    """Units in groups about one thing each: a new group begins where the words change, the room is full, or another
    turn begins after enough was said."""
    groups: list[list[Scored]] = []
    words = 0
    turn = -1
    seen: frozenset[str] = frozenset()
    for scored in units:
        mine = content_words(scored.unit.text)
        full = words + scored.unit.words > GROUP_WORDS
        apart = words >= GROUP_LEAST and not len(mine & seen) >= SHARED_WORDS
        moved = scored.unit.turn != turn and words >= TURN_WORDS
        strange = bool(groups) and not any(_belong(other.unit, scored.unit) for other in groups[-1])
        if not groups or (not scored.unit.leans and (full or apart or moved or strange)):
            groups.append([])
            words, seen = 0, frozenset()
        groups[-1].append(scored)
        words += scored.unit.words
        seen |= mine
        turn = scored.unit.turn
    return groups


def assemble(units: Sequence[Scored], limit: int) -> list[Scored]:
    """The best units in their order within `limit` words; one that leans comes only with the unit before it.

    Empty when nothing worth keeping is left."""
    chosen: set[int] = set()
    words = 0
    ranked = sorted(range(len(units)), key=lambda i: (-units[i].score, -i))
    for at in ranked:
        if units[at].score < LEAST_SCORE or units[at].unit.shows or len(chosen) >= MOST_UNITS:
            continue
        needed = [at]
        while units[needed[-1]].unit.leans and needed[-1] > 0:
            needed.append(needed[-1] - 1)
        if units[needed[-1]].unit.leans or any(units[i].score <= BARRED for i in needed):
            continue
        fresh = [i for i in needed if i not in chosen]
        said = [i for i in fresh if repeats(units[i].unit.text, (units[j].unit.text for j in chosen))]
        if at in said or (said and not _stands_in(units, chosen, at, said)):
            continue
        fresh = [i for i in fresh if i not in said]
        added = sum(units[i].unit.words for i in fresh)
        if words + added > limit:
            continue
        chosen.update(fresh)
        words += added
    return _led(units, chosen, limit)


def _led(units: Sequence[Scored], chosen: set[int], limit: int) -> list[Scored]:
    """The chosen units with the one before them that names what they are about, for which the poorest make room."""
    kept = sorted(chosen)
    told = [units[i] for i in kept]
    lead = kept[0] - 1 if kept else -1
    if lead < 0 or not _leads(units[lead], told):
        return told
    words = units[lead].unit.words + sum(scored.unit.words for scored in told)
    for at in sorted(kept[1:], key=lambda i: units[i].score):
        if words <= limit:
            break
        if not (at + 1 in kept and units[at + 1].unit.leans):
            kept.remove(at)
            words -= units[at].unit.words
    if words > limit:
        return told
    return [replace(units[lead], score=0.0), *(units[i] for i in kept)]  # it names, and makes no note


def _leads(before: Scored, kept: Sequence[Scored]) -> bool:
    """Whether one unit names what those after it speak of."""
    first = kept[0].unit
    near = before.unit.turn == first.turn and 0 <= first.place - before.unit.place <= LEAD
    if not near or before.unit.leans or before.score <= BARRED:
        return False
    if is_unnamed(first.text):
        return before.unit.shows or ("`" in before.unit.text and not is_unnamed(before.unit.text))
    return before.unit.shows and not repeats(before.unit.text, (scored.unit.text for scored in kept))


def _belong(a: Unit, b: Unit) -> bool:
    """Whether two units stand in one paragraph or speak of the same things."""
    if a.place < 0 or b.place < 0 or (a.turn == b.turn and abs(a.place - b.place) <= NEXT):
        return True
    return bool(_subjects(a.text) & _subjects(b.text))


def _subjects(text: str) -> frozenset[str]:
    """The words that a text may share with another about the same things, identifiers in their parts."""
    return stems(content_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " "))) - _COMMON


LEAD = 3  # the same from a sentence to the one that names its subject
NEXT = 4  # paragraphs or lists from one to the other


def _stands_in(units: Sequence[Scored], chosen: Iterable[int], at: int, said: Sequence[int]) -> bool:
    """Whether the chosen unit before `at` says all that the units `said` do, so that `at` may lean on it instead."""
    before = max((i for i in chosen if i < at), default=None)
    return before is not None and all(repeats(units[i].unit.text, [units[before].unit.text]) for i in said)


def content_words(text: str) -> frozenset[str]:
    """Lower-case words of four letters and more, and the parts of identifiers: what two texts share if alike."""
    return frozenset(word.lower() for word in re.findall(r"[^\W\d_]{4,}|\d{3,}|\w+_\w+", text))


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of the smaller set that is in the other, 0 where it is empty."""
    return len(a & b) / max(1, min(len(a), len(b)))


def stems(words: Iterable[str]) -> frozenset[str]:
    """Words without their endings, as far as cutting them tells: "returns" and "returning" are one."""
    return frozenset(word[:STEM] for word in words)


def shared_stems(a: str, b: str) -> frozenset[str]:
    """The words of content that two texts have in common, whatever their endings."""
    return stems(content_words(a)) & stems(content_words(b))


def repeats(text: str, others: Iterable[str]) -> bool:
    """Whether most words of the shorter of two texts are in the other, whatever their endings."""
    mine = stems(content_words(text))
    for other in others:
        theirs = stems(content_words(other))
        share = SAME_NAMED if _names_no_more(text, other) or _names_no_more(other, text) else SAME
        if mine and theirs and len(mine & theirs) >= share * min(len(mine), len(theirs)):
            return True
    return False


SAME = 0.6  # of the words of the shorter of two texts that say the same
SAME_NAMED = 0.4  # the same where the one names two things of the other and none beside


def _names_no_more(text: str, other: str) -> bool:
    names = set(re.findall(r"`[^`]+`", text))
    return len(names) > 1 and names <= set(re.findall(r"`[^`]+`", other))


# Words that texts about anything share.
_COMMON = stems(
    content_words(
        "this that these those with from when then than what which will would should could also only just more most "
        "some each every other into over under after before while about there their they have been does using used "
        "uses users user change changes changed code file files test tests case cases because since instead without "
        "value values current currently existing already means make makes need needs added adds must never always same "
        "first where"
    )
)

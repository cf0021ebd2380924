"""Three versions of a text become one, sentence by sentence: for two machines that meet and have nobody to ask.

Each side is told as what it made of the first version: for each sentence of it the wording now, or that it is gone, and
what was added between. What only one side did is taken. What both added stays. Where both worded the same sentence
anew, one wording is taken, the preferred side's; the other one is reported, and stays in git's history.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

ALIKE = 0.5  # from here on two sentences are one in other words, and not two
_FEWEST = 3  # words that a sentence needs to be told as the shorter form of another
_MOST = 10_000  # pairs of sentences that are compared; beyond that a passage is new
_FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_BREAK = re.compile(r"[ \t]*\n\s*|(?<=[.!?…])[ \t]+|(?<=[。！？])(?=\S)")
_WORD = re.compile(r"\w+")
_PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a line or a block of code, and the white space before it (None: nothing stands before it)."""

    text: str
    glue: str | None


@dataclass(frozen=True, slots=True)
class Overruled:
    """A wording that was not taken, and the one that was."""

    lost: str
    kept: str


@dataclass(slots=True)
class _Side:
    wordings: list[Unit | None]  # of each unit of the first version, None where it is gone
    added: list[list[Unit]]  # before each unit of the first version, and at the end


@dataclass(slots=True)
class Woven:
    """The text, and what gave way in it."""

    text: str = ""
    overruled: list[Overruled] = field(default_factory=list)


def weave(base: str, preferred: str, other: str, merge_blocks: Callable[[str, str, str], str | None]) -> Woven:
    """The text that both made of `base`. It does not matter which of them is whose: only who is preferred counts.

    `merge_blocks` gives the result for blocks of several lines, None where they cannot be merged.
    """
    units = split_units(base)
    first, second = (_align(units, split_units(text)) for text in (preferred, other))
    woven = Woven()
    taken: list[Unit] = []
    for i in range(len(units) + 1):
        pair = (first.added[i], second.added[i]) if preferred < other else (second.added[i], first.added[i])
        taken += _both(*pair)
        if i < len(units) and (unit := _choose(units[i], first.wordings[i], second.wordings[i], woven, merge_blocks)):
            taken.append(unit)
    woven.text = join_units(taken)
    return woven


def split_units(text: str) -> list[Unit]:
    """Joined again they are the text."""
    units: list[Unit] = []
    blocks = [match.span() for match in _FENCE.finditer(text)]
    start, glue = 0, None
    for found in _BREAK.finditer(text):
        if found.start() < start or any(begin < found.end() and found.start() < end for begin, end in blocks):
            continue
        units.append(Unit(text[start : found.start()], glue))
        start, glue = found.end(), found[0]
    if start < len(text) or glue is not None:
        units.append(Unit(text[start:], glue))
    return units


def join_units(units: Sequence[Unit]) -> str:
    """What stood first and does no more begins a paragraph."""
    glued = [_PARAGRAPH if unit.glue is None else unit.glue for unit in units]
    return "".join(glue * (i > 0) + unit.text for i, (glue, unit) in enumerate(zip(glued, units, strict=True)))


def _align(base: Sequence[Unit], side: Sequence[Unit]) -> _Side:
    told = _Side([None] * len(base), [[] for _ in range(len(base) + 1)])
    matcher = SequenceMatcher(None, [unit.text for unit in base], [unit.text for unit in side], autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            told.wordings[i1:i2] = side[j1:j2]
            continue
        pairs = dict(_pair(base[i1:i2], side[j1:j2]))
        gap = i1
        for j in range(j2 - j1):
            if j in pairs:
                told.wordings[i1 + pairs[j]] = side[j1 + j]
                gap = i1 + pairs[j] + 1
            else:
                told.added[gap].append(side[j1 + j])
    return told


def _pair(base: Sequence[Unit], side: Sequence[Unit]) -> list[tuple[int, int]]:
    """(index in side, index in base) of sentences that are one in other words: in order, as alike as can be."""
    if not base or not side or len(base) * len(side) > _MOST:
        return []
    best: list[list[tuple[float, tuple[tuple[int, int], ...]]]] = [[(0.0, ())] * (len(base) + 1)]
    for j, unit in enumerate(side):
        row = [best[-1][0]]
        for i, old in enumerate(base):
            options = [best[-1][i + 1], row[i]]
            alike = _score_alike(old.text, unit.text)
            if alike >= ALIKE:
                score, pairs = best[-1][i]
                options.append((score + alike, (*pairs, (j, i))))
            row.append(max(options, key=lambda option: option[0]))
        best.append(row)
    return list(best[-1][-1][1])


def _score_alike(first: str, second: str) -> float:
    """0 to 1: difflib's ratio of the letters, or the share of the shorter one's words that the other has in order."""
    letters = SequenceMatcher(None, first, second, autojunk=False).ratio()
    a, b = ([word.casefold() for word in _WORD.findall(text)] for text in (first, second))
    shorter = min(len(a), len(b))
    if letters >= ALIKE or shorter < _FEWEST:
        return letters
    return sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()) / shorter


def _both(first: Sequence[Unit], second: Sequence[Unit]) -> list[Unit]:
    """What both added in one place; a sentence that both added stands once."""
    if list(first) == list(second):
        return [*first]
    known = {unit.text for unit in first if any(map(str.isalnum, unit.text))}  # a rule or a fence is no sentence
    return [*first, *(unit for unit in second if unit.text not in known)]


def _choose(
    was: Unit,
    preferred: Unit | None,
    other: Unit | None,
    woven: Woven,
    merge_blocks: Callable[[str, str, str], str | None],
) -> Unit | None:
    if preferred is None or other is None:
        kept = preferred or other  # worded anew here and gone there: a text that is lost cannot be had back
        return kept if kept is not None and kept.text != was.text else None
    glue = other.glue if preferred.glue == was.glue else preferred.glue
    if other.text in (was.text, preferred.text):
        return Unit(preferred.text, glue)
    if preferred.text == was.text:
        return Unit(other.text, glue)
    if "\n" in was.text and (merged := merge_blocks(was.text, preferred.text, other.text)) is not None:
        return Unit(merged, glue)
    woven.overruled.append(Overruled(other.text, preferred.text))
    return Unit(preferred.text, glue)

"""Cutting a long session into windows that a language model reads one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seci.core.session import Session, Turn

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
CHARACTERS_PER_TOKEN = 3.5  # of prose and code in Latin script; models differ, so a window is planned with a margin


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive turns, or pieces of a turn under its number. `context` are the numbers repeated from the window
    before, for understanding only."""

    turns: tuple[Turn, ...]
    context: frozenset[int] = frozenset()

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(turn.index for turn in self.turns)

    def of(self, session: Session) -> Session:
        """The session as if it were only this window."""
        whole = {turn.index: turn for turn in session.turns}
        return replace(session, turns=tuple(whole[number] for number in sorted(self.numbers)))


def estimate_tokens(text: str) -> int:
    """An estimate that errs upwards, without a model's own tokenizer: one token for each CJK character."""
    wide = len(_CJK.findall(text))
    return wide + int((len(text) - wide) / CHARACTERS_PER_TOKEN) + 1


def plan_windows(turns: Sequence[Turn], limit: int, overlap: int) -> list[Window]:
    """Windows of at most `limit` estimated tokens that together hold every turn.

    Each window but the first starts with up to `overlap` turns of the one before, as long as they fill at most a
    quarter of it. A turn longer than a window is cut at line ends.
    """
    windows: list[Window] = []
    current: list[Turn] = []
    carried: list[Turn] = []
    size = 0
    for piece in _pieces(turns, limit):
        cost = _cost(piece)
        if len(current) > len(carried) and size + cost > limit:
            windows.append(_window(current, carried))
            carried = _carry(current, overlap, limit, cost)
            current, size = list(carried), sum(map(_cost, carried))
        current.append(piece)
        size += cost
    if len(current) > len(carried):
        windows.append(_window(current, carried))
    return windows


def _window(turns: Sequence[Turn], carried: Sequence[Turn]) -> Window:
    own = {turn.index for turn in turns[len(carried) :]}
    return Window(tuple(turns), frozenset(turn.index for turn in carried) - own)


def _carry(turns: Sequence[Turn], overlap: int, limit: int, coming: int) -> list[Turn]:
    room = min(limit // 4, limit - coming)
    kept: list[Turn] = []
    for turn in reversed(turns[-overlap:] if overlap else ()):
        room -= _cost(turn)
        if room < 0:
            break
        kept.insert(0, turn)
    return kept


def _cost(turn: Turn) -> int:
    return estimate_tokens(turn.text) + 8  # its number, role and time


def _pieces(turns: Sequence[Turn], limit: int) -> Iterator[Turn]:
    for turn in turns:
        if _cost(turn) <= limit:
            yield turn
        else:
            yield from (replace(turn, text=text) for text in _cut(turn.text, limit - 16))


def _cut(text: str, limit: int) -> Iterator[str]:
    """Pieces of at most `limit` estimated tokens, cut at line ends where the lines allow it."""
    start = 0
    while start < len(text):
        end = min(len(text), start + limit)  # one token for each character at worst
        while end < len(text) and estimate_tokens(text[start : end + limit // 4]) < limit:
            end = min(len(text), end + limit // 4)
        if end < len(text) and (line := text.rfind("\n", start + 1, end)) > start + (end - start) // 2:
            end = line + 1
        yield text[start:end]
        start = end

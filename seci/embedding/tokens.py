"""Counting and cutting text by a model's own tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# Where a cut reads best, best first: before a paragraph, after a sentence or a line, between words.
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?])\s+|\n|(?<=[。！？])"), re.compile(r"\s+"))
_LATEST_SHARE = 0.5  # a break is taken only in the second half of a window: short windows tell a model little
_SHORT, _KEPT_COUNTS = 4000, 4096  # characters, texts: passages come up in one context after another
_BLOCK = 100_000  # characters tokenised at a time: a token costs some hundred bytes while its offsets are held


class TokenizerCounter:
    """Implements `core.ports.TokenCounter` with a model's own tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._counted = lru_cache(_KEPT_COUNTS)(lambda text: len(self._encode(text).ids))

    def count(self, text: str) -> int:
        return self._counted(text) if len(text) <= _SHORT else len(self._encode(text).ids)

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        """Slices of `text` in order, none over `limit` tokens, together covering all of it; "" gives none.

        Cuts fall between paragraphs, sentences or words where the second half of the window has such a place, else
        between tokens. With `overlap` each slice begins up to so many tokens before the end of the one before.
        """
        if limit < 1 or not 0 <= overlap < limit:
            raise ValueError(f"a window of {limit} tokens with an overlap of {overlap} cannot cover a text")
        slices: list[str] = []
        start = 0
        while start < len(text):
            block = text[start : start + _BLOCK]
            start += self._cut_block(block, start + len(block) == len(text), limit, overlap, slices)
        return slices

    def _cut_block(self, block: str, last: bool, limit: int, overlap: int, slices: list[str]) -> int:
        """Appends the block's slices and returns how far they reach: to its end where it is the last one, else to
        where fewer tokens are left than a window may need."""
        offsets = self._encode(block).offsets
        starts, ends = [first for first, _ in offsets], [final for _, final in offsets]
        position = reached = 0
        while position < len(block):
            first = bisect_left(starts, position)
            if len(offsets) - first <= limit:
                if not last and position:
                    return position
                hard = len(block)
            else:
                hard = starts[first + limit]
            end = position + self._fit(block[position:hard], limit, whole=hard == len(block))
            if end <= reached:  # the overlap is all that fits: go on without it
                position = reached
                continue
            slices.append(block[position:end])
            reached = end
            if end == len(block):
                return end
            kept = bisect_right(ends, end) - overlap
            position = max(starts[kept], position + 1) if overlap and kept > first else end
        return position

    def _fit(self, text: str, limit: int, *, whole: bool) -> int:
        """The best end of a slice of `text` that, tokenised by itself, keeps to the limit: some tokenizers read the
        first and last word of a slice otherwise than they did in the whole text."""
        end = len(text) if whole else best_break(text, len(text))
        while end > 1 and self.count(text[:end]) > limit:
            shorter = best_break(text, end - 1)
            end = shorter if shorter < end else end - 1
        return max(end, 1)

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)


def best_break(text: str, hard: int) -> int:
    """The end of the best slice of `text` that is not longer than `hard` characters."""
    earliest = int(hard * _LATEST_SHARE)
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest, hard) if match.end() > earliest]
        if ends:
            return ends[-1]
    return hard

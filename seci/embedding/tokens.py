"""Counting and cutting text by a model's own tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# Where a cut reads best, best first: before a paragraph, after a sentence or a line, between words.
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?。！？])\s+|\n|(?<=[。！？])"), re.compile(r"\s+"))
_LATEST_SHARE = 0.5  # a break is taken only in the second half of a window: short windows tell a model little
_BLOCK = 200_000  # characters tokenised at a time: a token costs some hundred bytes while its offsets are held


class TokenizerCounter:
    """Implements `core.ports.TokenCounter` with a model's own tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer

    def count(self, text: str) -> int:
        return len(self._encode(text).ids)

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        """Slices of `text` in order, none over `limit` tokens, together covering all of it; "" gives none.

        Cuts fall between paragraphs, sentences or words where the second half of the window has such a place, else
        between tokens. With `overlap` each slice begins up to so many tokens before the end of the one before.
        """
        if limit < 1 or not 0 <= overlap < limit:
            raise ValueError(f"a window of {limit} tokens with an overlap of {overlap} cannot cover a text")
        slices = []
        start = 0
        while start < len(text):
            end, back = self._next_cut(text, start, limit, overlap)
            slices.append(text[start:end])
            start = end if end >= len(text) else max(back, start + 1)
        return slices

    def _next_cut(self, text: str, start: int, limit: int, overlap: int) -> tuple[int, int]:
        """(end of the window that begins at `start`, where the next one begins)."""
        block = text[start : start + min(_BLOCK, limit * 40)]
        offsets = self._encode(block).offsets
        whole = start + len(block) >= len(text)
        if len(offsets) <= limit and whole:
            return len(text), len(text)
        if len(offsets) <= limit:  # few tokens in many characters: one endless word, or blanks
            return start + len(block), start + len(block)
        hard = offsets[limit][0]
        end = self._fit(block, best_break(block, hard), limit)
        back = end
        if overlap:
            inside = [first for first, last in offsets if last <= end]
            back = inside[-overlap] if len(inside) > overlap else end
        return start + end, start + back

    def _fit(self, block: str, end: int, limit: int) -> int:
        """The longest end up to `end` whose slice, tokenised by itself, keeps to the limit: some tokenizers read the
        last word of a slice otherwise than they did in the whole text."""
        while end > 1 and self.count(block[:end]) > limit:
            shorter = best_break(block, end - 1)
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

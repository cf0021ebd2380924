"""Spans of a text, and replacing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from seci.core.markers import REDACTED_PREFIX, redacted_mark

_MARK = re.compile(re.escape(REDACTED_PREFIX) + r"[a-z0-9-]{1,40}\]")


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end]` is a secret of that kind. Where spans overlap, the lowest `rank` gives the kind."""

    start: int
    end: int
    kind: str
    rank: int = 50


@dataclass(frozen=True, slots=True)
class Page:
    """A text with its lower-case twin of the same length, so that offsets in one hold in the other."""

    text: str
    low: str

    @classmethod
    def of(cls, text: str) -> Page:
        # U+0130 is the only character whose lower case is longer than itself.
        low = text.replace("\u0130", "i").lower()
        if REDACTED_PREFIX in low:  # the kind in a mark is no name that something is assigned to
            low = _MARK.sub(lambda mark: "\0" * len(mark[0]), low)
        return cls(text, low)

    def windows(self, anchors: Sequence[str], reach: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Disjoint (start, end) that cover `reach` characters before and after every anchor (lower case), in order.

        Plain string search finds the anchors, many times faster than a regex finds anything, and after a hit skips
        what its window covers.
        """
        before, after = reach[0], 2 * reach[1]
        hits: list[int] = []
        for anchor in anchors:
            at = self.low.find(anchor)
            while at != -1:
                hits.append(at)
                at = self.low.find(anchor, at + reach[1])
        start = end = -1
        for hit in sorted(hits):
            if hit - before > end:
                if end > 0:
                    yield start, end
                start = max(0, hit - before)
            end = min(len(self.low), hit + after)
        if end > 0:
            yield start, end

    def matches(
        self, pattern: re.Pattern[str], anchors: Sequence[str], reach: tuple[int, int]
    ) -> Iterator[re.Match[str]]:
        """What `finditer` on the lower-case text gives, for a pattern that starts within `reach` of an anchor."""
        for start, end in self.windows(anchors, reach):
            for match in pattern.finditer(self.low, start, end):
                # A match that a window cut short is taken again without the window.
                whole = pattern.match(self.low, match.start()) if end - match.end() < 2 else match
                yield whole or match


Detector = Callable[[Page], Iterable[Span]]
"""Finds secrets of one family. Linear in the length of the page, whatever it holds."""


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in text order that cover the same characters; touching spans stay apart."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            kind = span if span.rank < last.rank else last
            merged[-1] = Span(last.start, max(last.end, span.end), kind.kind, kind.rank)
        else:
            merged.append(span)
    return merged


def drop_marked(text: str, spans: Iterable[Span]) -> list[Span]:
    """Without the spans that touch an earlier `[redacted:KIND]`: what was replaced once is never replaced again."""
    return [span for span in spans if REDACTED_PREFIX not in text[max(0, span.start - 1) : span.end + 10]]


def render_redacted(text: str, spans: Sequence[Span]) -> str:
    """The text with each span (disjoint, in order) replaced by its mark."""
    parts: list[str] = []
    done = 0
    for span in spans:
        parts += [text[done : span.start], redacted_mark(span.kind)]
        done = span.end
    return "".join([*parts, text[done:]])

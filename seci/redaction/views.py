"""Other ways to read the same text: percent-escapes decoded, hard-wrapped tokens joined again.

A secret may stand in a URL as `password%3Dhunter2`, or be broken over two lines by a terminal. A view is a piece of
the text around such places, read the other way; it is scanned like the text itself and its findings are mapped back.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seci.redaction.spans import Span

# Escapes of ASCII that is no letter or digit: nothing else is escaped, and only these hide a shape.
_ESCAPE = re.compile(r"%(?:0[adAD]|2[0-9A-Fa-f]|3[a-fA-F]|40|5[b-fB-F]|60|7[b-eB-E])")
_RUN = "A-Za-z0-9+/_.=~-"
_BEHIND_RUN = "|".join(rf"(?<=[{_RUN}]{{6}}{end})" for end in (r"\n", r"\r\n", r"\\\n"))
# A line break inside one token: the next line is nothing but a run of token characters, or a string literal goes on
# in the next literal. Each pattern starts with a plain character, which lets the regex engine skip ahead.
_LINE_WRAP = re.compile(
    rf"\n(?:{_BEHIND_RUN})[ \t>|]{{0,40}}"
    rf"(?=(?P<next>[A-Za-z0-9+/_.~-]{{1,4096}}+={{0,2}})[\"'`]?[,;)]?[ \t]{{0,8}}(?:\r?\n|\Z))"
)
_LITERAL_WRAP = re.compile(
    rf"[\"'](?=[ \t\r\n+.&\\])[ \t]{{0,8}}+(?:[+.&\\][ \t]{{0,8}}+)?(?:\r?\n[ \t]{{0,40}}+(?:[+.&][ \t]{{0,8}}+)?)?"
    rf"[\"'](?=[{_RUN}])"
)
_TOKEN_TAIL = re.compile(rf"[{_RUN}]{{6}}\Z")
_MARGIN = 600  # characters of the text read along on either side


@dataclass(frozen=True, slots=True)
class Edit:
    """`text[start:end]` is read as `reading`, one character or none."""

    start: int
    end: int
    reading: str


@dataclass(frozen=True, slots=True)
class View:
    """A piece of a source with its edits made. `cuts` are the offsets in the view where an edit's reading starts,
    `before` and `after` what to add to an offset in front of and behind the edit of the same place in the list."""

    text: str
    shift: int
    cuts: list[int]
    shifts: list[int]
    joins: bool  # edits take line breaks out: findings that hold none are the source's own

    def to_source(self, span: Span) -> Span:
        """The same span in the source."""
        return Span(self._source(span.start), self._source(span.end), span.kind, span.rank)

    def _source(self, offset: int) -> int:
        behind = bisect_left(self.cuts, offset)  # edits whose reading lies in front of the offset
        return offset + (self.shifts[behind - 1] if behind else self.shift)

    def adds(self, span: Span) -> bool:
        """Whether the finding is owed to this view."""
        return not self.joins or bisect_right(self.cuts, span.start) < bisect_left(self.cuts, span.end)


def views_of(text: str) -> Iterator[View]:
    """The pieces of a text that can be read in another way."""
    if "%" in text:
        edits = [Edit(*m.span(), chr(int(m[0][1:], 16))) for m in _ESCAPE.finditer(text)]
        yield from _views(text, edits, joins=False)
    if "\n" in text or "+" in text:
        yield from _views(text, _wraps(text), joins=True)


def _wraps(text: str) -> list[Edit]:
    """Line breaks inside one token."""
    found: list[tuple[int, int]] = []
    for wrap in _LINE_WRAP.finditer(text):
        if not _goes_on(wrap["next"]):
            continue
        start = wrap.start()
        while start and text[start - 1] in "\r\\" and wrap.start() - start < 2:
            start -= 1
        found.append((start, wrap.end()))
    found += [wrap.span() for wrap in _LITERAL_WRAP.finditer(text) if len(wrap[0]) > 2]
    edits: list[Edit] = []
    for start, end in sorted(found):
        if (not edits or start >= edits[-1].end) and _TOKEN_TAIL.match(text[max(0, start - 6) : start]):
            edits.append(Edit(start, end, ""))
    return edits


def _goes_on(line: str) -> bool:
    """Whether a line of one run can be the rest of a token: `EOF` and `then` are lines of their own."""
    return len(line) >= 16 or any(c.isdigit() for c in line) or not (line.islower() or line.isupper() or line.istitle())


def _views(text: str, edits: Sequence[Edit], *, joins: bool) -> Iterator[View]:
    first = 0
    for i, edit in enumerate(edits):
        if i + 1 == len(edits) or edits[i + 1].start - edit.end > 2 * _MARGIN:
            yield _view(text, edits[first : i + 1], joins=joins)
            first = i + 1


def _view(text: str, edits: Sequence[Edit], *, joins: bool) -> View:
    done = _piece_start(text, edits[0].start)
    shift = done
    parts: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    length = 0
    for edit in edits:
        parts += (text[done : edit.start], edit.reading)
        length += edit.start - done
        cuts.append(length)
        length += len(edit.reading)
        done = edit.end
        shifts.append(done - length)
    parts.append(text[done : done + _MARGIN])
    return View("".join(parts), shift, cuts, shifts, joins)


def _piece_start(text: str, edit_start: int) -> int:
    """Far enough in front, at a blank where there is one: a piece that starts inside a token would look like one."""
    earliest, latest = max(0, edit_start - 2 * _MARGIN), max(0, edit_start - _MARGIN)
    if latest == 0:
        return 0
    return max(text.rfind(" ", earliest, latest), text.rfind("\n", earliest, latest), earliest)

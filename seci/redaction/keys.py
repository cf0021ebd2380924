"""Blocks of private key material: PEM, OpenSSH, PGP, PuTTY, age."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.redaction.spans import Page, Span

_BEGIN = re.compile(r"-{4,5} ?BEGIN (?P<label>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?) ?-{4,5}")
_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PUTTY = re.compile(r"PuTTY-User-Key-File-[123]:")
_PUTTY_LAST = re.compile(r"Private-MAC: ?[0-9a-fA-F]+")
_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{20}")  # a run this long is key material, not an ellipsis
# A body line of a block whose end is missing: base64 or an armour header, quoted, indented or escaped.
_BODY = re.compile(
    r"(?:(?:\\[nr]|[\s>|#\"',+])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Comment|Version|Hash): ?[^\r\n\\]{0,80}"
    r"|=?[A-Za-z0-9+/]{1,15}={0,2}(?=\s|\\n|[\"']|$)))+"
)
_LONGEST = 65_536  # characters of one block; a 16,384-bit RSA key in PEM has 12,700


def find_keys(page: Page) -> Iterator[Span]:
    text = page.text
    if "PRIVATE KEY" in text:
        yield from _armoured(text)
    if "PuTTY-User-Key" in text:
        for start in _PUTTY.finditer(text):
            last = _PUTTY_LAST.search(text, start.end(), start.end() + _LONGEST)
            yield Span(start.start(), last.end() if last else len(text), "private-key", 1)


def _armoured(text: str) -> Iterator[Span]:
    ends = [m.span() for m in _END.finditer(text)]
    following, done = 0, 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        while following < len(ends) and ends[following][0] < begin.end():
            following += 1
        if following < len(ends) and ends[following][1] - begin.start() <= _LONGEST:
            body_end, end = ends[following]
        else:
            body = _BODY.match(text, begin.end(), begin.end() + _LONGEST)
            body_end = end = body.end() if body else begin.end()
        if _MATERIAL.search(text, begin.end(), body_end):
            done = end
            yield Span(begin.start(), end, "private-key", 1)

"""The redactor: every detector over every reading of a text, until nothing more is found.

Why no library: measured in late 2026 on the corpus of `tests/redaction` (141 planted secrets, 110 look-alikes), the
line scanner of detect-secrets 1.5.0 (last release May 2024) reports 107 of the look-alikes, gives values without
places and imports an HTTP client; bc-detect-secrets, the kept fork, does much the same. betterleaks 2.0.0 is fast and
exact but finds 62 of the secrets, since connection strings, headers and prose are not its business; its Python
bindings are one person's single release of 56 MB without wheels for current Pythons. Kingfisher's take five CPU
seconds to start. Formats with a prefix are facts and fit a table; what all of them miss had to be written anyway.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from seci.core.markers import REDACTED_PREFIX
from seci.core.ports import Redacted
from seci.redaction.assignments import find_assignments
from seci.redaction.commands import find_command_secrets, find_header_secrets
from seci.redaction.keys import find_keys
from seci.redaction.private import find_dropped
from seci.redaction.prose import find_said
from seci.redaction.spans import Detector, Page, Span, drop_marked, merge_spans, render_redacted
from seci.redaction.tokens import find_aws_secrets, find_shapes, find_tokens
from seci.redaction.urls import find_url_secrets
from seci.redaction.views import views_of

DETECTORS: tuple[Detector, ...] = (
    find_keys,
    find_tokens,
    find_shapes,
    find_aws_secrets,
    find_url_secrets,
    find_header_secrets,
    find_command_secrets,
    find_assignments,
    find_said,
)
_PASSES = 6  # a replacement can bring a boundary to light that hid another secret; two passes are the rule
_NEAR = 1_000  # characters around a replacement that are read again


class SecretRedactor:
    """Implements the port `Redactor`. Stateless; linear in the length of the text; redacting twice changes nothing."""

    def redact(self, text: str) -> Redacted:
        """Private spans and injected context are dropped, secrets become `[redacted:KIND]`; all are counted."""
        counts: Counter[str] = Counter()
        text = _without_dropped(text, counts)
        spans = scan(text)
        for _ in range(_PASSES):
            if not spans:
                break
            counts.update(span.kind for span in spans)
            text = _without_dropped(render_redacted(text, spans), counts)
            spans = _scan_around_marks(text)
        return Redacted(text, dict(counts))

    def scan(self, text: str) -> list[tuple[str, tuple[int, int]]]:
        """(kind, (start, end)) of each secret in the text as it is, in order; for `seci audit --secrets`."""
        return [(span.kind, (span.start, span.end)) for span in scan(text)]


def scan(text: str) -> list[Span]:
    """The secrets in a text: disjoint, in order, none of them marked as redacted before."""
    if len(text) < 6:
        return []
    found = _detect(Page.of(text))
    for view in views_of(text):
        spans = _detect(Page.of(view.text))
        found += [view.to_source(span) for span in spans if view.adds(span)]
    return merge_spans(drop_marked(text, found))


def _scan_around_marks(text: str) -> list[Span]:
    """What a scan finds in the neighbourhood of replacements; the rest of the text has not changed."""
    found: list[Span] = []
    for start, end in Page(text, text).windows((REDACTED_PREFIX,), (_NEAR, _NEAR)):
        if start:  # not inside a token
            start = max(start, text.find(" ", start, end))
        found += [replace(s, start=s.start + start, end=s.end + start) for s in scan(text[start:end])]
    return merge_spans(found)


def _detect(page: Page) -> list[Span]:
    return [span for detector in DETECTORS for span in detector(page)]


def _without_dropped(text: str, counts: Counter[str]) -> str:
    while elements := find_dropped(text):
        counts.update(kind for _, _, kind in elements)
        kept, done = [], 0
        for start, end, _ in elements:
            kept.append(text[done:start])
            done = end
        text = "".join([*kept, text[done:]])
    return text

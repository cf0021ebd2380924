"""The marks that seci itself writes into text, shared by those who write them and those who take them out again."""

from __future__ import annotations

import re

CONTEXT_TAG = "seci-context"
"""The element around every context that seci injects into a session; redaction drops it, so that the vault never
eats itself."""

PRIVATE_TAG = "private"
"""The element with which a user keeps a span out of the vault."""

REDACTED_PREFIX = "[redacted:"

FORGOTTEN = "[forgotten]"
"""What stands in an archive in place of a turn that the user wanted forgotten; it keeps the turn's number, so that the
session's file, where it still exists, does not bring the text back."""

_CONTEXT_END = re.compile(rf"</(?=\s*{CONTEXT_TAG}\s*>)", re.IGNORECASE)


def redacted_mark(kind: str) -> str:
    """What stands in place of a secret: `[redacted:KIND]`."""
    return f"{REDACTED_PREFIX}{kind}]"


def render_injected(markdown: str) -> str:
    """`markdown` inside the element that marks it as injected; an end tag within it is defused."""
    body = _CONTEXT_END.sub("<\\/", markdown).strip("\n")
    return f"<{CONTEXT_TAG}>\n{body}\n</{CONTEXT_TAG}>"

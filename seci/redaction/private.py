"""What is dropped whole: spans that the user marked private, and context that seci itself injected."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.core.markers import CONTEXT_TAG, PRIVATE_TAG

PRIVATE = "private"
OWN_CONTEXT = "own-context"

_TAG = re.compile(
    rf"<(?P<end>/?)\s{{0,4}}(?P<name>{PRIVATE_TAG}|{CONTEXT_TAG})(?P<rest>(?:\s[^<>]{{0,300}})?)>", re.IGNORECASE
)


def find_dropped(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of the outermost elements, tags included, in text order.

    Elements nest; one that is never closed reaches to the end of the text. A context element that is never closed
    counts only at the start of a line, since talk about the tag is not a context.
    """
    if "<" not in text:
        return []
    return list(_outermost(text))


def _outermost(text: str) -> Iterator[tuple[int, int, str]]:
    tags = [m for m in _TAG.finditer(text) if not m["rest"].rstrip().endswith("/")]
    skip_to = 0
    closes_after = _last_end(tags)
    for i, tag in enumerate(tags):
        if tag.start() < skip_to or tag["end"]:
            continue
        name = tag["name"].lower()
        if name == CONTEXT_TAG and closes_after.get(name, -1) < tag.end() and not _at_line_start(text, tag.start()):
            continue
        skip_to = _element_end(text, tags, i)
        yield tag.start(), skip_to, PRIVATE if name == PRIVATE_TAG else OWN_CONTEXT


def _last_end(tags: list[re.Match[str]]) -> dict[str, int]:
    return {m["name"].lower(): m.start() for m in tags if m["end"]}


def _element_end(text: str, tags: list[re.Match[str]], opening: int) -> int:
    name, depth = tags[opening]["name"].lower(), 0
    for tag in tags[opening:]:
        if tag["name"].lower() == name:
            depth += -1 if tag["end"] else 1
            if depth == 0:
                return tag.end()
    return len(text)


def _at_line_start(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip()

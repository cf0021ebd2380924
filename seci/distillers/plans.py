"""A plan that the user hands over ("Implement the following plan:"): its sections, told as what was planned."""

from __future__ import annotations

import re

from seci.core.session import Turn
from seci.distillers.language import Cues
from seci.distillers.passages import Section, parse_sections
from seci.distillers.sentences import Casing

_BOILERPLATE = re.compile(r"\n\s*If you need specific details from before exiting plan mode.*", re.DOTALL)
_TITLE = re.compile(r"^#\s+(?:plan|implementation plan)?\s*[:–—-]?\s*(.+)$", re.IGNORECASE | re.MULTILINE)


def plan_text(turn: Turn | None, cues: Cues) -> str:
    """The text of the plan that a user's turn hands over; empty when it hands over none."""
    if turn is None:
        return ""
    match = cues.starts("plan_openings", turn.text.lstrip())
    return _BOILERPLATE.sub("", turn.text.lstrip()[match.end() :]).strip() if match else ""


def plan_title(text: str) -> str:
    """The title that the plan gives itself; empty when it has none."""
    match = _TITLE.search(text)
    return match[1].strip() if match else ""


def plan_sections(text: str, turn: int, cues: Cues, casing: Casing) -> list[Section]:
    """The sections of the plan; those under no heading of their own stand under the plan's title."""
    title = plan_title(text)
    body = _TITLE.sub("", text, count=1) if title else text
    return [
        section if section.subject else Section(section.turn, title, section.units)
        for section in parse_sections(body, turn, cues, casing)
    ]

"""Standing instructions and preferences: what somebody said once and wants kept to ever after."""

from __future__ import annotations

import re

# Narrow on purpose: "don't", "please" and "I like" open too many sentences that hold for the moment only.
_STANDING = re.compile(
    r"\b(?:always|from now on|going forward|whenever i"
    r"|i(?:['’]d| would)? (?:(?:really|much|generally|usually|strongly) )?prefer"
    r"|i(?:['’]d| would) rather|my preference"
    r"|never (?:use|include|add|commit|write|put))\b",
    re.IGNORECASE,
)
_REACH = 20_000  # characters that are looked at


def states_standing(text: str) -> bool:
    """Whether a user's text states an instruction or a preference that outlives its session. English only."""
    return _STANDING.search(text[:_REACH]) is not None

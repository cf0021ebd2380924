"""What "it" stands for at the beginning of an answer: the one thing that the question names."""

from __future__ import annotations

import re

from seci.core.session import Turn
from seci.distillers.salience import NAMED

LONG = 300  # characters of a turn that asks about more than one thing

# The first words, after a place at most.
_SUBJECT = re.compile(
    r"(?P<lead>(?:(?:From|In|At|On|Per) `[^`\n]+`, )?)[Ii]t"
    r"(?= (?:(?:only|also|always|never|still|currently|now) )?(?!does\b)[a-z]+s\b)"
)


def resolve_subject(text: str, asked: Turn | None) -> str:
    """The text of an answer with the name in place of its first "it", where the question names one thing only."""
    if asked is None or len(asked.text) > LONG:
        return text
    names = list(dict.fromkeys(name.strip("`") for name in NAMED.findall(asked.text)))
    if len(names) != 1 or names[0].isupper():
        return text
    match = _SUBJECT.match(text)
    return f"{match['lead']}`{names[0]}`{text[match.end() :]}" if match else text

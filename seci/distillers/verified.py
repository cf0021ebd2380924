"""What was verified at the end of a session: that tests and lint pass, and what was measured before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.told import read_prose
from seci.distillers.topics import Topic

_CHECKS = ("Tests and lint passed.", "Tests passed.", "Lint passed.")
_BEFORE_AFTER = "Measured: from "
_UNIT = r"(?:ns|[mµ]?s|secs?|seconds?|minutes?|hours?|[KMG]i?B|bytes|%)"
_MEASURED = re.compile(
    rf"\b(?P<how>down |up |dropped |reduced |went )?from (?P<before>(?:~|about |around )?\d[\d.,]*\s?{_UNIT}?) to "
    rf"(?P<after>(?:~|about |around )?\d[\d.,]*\s?{_UNIT})(?!\w)"
)
_TESTS = re.compile(
    r"\ball (?:the )?(?:\w+ ){0,3}tests? (?:now |still )?pass|^(?:unit |all )?tests? (?:now |all )?pass(?:ed)?\b", re.I
)
_LINT = re.compile(
    r"\blint(?:er|ing)?\b`?[^.;]{0,30}\b(?:is (?:now )?clean|pass(?:es|ed)?|0 issues|no issues|shows 0)\b"
    r"|\b(?:0|no) lint(?:ing)? (?:issues|errors)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\btests and lint(?:ing)? (?:all )?pass", re.IGNORECASE)
# What is still to be seen, or was not so.
_UNSURE = re.compile(
    r"\b(?:should|would|will|let me|let's|make sure|verify that|ensure|until|if|once|unless|but|except|not|fail\w*)\b|"
    r"\?$",
    re.IGNORECASE,
)
_FAILS = re.compile(r"\b(?:fail(?:s|ed|ing|ures?)?|errors?|broken|still)\b", re.IGNORECASE)


def tell_verified(topics: Sequence[Topic], since: int) -> tuple[int, str] | None:
    """What the answers from the exchange `since` on say was checked, unless the user came back with a failure."""
    turn, tests, lint, measured = -1, False, False, ""
    for topic in topics:
        if topic.order < since:
            continue
        if topic.asked is not None and topic.order > since and _FAILS.search(topic.asked.text):
            tests = lint = False
        for answer in topic.answers:
            for sentence in read_prose(answer.text):
                if match := _MEASURED.search(sentence):
                    measured, turn = f"{match['before']} to {match['after']}", answer.index
                if _UNSURE.search(sentence):
                    continue
                both = _BOTH.search(sentence)
                if both or _TESTS.search(sentence):
                    tests, turn = True, answer.index
                if both or _LINT.search(sentence):
                    lint, turn = True, answer.index
    said = [f"{_BEFORE_AFTER}{measured}."] if measured else []
    if tests or lint:
        said.append(_CHECKS[0] if tests and lint else _CHECKS[1] if tests else _CHECKS[2])
    return (turn, " ".join(said)) if said else None


def is_measured(told: str) -> bool:
    """Whether what was verified was measured before and after."""
    return told.startswith(_BEFORE_AFTER)


def drop_checks(sentences: Sequence[str]) -> list[str]:
    """The sentences without those that only say that all is well."""
    return [sentence for sentence in sentences if sentence not in _CHECKS]

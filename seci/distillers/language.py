"""The cues of each language: regular expressions kept as data in `cues/<language>.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Cues:
    """Compiled cues of one language. `openers` and `narration` match at the start of a sentence only."""

    name: str
    common: frozenset[str]
    plain_words: frozenset[str]
    openers: re.Pattern[str]
    narration: re.Pattern[str]
    session_only: re.Pattern[str]
    dangling: re.Pattern[str]
    pointing: re.Pattern[str]
    promise: re.Pattern[str]
    subjectless: re.Pattern[str]
    unfinished: re.Pattern[str]
    generic_heading: re.Pattern[str]
    noise_heading: re.Pattern[str]
    empty_role: re.Pattern[str]
    finite: re.Pattern[str]
    signals: Mapping[str, re.Pattern[str]]
    user: Mapping[str, re.Pattern[str]]

    def signal(self, name: str, text: str) -> bool:
        """Whether `text` carries that signal; False for a signal that the language does not define."""
        pattern = self.signals.get(name)
        return bool(pattern and pattern.search(text))

    def says(self, name: str, text: str) -> bool:
        """Whether a user's text carries that cue anywhere."""
        pattern = self.user.get(name)
        return bool(pattern and pattern.search(text))

    def starts(self, name: str, text: str) -> re.Match[str] | None:
        """The user cue at the start of `text`."""
        pattern = self.user.get(name)
        return pattern.match(text) if pattern else None

    def whole(self, name: str, text: str) -> re.Match[str] | None:
        """The user cue that covers all of `text`."""
        pattern = self.user.get(name)
        return pattern.fullmatch(text.strip()) if pattern else None


def parse_cues(data: Mapping[str, Any]) -> Cues:
    """Cues from the parsed TOML. Raises KeyError when a required list is missing."""
    return Cues(
        name=str(data["name"]),
        common=frozenset(data["common"]),
        plain_words=frozenset(data["plain_words"].split()),
        openers=_start(data["openers"]),
        narration=_start(data["narration"]),
        session_only=_any(data["session_only"]),
        dangling=_start(data["dangling"]),
        pointing=_any(data["pointing"]),
        promise=_any(data["promise"]),
        subjectless=_start(data["subjectless"]),
        unfinished=_start(data["unfinished"]),
        generic_heading=_start(data["generic_headings"]),
        noise_heading=_start(data["noise_headings"]),
        empty_role=_start(data["empty_roles"]),
        finite=_any(data["finite"]),
        signals={name: _any(patterns) for name, patterns in data["signals"].items()},
        user={name: _any(patterns) for name, patterns in data["user"].items()},
    )


@cache
def load_cues() -> Mapping[str, Cues]:
    """The cues of every language that the package ships, by language code."""
    found: dict[str, Cues] = {}
    for entry in sorted(resources.files("seci.distillers").joinpath("cues").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            cues = parse_cues(tomllib.loads(entry.read_text(encoding="utf-8")))
            found[cues.name] = cues
    return found


def select_cues(texts: Sequence[str]) -> Cues:
    """The cues of the language most of whose common words occur in `texts`; English when none stands out."""
    languages = load_cues()
    if len(languages) == 1:
        return languages[DEFAULT_LANGUAGE]
    words: dict[str, int] = {}
    for word in re.findall(r"[^\W\d_]+", " ".join(text[:2000] for text in texts[:40]).lower()):
        words[word] = words.get(word, 0) + 1
    scores = {name: sum(words.get(word, 0) for word in cues.common) for name, cues in languages.items()}
    best = max(sorted(scores), key=lambda name: scores[name])
    return languages[best if scores[best] > scores[DEFAULT_LANGUAGE] else DEFAULT_LANGUAGE]


def _start(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(patterns) + ")", re.IGNORECASE)


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns) if len(patterns) > 1 else patterns[0], re.IGNORECASE)

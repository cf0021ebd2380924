"""The cues of each language: regular expressions kept as data in `cues/<language>.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from seci.core.session import Role, Session
from seci.distillers.identify import detect_language, prose_of
from seci.distillers.sentences import count_words

DEFAULT_LANGUAGE = "en"
PLAIN_SHARE = 0.12  # of the words of English prose that are among its commonest; of other languages 0.03 at the most
TELLING_WORDS = 12  # of prose that is asked for its language by itself
SAMPLE = 40  # turns by which the language is told


@dataclass(frozen=True, slots=True)
class Cues:
    """Compiled cues of one language. `openers` and `narration` match at the start of a sentence only, and so does
    `reports`, the beginning of a sentence in which the assistant tells what it did.

    `lead` holds the words that a note adds to what was said (English needs none: it tells in the third person),
    `titles` the patterns by which a sentence is shortened to a title. A list that is left out matches nothing.
    """

    name: str
    common: frozenset[str]
    plain_words: frozenset[str]
    openers: re.Pattern[str]
    narration: re.Pattern[str]
    reports: re.Pattern[str]
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
    lead: Mapping[str, str]
    titles: Mapping[str, re.Pattern[str]]

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
    """Cues from the parsed TOML. Raises KeyError without a name, re.error for a pattern that is none."""
    return Cues(
        name=str(data["name"]),
        common=frozenset(data.get("common", ())),
        plain_words=frozenset(data.get("plain_words", "").split()),
        openers=_start(data.get("openers")),
        narration=_start(data.get("narration")),
        reports=_start(data.get("reports")),
        session_only=_any(data.get("session_only")),
        dangling=_start(data.get("dangling")),
        pointing=_any(data.get("pointing")),
        promise=_any(data.get("promise")),
        subjectless=_start(data.get("subjectless")),
        unfinished=_start(data.get("unfinished")),
        generic_heading=_start(data.get("generic_headings")),
        noise_heading=_start(data.get("noise_headings")),
        empty_role=_start(data.get("empty_roles")),
        finite=_any(data.get("finite", [""])),
        signals={name: _any(patterns) for name, patterns in data.get("signals", {}).items()},
        user={name: _any(patterns) for name, patterns in data.get("user", {}).items()},
        lead=dict(data.get("lead", {})),
        titles={name: _any(patterns) for name, patterns in data.get("titles", {}).items()},
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


@dataclass(frozen=True, slots=True)
class Voices:
    """The cues for what the user says and for what is answered, which need not be in one language."""

    user: Cues
    answers: Cues


def select_voices(session: Session) -> Voices:
    """The cues of the languages that a session is in; English where nothing tells another one of those shipped."""
    languages = load_cues()
    asked = prose_of([turn.text for turn in session.turns if turn.role is not Role.ASSISTANT][:SAMPLE])
    answered = prose_of([turn.text for turn in session.turns if turn.role is Role.ASSISTANT][:SAMPLE])
    spoken = _language(asked) if count_words(asked) >= TELLING_WORDS else None
    heard = _language(answered) if count_words(answered) >= TELLING_WORDS or spoken is None else None
    if spoken is None and heard is None:
        spoken = _language(f"{asked} {answered}")
    user = languages.get(spoken or heard or DEFAULT_LANGUAGE, languages[DEFAULT_LANGUAGE])
    return Voices(user, languages.get(heard or user.name, languages[DEFAULT_LANGUAGE]))


def tell_language(text: str) -> str | None:
    """The ISO 639-1 code of the language of a text, code in it not counted; None where nothing tells."""
    return _language(prose_of([text]))


def _language(prose: str) -> str | None:
    """The language of prose. Plain English is told by its commonest words, without the model."""
    words = re.findall(r"[^\W\d_]+", prose.lower())
    common = load_cues()[DEFAULT_LANGUAGE].common
    if words and sum(word in common for word in words) >= PLAIN_SHARE * len(words):
        return DEFAULT_LANGUAGE
    return detect_language(prose)


def _start(patterns: Sequence[str] | None) -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(patterns) + ")", re.IGNORECASE) if patterns else _NEVER


def _any(patterns: Sequence[str] | None) -> re.Pattern[str]:
    if not patterns:
        return _NEVER
    return re.compile("|".join(f"(?:{p})" for p in patterns) if len(patterns) > 1 else patterns[0], re.IGNORECASE)


_NEVER = re.compile(r"(?!)")

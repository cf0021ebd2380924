"""Plain features of a turn: what its form says before its meaning is looked at.

Every number depends on this turn and the turns before it, so that a stream and a batch see the same. Counts enter as
`log(1 + n)`. Words are runs of letters or digits; in scripts without spaces two characters count as one word.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from seci.core.session import Role, Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?…:])\s+|(?<=[。！？])|\n+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_TICKED = re.compile(r"`[^`\n]+`")
_LIST = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.M)
_HEADING = re.compile(r"^\s*#{1,6}\s|^\s*\*\*[^*\n]+\*\*:?\s*$", re.M)
_NAME = re.compile(r"\w*(?:\w[._/]\w|\w::\w|[a-z][A-Z])[\w./()-]*")
_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_ASKING = ("?", "？")

_SHAPE = (
    "characters", "words", "sentences", "words_per_sentence", "questions", "words_asked", "words_told",
    "words_narrated", "words_left", "narrated_share", "ends_asking", "ends_colon", "fences", "ticked", "list_lines",
    "headings", "numbers", "names", "links", "exclamations", "commas", "capitals", "brackets", "quoted",
)  # fmt: skip
_PLACE = (
    "user", "assistant", "participant", "tools", "position", "is_first", "same_speaker", "words_before",
    "asked_before", "ended_asking_before", "tools_before", "words_two_before", "asked_two_before",
)  # fmt: skip
_SPEAKS = (
    "user_words_left",
    "assistant_words_left",
    "user_standing",
    "user_lasting",
    "user_lasting_share",
    "user_asks",
)
"""Length tells much of an assistant's turn and little of a person's, whose words tell more: "never push to main" is
four words that hold for good. `user_lasting` says whether a person uses such a word outside a question,
`user_lasting_share` in what share of the sentences."""
_NOVELTY = ("new_words", "rare_words", "new_share", "repeats_turn", "heard")

_PAUSE = timedelta(hours=6)
"""A longer silence starts a new sitting: people greet again and say what happened since."""


@dataclass(frozen=True, slots=True)
class CueFamily:
    """Words that point one way, all languages together: whole words, phrases joined by hyphens, and pieces of scripts
    without spaces."""

    name: str
    words: frozenset[str]
    pieces: tuple[str, ...]

    def count(self, words: Sequence[str], text: str) -> int:
        found = sum(word in self.words for word in words)
        return found if text.isascii() else found + sum(text.count(piece) for piece in self.pieces)


@cache
def cue_families() -> tuple[CueFamily, ...]:
    """The families of `data/cues.json`, in file order."""
    text = resources.files("seci.router").joinpath("data/cues.json").read_text(encoding="utf-8")
    families = []
    for name, line in json.loads(text).items():
        words = line.replace("’", "'").split()
        pieces = tuple(word for word in words if _UNSPACED.search(word))
        families.append(CueFamily(name, frozenset(words) - frozenset(pieces), pieces))
    return tuple(families)


@cache
def _phrases() -> re.Pattern[str]:
    """The cues of more than one word. They are joined before words are looked at: "from now on" is not a "now"."""
    cues = sorted((word for family in cue_families() for word in family.words if "-" in word), key=len, reverse=True)
    spelled = ("[ -]".join(map(re.escape, cue.split("-"))) for cue in cues)
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)", re.I)


def join_phrases(text: str) -> str:
    """The text with plain apostrophes and the cues of several words written as one: `from-now-on`."""
    return _phrases().sub(lambda found: found[0].replace(" ", "-"), text.replace("’", "'"))


@cache
def feature_names() -> tuple[str, ...]:
    """The columns in order; weights are bound to them."""
    names = tuple(family.name for family in cue_families())
    return (*_SHAPE, *_PLACE, *_SPEAKS, *_NOVELTY, *(f"cue_{n}" for n in names), *(f"opens_{n}" for n in names))


def count_words(text: str) -> float:
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + unspaced / 2


def split_words(text: str) -> list[str]:
    """Lower-case words; each character of a script without spaces is one."""
    return [word.lower() for word in _WORD.findall(_UNSPACED.sub(r" \g<0> ", text.replace("’", "'")))]


def split_sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


@dataclass(slots=True)
class FeatureStream:
    """The plain features of one conversation, turn by turn.

    `position` counts from the start of the sitting, what is new is judged against the whole conversation.
    """

    _position: int = 0
    _heard: int = 0
    _before: list[tuple[Turn, float, bool]] = field(default_factory=list)
    _words: Counter[str] = field(default_factory=Counter)
    _texts: set[str] = field(default_factory=set)

    def push(self, turn: Turn) -> list[float]:
        """The row of the next turn, in the order of `feature_names`."""
        if self._before and _pauses(self._before[-1][0], turn):
            self._before, self._position = [], 0
        text = join_phrases(turn.text)
        words = [word.lower() for word in _WORD.findall(text)]
        sentences = split_sentences(_FENCE.sub(" ", text))
        shape = _score_shape(text, sentences)
        cues = _score_cues(text, words, sentences)
        row = [
            *shape,
            *self._score_place(turn),
            *_score_speaker(turn, shape, cues, sentences),
            *self._score_novelty(text, words),
            *cues,
        ]
        asked = any(sentence.endswith(_ASKING) for sentence in sentences)
        self._before = [*self._before[-1:], (turn, math.log1p(count_words(text)), asked)]
        self._position += 1
        self._heard += 1
        return [float(value) for value in row]

    def _score_place(self, turn: Turn) -> list[float]:
        last = self._before[-1] if self._before else None
        second = self._before[0] if len(self._before) > 1 else None
        return [
            turn.role is Role.USER,
            turn.role is Role.ASSISTANT,
            turn.role is Role.PARTICIPANT,
            math.log1p(len(turn.tools)),
            math.log1p(self._position),
            self._position == 0,
            bool(last and last[0].role is turn.role and last[0].speaker == turn.speaker),
            last[1] if last else 0.0,
            bool(last and last[2]),
            bool(last and last[0].text.rstrip().endswith(_ASKING)),
            math.log1p(len(last[0].tools)) if last else 0.0,
            second[1] if second else 0.0,
            bool(second and second[2]),
        ]

    def _score_novelty(self, text: str, words: Sequence[str]) -> list[float]:
        said = {word for word in words if len(word) > 2}
        fresh = sum(word not in self._words for word in said)
        rare = sum(1.0 / (1 + self._words[word]) for word in said)
        normal = " ".join(words)
        repeats = len(normal) > 40 and normal in self._texts
        self._words.update(said)
        self._texts.add(normal)
        return [math.log1p(fresh), math.log1p(rare), fresh / max(1, len(said)), repeats, math.log1p(self._heard)]


def _pauses(before: Turn, turn: Turn) -> bool:
    return before.at is not None and turn.at is not None and turn.at - before.at >= _PAUSE


def _score_shape(text: str, sentences: Sequence[str]) -> list[float]:
    asked = sum(count_words(s) for s in sentences if s.endswith(_ASKING))
    narrated = sum(count_words(s) for s in sentences if _narrates(s) and not s.endswith(_ASKING))
    words = count_words(text)
    told = sum(count_words(s) for s in sentences) - asked
    return [
        math.log1p(len(text)),
        math.log1p(words),
        math.log1p(len(sentences)),
        math.log1p(words / max(1, len(sentences))),
        math.log1p(sum(s.endswith(_ASKING) for s in sentences)),
        math.log1p(asked),
        math.log1p(max(0.0, told)),
        math.log1p(narrated),
        math.log1p(max(0.0, told - narrated)),
        narrated / max(1.0, told),
        text.rstrip().endswith(_ASKING),
        text.rstrip().endswith((":", "：")),
        math.log1p(text.count("```") / 2),
        math.log1p(len(_TICKED.findall(text))),
        math.log1p(len(_LIST.findall(text))),
        math.log1p(len(_HEADING.findall(text))),
        math.log1p(len(re.findall(r"\d+", text))),
        math.log1p(len(_NAME.findall(text))),
        math.log1p(text.count("://")),
        math.log1p(text.count("!") + text.count("！")),
        math.log1p(text.count(",") + text.count("，") + text.count("、")),
        math.log1p(len(_CAPITAL.findall(text))),
        math.log1p(text.count("(") + text.count("[")),
        math.log1p(text.count('"') / 2),
    ]


def _score_speaker(turn: Turn, shape: Sequence[float], cues: Sequence[float], sentences: Sequence[str]) -> list[float]:
    person = turn.role is not Role.ASSISTANT
    left, asks = shape[_SHAPE.index("words_left")], shape[_SHAPE.index("ends_asking")]
    names = [family.name for family in cue_families()]
    standing = cues[names.index("standing")]
    lasting = cue_families()[names.index("lasting")]
    told = [s for s in sentences if not s.endswith(_ASKING)] if person else []
    holding = [s for s in told if lasting.count([word.lower() for word in _WORD.findall(s)], s)]
    share = len(holding) / max(1, len(sentences))
    return [person * left, (not person) * left, person * standing, bool(holding), share, person * asks]


def _narrates(sentence: str) -> bool:
    """Whether it opens by saying what the speaker is about to do, or by nothing but assent."""
    opening = [word.lower() for word in _WORD.findall(sentence[:40])[:2]]
    return any(family.count(opening, sentence[:4]) for family in cue_families() if family.name in ("narrate", "greet"))


def _score_cues(text: str, words: Sequence[str], sentences: Sequence[str]) -> list[float]:
    opening = sentences[0][:12] if sentences else ""
    first = [word.lower() for word in _WORD.findall(sentences[0])[:2]] if sentences else []
    families = cue_families()
    counts = [math.log1p(family.count(words, text)) for family in families]
    return counts + [float(family.count(first, opening) > 0) for family in families]


def score_features(turns: Sequence[Turn]) -> NDArray[np.float32]:
    """Shape (len(turns), len(feature_names())): the rows of a whole session."""
    import numpy as np

    stream = FeatureStream()
    rows = [stream.push(turn) for turn in turns]
    return np.asarray(rows, dtype=np.float32).reshape(len(turns), len(feature_names()))

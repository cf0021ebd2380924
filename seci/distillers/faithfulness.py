"""Whether a note says only what the turns that it cites say.

A language model paraphrases, and may. What it may not do is bring in a figure, a name or an identifier of its own, or
cite turns that are about something else. So words are compared loosely, by stem and with a share that has to match,
figures and names one by one.
"""

from __future__ import annotations

import calendar
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise

from seci.core.note import Draft
from seci.core.session import Session, Turn

LEAST_OVERLAP = 0.18  # of the weight of a note's words, in the turns that it cites
LEAST_FIT = 0.63  # of the turns that a note cites, 0..1
LEAST_OF_BEST = 0.6  # of what as many turns of the session hold of a note at best
RARE = 3  # turns that may have a word which sets a note apart
CLEARLY_MORE = 1.1  # times what a cited turn holds of a note: another turn that holds it ranks before it
FEW_TURNS = 8  # in a shorter session one turn before another says as little as in one of so many
LEAST_CODE = 0.5  # of a note's identifiers, in the turns that it cites or answers to
NOUN_CAPITALS = 0.2  # of the words inside sentences: more have capitals only where nouns do
ENGLISH_WORDS = 0.06  # of all words are these few in English prose, seldom in anything else
STEM = 6  # letters: inflections of one word mostly share them, in all languages that inflect at the end
AROUND_NOTE, AROUND_EVIDENCE = 6, 8  # words around a figure that are compared
RIVAL = 3  # more shared words around another figure, and the note has the wrong one,
CLOSE = 3  # unless it shares so many itself
NEIGHBOURS = 2  # turns before a cited one that it may answer to, where its figures and names may stand
LONG_FIGURE = 3  # digits from which on a figure names something (a ticket, a port) that the whole session knows

_WORD = re.compile(r"[^\W\d_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_TOKEN = re.compile(  # of a script without spaces four characters, about a word with what belongs to it
    r"(?<![A-Za-z\u00c0-\u02af])\d+(?:,\d{3}(?!\d))*(?:\.\d+)*"
    r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_DATE = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_CODE = re.compile(
    r"`[^`\n]+`"
    r"|(?<![\w-])--?[A-Za-z][\w-]+"  # a switch
    r"|[\w~.-]*/[\w./~-]*\w"  # a path
    r"|\b\w+(?:[._:]+\w+)+\b"  # dotted, scoped, snake_case
    r"|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*"  # camelCase
    r"|\b[A-Z][A-Z0-9]+\b"
)
_SETTING = re.compile(r"\b([\w.-]+)=(\d+)\b")
_NUMBERED = re.compile(r"(?<![\w-])([a-z]{4,}|[A-Z][a-z]{3,}) #?(\d+)(?![\w.,:%]*\w|%)")  # "session 3", "PR 227"
_MEASURE = re.compile(
    r"about|above|after|around|before|below|between|could|every|exactly|from|have|least|less|more|most|nearly|only|over|"
    r"roughly|than|that|then|these|those|under|until|were|when|with"
)
_PLACEHOLDER = re.compile(r"<[^<>\n]*>")
_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]+\b")
_OPENING = re.compile(r"(?:^|[.!?:;\n][\"”“»’')]?\s*|[”“»]\s+|[\"“(\[*•-]\s?)\Z")
_GOES_ON = (" of ", " out ", " that ", " to ")  # behind a noun, hardly ever behind a name
_COUNTS_ON = re.compile(r"[^.!?:(]{3,60}[:(]")  # from a number that opens a sentence to what it counts
_INFLECTED = re.compile(r"\w{2,}(?:ed|ing|ly)\Z")
_MONTHS = tuple(month.lower() for month in calendar.month_name[1:])
_ENGLISH = frozenset(("the", "of", "and", "to", "is", "that", "it", "with", "for"))
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: str(n) for n, word in enumerate(_NUMBERS)}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a text offers in support: the stems of its words, the numbers that stand right behind one ("session 3"), its
    figures with the stems around each, and its tokens without case and marks, joined by blanks."""

    stems: frozenset[str]
    numbered: Mapping[str, frozenset[str]]
    figures: Mapping[str, Sequence[frozenset[str]]]
    letters: str

    @classmethod
    def of(cls, text: str) -> Evidence:
        around: dict[str, list[frozenset[str]]] = {}
        for figure, stems in parse_figures(text, AROUND_EVIDENCE, claimed=False):
            around.setdefault(figure, []).append(stems)
        letters = " ".join(_letters(token) for token in re.split(r"[\s./:]+", text))
        return cls(frozenset(parse_stems(text)), _parse_numbered(text), around, letters)


@dataclass(frozen=True, slots=True)
class Capitals:
    """What capitals mean in a session: `mark_names` is False where nouns have them too (German), and words that open
    a sentence can only be told from names where there is a list of common ones (English)."""

    mark_names: bool
    english: bool

    @classmethod
    def of(cls, text: str) -> Capitals:
        words = _WORD.findall(text)
        inside = re.findall(r"(?<=[a-zà-ÿ,] )[^\W\d_]{3,}", text)
        capitals = sum(word.istitle() for word in inside)
        articles = sum(word.lower() in _ENGLISH for word in words)
        return cls(capitals < NOUN_CAPITALS * (len(inside) or 1), articles >= ENGLISH_WORDS * (len(words) or 1))


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a draft is not believed: its kind (`figure`, `date`, `name`, `turns`, `words`), and in words."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class FaithfulnessCheck:
    """The turns of one session, ready to be asked whether they support a draft."""

    turns: dict[int, Evidence]
    order: tuple[int, ...]
    whole: Evidence
    weights: dict[str, float]
    dates: frozenset[str]
    habits: Capitals

    @classmethod
    def of(cls, session: Session) -> FaithfulnessCheck:
        turns = {turn.index: Evidence.of(_turn_text(turn)) for turn in session.turns}
        names = " ".join(filter(None, (session.project, session.cwd, session.title, session.source)))
        whole = Evidence.of(" ".join([*(_turn_text(turn) for turn in session.turns), names]))
        spread = Counter(stem for evidence in turns.values() for stem in evidence.stems)
        weights = {stem: math.log(1 + len(turns) / n) for stem, n in spread.items()}
        said = " ".join(turn.text for turn in session.turns)
        dates = {str(turn.at.date()) for turn in session.turns if turn.at}
        return cls(turns, tuple(turns), whole, weights, frozenset(dates.union(_DATE.findall(said))), Capitals.of(said))

    def objection(self, draft: Draft) -> Objection | None:
        """Why the cited turns do not support the draft, or None."""
        if not draft.turns:
            return Objection("turns", "cites no turn")
        if missing := [turn for turn in draft.turns if turn not in self.turns]:
            return Objection("turns", f"cites turn {missing[0]}, which the session does not have")
        text = f"{draft.title}.\n{draft.body}"
        near = self._near(draft.turns)
        for date in _DATE.findall(text):
            if date not in self.dates:
                return Objection("date", f"the date {date} is not in the session")
        written = parse_figures(_DATE.sub(" ", text), AROUND_NOTE)
        for figure, stems in written:
            if not self._holds_figure(figure, stems, near, {other for other, _ in written}):
                return Objection("figure", f"the figure {figure} is not in the turns")
        if mistaken := self._mistaken_number(text, near):
            return Objection("figure", f"{mistaken} is not in the turns, which have other numbers there")
        for name in parse_names(text, self.habits):
            if not self._knows(name):
                return Objection("name", f"the name {name} is not in the session")
        return self._objection_to_turns(draft, text, near)

    def _objection_to_turns(self, draft: Draft, text: str, near: frozenset[int]) -> Objection | None:
        stems = frozenset(parse_stems(text))
        unknown = math.log(1 + len(self.turns))
        total = sum(self.weights.get(stem, unknown) for stem in stems)
        overlap = self._overlap(stems, draft.turns) / total if total else 0.0
        if overlap < LEAST_OVERLAP:
            return Objection("words", f"the turns hold {overlap:.0%} of its words")
        if self._fit(stems, draft.turns) < LEAST_FIT:
            return Objection("turns", "other turns hold much more of it than those that it cites")
        code = [part for match in _CODE.finditer(text) for part in _parts(match[0])]
        letters = "".join(self.turns[turn].letters for turn in near)
        if code and sum(part in letters for part in code) < LEAST_CODE * len(code):
            return Objection("name", "most of its identifiers are not in the turns")
        return None

    def _fit(self, stems: frozenset[str], cited: Sequence[int]) -> float:
        """How well these turns, and not others, hold a note's words: the mean of the share of what as many turns hold
        at best, of the rare words' share, and of the share of turns that do not rank before them. 0..1; 0 where other
        turns hold far more."""
        best = self._overlap(stems, self._best(stems, len(cited)))
        of_best = self._overlap(stems, cited) / best if best else 1.0
        if of_best < LEAST_OF_BEST:
            return 0.0
        alone = {turn: self._overlap(stems, (turn,)) for turn in self.turns}
        before = sum(other > CLEARLY_MORE * alone[turn] for turn in cited for other in alone.values())
        ahead = before / len(cited) / max(FEW_TURNS, len(self.turns))
        return (of_best + self._rare_share(stems, cited) + 1 - ahead) / 3

    def _near(self, cited: Iterable[int]) -> frozenset[int]:
        places = [self.order.index(turn) for turn in cited]
        return frozenset(self.order[p] for place in places for p in range(max(0, place - NEIGHBOURS), place + 1))

    def _holds_figure(self, figure: str, stems: frozenset[str], near: frozenset[int], written: set[str]) -> bool:
        """Whether a turn has the figure among the words that stand around it in the note, and has no figure there
        that the note leaves out and that fits clearly better."""
        if len(figure) >= LONG_FIGURE and figure in self.whole.figures:
            return True
        fit = {f: max(len(stems & around) for around in places) for f, places in self._figures(near)}
        if figure not in fit or (stems and not fit[figure]):
            return False
        rival = max((n for f, n in fit.items() if f not in written), default=0)
        return rival < fit[figure] + RIVAL or fit[figure] >= CLOSE

    def _mistaken_number(self, text: str, near: frozenset[int]) -> str | None:
        """A setting or a numbered thing ("TTY=4", "session 3") that the turns have with other numbers only."""
        for key, value in _SETTING.findall(text):
            written, letters = _letters(key), self.whole.letters
            if f"{written}{value}" not in letters and re.search(rf"{re.escape(written)}\d", letters):
                return f"{key}={value}"
        for word, numbers in _parse_numbered(text).items():
            known = frozenset().union(*(self.turns[turn].numbered.get(word, ()) for turn in near))
            for number in sorted(numbers - known):
                if known and not (len(number) >= LONG_FIGURE and number in self.whole.figures):
                    return f"{word} {number}"
        return None

    def _figures(self, turns: Iterable[int]) -> Iterator[tuple[str, list[frozenset[str]]]]:
        merged: dict[str, list[frozenset[str]]] = {}
        for turn in turns:
            for figure, places in self.turns[turn].figures.items():
                merged.setdefault(figure, []).extend(places)
        yield from merged.items()

    def _knows(self, name: str) -> bool:
        return all(part in self.whole.letters or part[:STEM] in self.whole.stems for part in _parts(name))

    def _overlap(self, stems: frozenset[str], turns: Iterable[int]) -> float:
        held = stems.intersection(set().union(*(self.turns[turn].stems for turn in turns)))
        return sum(self.weights[stem] for stem in held)

    def _rare_share(self, stems: frozenset[str], turns: Iterable[int]) -> float:
        """Of the words that at most RARE turns of the session have, the share that these turns have."""
        least = math.log(1 + len(self.turns) / RARE)
        rare = [stem for stem in stems if self.weights.get(stem, 0.0) >= least]
        held = set().union(*(self.turns[turn].stems for turn in turns))
        return sum(stem in held for stem in rare) / len(rare) if len(rare) > 1 else 1.0

    def _best(self, stems: frozenset[str], count: int) -> list[int]:
        """The turns that hold most of the words, picked greedily."""
        chosen: list[int] = []
        left = stems
        for _ in range(min(count, len(self.turns))):
            best = max((t for t in self.turns if t not in chosen), key=lambda t: self._overlap(left, (t,)))
            chosen.append(best)
            left -= self.turns[best].stems
        return chosen


def parse_stems(text: str) -> list[str]:
    """The words of a text cut to their stems; camelCase and snake_case fall apart; CJK gives pairs of characters."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text)
    stems = [word.lower()[:STEM] for word in _WORD.findall(_CJK.sub(" ", plain)) if len(word) > 1]
    for run in _CJK.findall(text):
        stems.extend([a + b for a, b in pairwise(run)] or [run])
    return stems


def parse_figures(text: str, around: int, *, claimed: bool = True) -> list[tuple[str, frozenset[str]]]:
    """Figures, each with the stems of the words up to `around` places away from it.

    Thousands separators and leading zeros go; number words from three to twelve count as figures ("no one" says
    little). In a text that claims something, "all three" is not one, nor is "Three fixes were tried (...": they count
    what was said.
    """
    matches = list(_TOKEN.finditer(text))
    tokens = [match[0] for match in matches]
    stems = [parse_stems(token) for token in tokens]
    found: list[tuple[str, frozenset[str]]] = []
    for place, (match, token) in enumerate(zip(matches, tokens, strict=True)):
        counts_up = place > 0 and tokens[place - 1].lower() in ("all", "the", "these", "those")
        counts_on = token.istitle() and _COUNTS_ON.match(text, match.end()) is not None
        if (figure := _parse_figure(token)) and (token[0].isdigit() or not (claimed and (counts_up or counts_on))):
            beside = stems[max(0, place - around) : place] + stems[place + 1 : place + 1 + around]
            found.append((figure, frozenset(stem for group in beside for stem in group if _tells(stem))))
    return found


def _tells(stem: str) -> bool:
    """Whether a stem beside a figure says what it counts; two letters of an alphabet do not."""
    return len(stem) > 2 or _CJK.match(stem) is not None


def _parse_numbered(text: str) -> dict[str, frozenset[str]]:
    """The numbers that follow a word, by the word's stem; a word of measure ("about 3") names nothing."""
    found: dict[str, set[str]] = {}
    for word, number in _NUMBERED.findall(text):
        if not _MEASURE.fullmatch(word.lower()):
            found.setdefault(word.lower()[:STEM], set()).add(number.lstrip("0") or "0")
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _parse_figure(token: str) -> str | None:
    if token[0].isdigit():
        return token.replace(",", "").lstrip("0") or "0"
    number = _NUMBER_WORDS.get(token.lower())
    return number if number and int(number) > 2 else None


def parse_names(text: str, habits: Capitals) -> list[str]:
    """Identifiers, and words in capitals that are not there because they open a sentence."""
    names = [match[0] for match in _CODE.finditer(text)]
    if not habits.mark_names:
        return names
    for match in _NAME.finditer(text):
        word = match[0].lower()
        opens = _OPENING.search(text[max(0, match.start() - 5) : match.start()])
        noun = opens and (_INFLECTED.match(word) or text.startswith(_GOES_ON, match.end()))
        if not (noun or _is_common(word) or (opens and not habits.english)):
            names.append(match[0])
    return names


@cache
def _common_words() -> frozenset[str]:
    text = resources.files("seci.distillers").joinpath("words", "en.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _is_common(word: str) -> bool:
    """A word that is no name, or an inflection of one."""
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("n"))
    return word in _NUMBER_WORDS or not _common_words().isdisjoint(forms)


def _parts(name: str) -> list[str]:
    """What of an identifier must be found: its parts, without marks, placeholders and case."""
    plain = _PLACEHOLDER.sub(" ", name)
    return [letters for part in re.split(r"[\s./:]+", plain) if (letters := _letters(part))]


def _letters(text: str) -> str:
    return re.sub(r"[^\w]+|_", "", text.lower())


def _turn_text(turn: Turn) -> str:
    """Text, tool lines, speaker and date: a note may say when it was and who said it."""
    at = f"{turn.at.year} {turn.at.month} {turn.at.day} {_MONTHS[turn.at.month - 1]}" if turn.at else ""
    return " ".join(filter(None, (turn.text, *turn.tools, turn.speaker, at)))

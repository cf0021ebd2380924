"""What an answer states, sentence by sentence in its own words, for languages that seci quotes rather than retells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seci.distillers.language import Cues
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.passages import Unit, parse_sections
from seci.distillers.remarks import UNSPACED
from seci.distillers.salience import score_unit
from seci.distillers.sentences import Casing, count_words, finish_sentence, is_balanced, split_sentences
from seci.distillers.voice import NUMBERED, strip_openers

LEAST_WORDS = 4
MOST_WORDS = 50
SHORT_ITEM = 9  # words; items that are all shorter are told in one sentence
MOST_ITEMS = 6
PARTS = ("cause", "fix", "failure")  # what a heading or a label can make of the sentences under it


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer, with its points. `part` is what the label or heading above it calls it."""

    unit: Unit
    subject: str
    part: str
    score: float
    report: bool = False  # the assistant tells what it did

    @property
    def text(self) -> str:
        return self.unit.text

    @property
    def words(self) -> int:
        return self.unit.words

    def signals(self, name: str, cues: Cues) -> bool:
        """Whether the sentence, or what stands above it, carries the signal."""
        return self.part == name or cues.signal(name, self.text)


def read_statements(text: str, turn: int, late: bool, cues: Cues) -> list[Statement]:
    """The statements of one answer in order. `late` marks the last answer of an exchange, which has the last word."""
    if cues.name == "en":
        casing = Casing(cues.plain_words)
        return [
            Statement(unit, section.subject, _part(unit.role, cues), score_unit(unit, late, cues))
            for section in parse_sections(text, turn, cues, casing)
            for unit in section.units
        ]
    reader = _Reader(turn, late, cues)
    reader.read(parse_blocks(text))
    return reader.found


class _Reader:
    """Walks the blocks of an answer; a heading or a label tells what the sentences under it are."""

    def __init__(self, turn: int, late: bool, cues: Cues) -> None:
        self.found: list[Statement] = []
        self._turn = turn
        self._late = late
        self._cues = cues
        self._subject = ""
        self._part = ""
        self._noise = False
        self._intro = ""

    def read(self, blocks: Sequence[Block]) -> None:
        at = 0
        while at < len(blocks):
            end = at + 1
            block = blocks[at]
            if block.kind == "heading":
                self._heading(block.text)
            elif block.kind == "item":
                while end < len(blocks) and blocks[end].kind == "item":
                    end += 1
                if not self._noise:
                    self._items(blocks[at:end])
                self._intro = ""
            elif block.kind == "para" and not self._noise:
                self._paragraph(block, followed=end < len(blocks) and blocks[end].kind == "item")
            at = end

    def _heading(self, heading: str) -> None:
        text = NUMBERED.sub("", heading).strip(" .:：")
        self._noise = bool(self._cues.noise_heading.fullmatch(text))
        generic = bool(self._cues.generic_heading.fullmatch(text))
        self._part = _part(text, self._cues) if generic else ""
        self._subject = "" if generic or self._noise else text

    def _paragraph(self, block: Block, followed: bool) -> None:
        sentences = split_sentences(block.text)
        self._intro = ""
        if followed and sentences and sentences[-1][-1] in ":：":
            self._intro = sentences.pop()[:-1].strip()
        self._add(sentences, block.label, listed=False)

    def _items(self, items: Sequence[Block]) -> None:
        top = [item for item in items if item.level <= items[0].level + 1]
        texts = [f"{item.label}: {item.text}" if item.label and item.text else item.label or item.text for item in top]
        intro = strip_openers(self._intro, self._cues)
        told = [text.strip(" .;。；") for text in texts if text]
        if intro and self._is_told(intro) and 2 <= len(told) <= MOST_ITEMS and max(map(count_words, told)) < SHORT_ITEM:
            joint = "；" if self._cues.name in UNSPACED else "; "
            self._add([f"{intro}: {joint.join(told)}"], "", listed=True)
            return
        for item in top:
            self._add(split_sentences(item.text), item.label, listed=True)

    def _add(self, sentences: Sequence[str], label: str, listed: bool) -> None:
        label = NUMBERED.sub("", label).strip(" .:：")
        part = self._part
        if label and self._cues.noise_heading.fullmatch(label):
            return
        if label and self._cues.generic_heading.fullmatch(label):
            part, label = _part(label, self._cues) or part, ""
        previous = False
        for sentence in sentences:
            text = self._clean(sentence)
            report = bool(self._cues.reports.match(strip_openers(sentence, self._cues)))
            if text and label:
                text, label = finish_sentence(f"{label}: {text}"), ""
            leans = bool(text) and bool(self._cues.dangling.match(text) or self._cues.pointing.search(text))
            if text and (not leans or previous):
                unit = Unit(text, self._turn, leans, listed)
                score = score_unit(unit, self._late, self._cues) + (0.8 if part in ("cause", "fix") else 0.0)
                self.found.append(Statement(unit, self._subject, part, score, report))
            previous = bool(text) and (not leans or previous)

    def _clean(self, sentence: str) -> str:
        """The sentence without what ties it to the talk; empty when it narrates, promises, asks or is half a one."""
        text = strip_openers(sentence, self._cues)
        if (report := self._cues.reports.match(text)) and self._is_specific(text):
            text = self._cues.lead.get("retold", "") + text[report.end() :]
            if self._cues.session_only.search(text):
                return ""
        elif not self._is_told(text):
            return ""
        if not text or text[-1] in "?？:：…" or not is_balanced(text):
            return ""
        words = count_words(text)
        if not LEAST_WORDS <= words <= MOST_WORDS or not re.search(r"[^\W\d_]{2}", text):
            return ""
        return finish_sentence(text)

    def _is_specific(self, text: str) -> bool:
        """A report of what was done that names what was changed, or to what value."""
        return self._cues.signal("fix", text) and bool(re.search(r"`[^`]+`|\d", text))

    def _is_told(self, text: str) -> bool:
        bare = re.sub(r"`[^`]*`|\"[^\"]*\"|„[^“]*“|«[^»]*»|「[^」]*」", "x", text)
        return not (
            self._cues.narration.match(text) or self._cues.session_only.search(text) or self._cues.promise.search(bare)
        )


def _part(label: str, cues: Cues) -> str:
    """Which part of a problem a heading or label names; empty for none."""
    return next((part for part in PARTS if label and cues.signal(part, f"{label}: ")), "")


def read_commands(text: str, cues: Cues) -> Iterator[tuple[str, str]]:
    """(what is said of it, command) for each code block of one line that a sentence introduces."""
    said = ""
    for block in parse_blocks(text):
        if block.kind == "code":
            lines = [line.strip().removeprefix("$ ") for line in block.text.splitlines() if line.strip()]
            if len(lines) == 1 and len(lines[0]) <= 120 and _SHELL.match(lines[0]):
                yield said, lines[0]
            said = ""
        elif block.kind in ("para", "item"):
            sentences = split_sentences(block.text)
            said = strip_openers(sentences[-1], cues).rstrip(" :：.。") if sentences else ""


_SHELL = re.compile(r"^(?:[A-Z][A-Z0-9_]*=\S+ )*(?:\./)?[a-z][\w./-]* \S(?!.*[{};]$)")

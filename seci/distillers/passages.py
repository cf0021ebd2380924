"""What an assistant's turn says, as units: whole sentences and told lists under the heading they stand below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.distillers.language import Cues
from seci.distillers.lists import PATH, Item, needs_all, nest_items, pair_rows, render_list
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.options import is_open, option_name, taken_options
from seci.distillers.retractions import is_taken_back, takes_back
from seci.distillers.sentences import Casing, count_words, finish_sentence, split_sentences
from seci.distillers.subjects import lacks_subject, lend_subject
from seci.distillers.voice import LINE_LABEL, NUMBERED, clean_sentence, strip_openers

SECTION_ITEM_WORDS = 16  # a labelled item of at least this length is a section of its own


@dataclass(frozen=True, slots=True)
class Unit:
    """One whole sentence of a turn. `leans` marks one that is not understood without the unit before it."""

    text: str
    turn: int
    leans: bool = False
    listed: bool = False
    role: str = ""
    place: int = -1  # of the paragraph or list that it stands in; -1 where that is unknown
    shows: bool = False  # code stood below it, which it only introduces

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True)
class Section:
    """Units of one turn under one heading. `subject` is empty where no heading names one."""

    turn: int
    subject: str
    units: tuple[Unit, ...]
    label: bool = False  # the subject is the label of a list item, not a heading


def parse_sections(text: str, turn: int, cues: Cues, casing: Casing, *, settled: bool = False) -> list[Section]:
    """The sections of an assistant's turn that have any unit left after narration is dropped.

    Options that the turn does not recommend are left out, unless the choice is `settled` and it is known which was
    taken; so is what the turn itself takes back further down."""
    taken = None if settled else taken_options(text, cues)
    reader = _Reader(turn, cues, casing, taken)
    blocks = parse_blocks(text)
    start = 0
    for at, block in enumerate(blocks):
        if at > start and block.kind == "para" and takes_back(block.text, cues):
            reader.read(blocks[start:at])
            reader.take_back(block.text)
            start = at
    reader.read(blocks[start:])
    return reader.sections()


def parse_units(text: str, turn: int, cues: Cues, casing: Casing) -> list[Unit]:
    """The units of all sections of a turn, in order."""
    return [unit for section in parse_sections(text, turn, cues, casing) for unit in section.units]


def points_back(text: str, cues: Cues) -> bool:
    """Whether a sentence points at something that was said before it and is not in it."""
    if cues.pointing.search(text):
        return True
    pattern = cues.signals.get("demonstrative")
    match = pattern.search(text) if pattern else None
    return match is not None and len(text[: match.start()].split()) < NEAR


def shows_claim(sentence: str) -> bool:
    """Whether a sentence before a piece of code claims something about a named thing without it."""
    return sentence.endswith(":") and "`" in sentence and not _NEEDS_CODE.search(sentence)


# What ends in a verb or a preposition, points at the code or speaks of what the reader could do is nothing without it.
_NEEDS_CODE = re.compile(
    r"\b(?:shows?|says?|states?|reads?|looks?|has|is|are|was|were|be|do|does|adds?|returns?|becomes?|like|with|as|to|for|"
    r"follows|these|via|using|(?:adds?|returns?|uses?) the \w+):$"
    r"|^(?:always|never|users?|then) |\b(?:this|these|following|here(?:['’]s)?|below|you|we|I)\b",
    re.IGNORECASE,
)
NEAR = 9  # words before a "this": with more of them, what it stands for is mostly among them
_OFFERS = re.compile(
    r"\bI (?:can|could) (?:also )?(?:help|do|offer|add|make|write|show)\b|\bif you(?:'d)? like\b", re.IGNORECASE
)
_POINTING = re.compile(r"\b(?:it|this|that|these|those|here|they)\b", re.IGNORECASE)


_MARK = re.compile(r"\s*[-–—(\[]*\b(?:DONE|TODO|WIP|NEW|FIXED|COMPLETE)\b[)\]]*$")


# A file or a place in parentheses or after a dash at the end of a heading.
_HEADING_TAIL = re.compile(r"\s*(?:[-–—:]\s*|\()[`\w./\\-]*\.[A-Za-z]{1,5}`?\)?$|\s*\((?:lines?|new|file)\b[^()]*\)$")


class _Reader:
    """Walks the blocks of one turn and collects units under the heading they stand below."""

    def __init__(self, turn: int, cues: Cues, casing: Casing, taken: frozenset[str] | None) -> None:
        self._turn = turn
        self._place = 0
        self._taken = taken  # the options that hold; None where all may be told
        self._cues = cues
        self._casing = casing
        self._subjects: list[tuple[int, str]] = []
        self._role = ""
        self._found: list[tuple[str, list[Unit]]] = [("", [])]
        self._labels: set[int] = set()
        self._intro = ""
        self._listed = False
        self._offered = False  # whether the list that follows holds what the assistant could do next
        self._noise = False
        self._unsettled: int | None = None  # the level of a heading over what was not decided
        self._linked = False  # whether the block just before ended in a unit

    def sections(self) -> list[Section]:
        return [
            Section(self._turn, subject, tuple(units), at in self._labels)
            for at, (subject, units) in enumerate(self._found)
            if units
        ]

    def take_back(self, text: str) -> None:
        """Drops what was read so far about the same things as `text`, which takes it back."""
        for at, (subject, units) in enumerate(self._found):
            kept: list[Unit] = []
            dropped = False
            for unit in units:
                dropped = is_taken_back(unit.text, text, self._cues) or (dropped and unit.leans)
                if not dropped:
                    kept.append(unit)
            self._found[at] = (subject, kept)

    def read(self, blocks: Sequence[Block]) -> None:
        at = 0
        while at < len(blocks):
            block = blocks[at]
            self._place += 1
            if block.kind not in ("para", "item", "row"):
                self._linked = False
            if block.kind == "heading":
                self._heading(block)
            elif self._noise and not (block.kind == "para" and self._listed):
                self._listed = self._listed or block.kind in ("item", "row", "code")
            elif block.kind in ("item", "row"):
                end = at
                while end < len(blocks) and blocks[end].kind == block.kind:
                    end += 1
                run = blocks[at:end]
                self._list(list(nest_items(run, self._casing) if block.kind == "item" else pair_rows(run)))
                at = end
                continue
            elif block.kind == "para":
                nxt = blocks[at + 1] if at + 1 < len(blocks) else None
                self._paragraph(block, nxt.kind if nxt else "")
            at += 1

    def _heading(self, block: Block) -> None:
        text = strip_openers(NUMBERED.sub("", block.text), self._cues)
        text = _MARK.sub("", _HEADING_TAIL.sub("", text)).strip(" :.-–—")
        self._subjects = [(level, name) for level, name in self._subjects if level < block.level]
        self._offered = self._offered and block.level == 7  # a bold line is one of the things offered
        self._intro = ""
        self._listed = False
        self._noise = self._is_noise(block, text)
        if not text or self._noise or self._cues.generic_heading.fullmatch(text):
            self._role = text.lower()
        elif PATH.fullmatch(text):
            self._role = ""
        elif block.level == 7 and self._subjects:
            self._role = self._casing.lower_first(text)
        else:
            self._role = ""
            self._subjects.append((block.level, text))
        self._open(self._subjects[-1][1] if self._subjects else "")

    def _is_noise(self, block: Block, text: str) -> bool:
        """Whether nothing lasting stands under a heading: steps of the session, an option that was not taken, a mere
        supposition, or what is under one of these two."""
        if self._unsettled is not None and block.level > self._unsettled:
            return True
        unsettled = self._taken is not None and (self._is_untaken(block.text) or is_open(text))
        self._unsettled = block.level if unsettled else None
        return unsettled or bool(self._cues.noise_heading.fullmatch(text))

    def _is_untaken(self, label: str) -> bool:
        """Whether a heading or an item is an option that the turn does not recommend."""
        name = option_name(label)
        if self._taken is None or not name:
            return False
        return name not in self._taken and "recommended" not in label.lower()

    def _leave_bold_heading(self) -> None:
        """A bold line heads the list or paragraph below it; prose after that list is no longer under it."""
        if self._listed and (self._noise or self._role or (self._subjects and self._subjects[-1][0] == 7)):
            self._role = ""
            self._noise = False
            self._subjects = [(level, name) for level, name in self._subjects if level < 7]
            self._open(self._subjects[-1][1] if self._subjects else "")
        self._listed = False

    def _open(self, subject: str) -> None:
        if self._found[-1][0] != subject or not subject:
            self._found.append((subject, []))

    def _paragraph(self, block: Block, following: str) -> None:
        before_list = following in ("item", "row")
        self._intro = ""
        self._offered = False
        self._leave_bold_heading()
        role = self._role
        shown = -1
        sentences = split_sentences(block.text)
        label = NUMBERED.sub("", block.label)
        if LINE_LABEL.match(label):
            label = ""
        if label and self._cues.session_only.search(f"{label}:"):
            return
        if label and self._cues.noise_heading.fullmatch(label):
            return
        if label and self._cues.generic_heading.fullmatch(label):
            role, label = label.lower(), ""
        if not sentences:
            return
        self._offered = sentences[-1].endswith(":") and bool(_OFFERS.search(sentences[-1]))
        if before_list and sentences[-1].endswith(":"):
            self._intro = sentences.pop()[:-1].strip()
            if label and not sentences:
                self._intro = f"{label}: {self._intro}"
        elif before_list and label and not sentences:
            self._intro = label
        elif following == "code" and not label and shows_claim(sentences[-1]):
            sentences[-1] = f"{sentences[-1][:-1]}."
            shown = len(sentences) - 1
        self._add_sentences(sentences, role, label, shown)

    def _add_sentences(self, sentences: Sequence[str], role: str, label: str, shown: int = -1) -> None:
        units = self._found[-1][1]
        previous = False
        for position, sentence in enumerate(sentences):
            text = clean_sentence(sentence, self._cues, self._casing)
            if text and position == 0 and label:
                text = self._labelled(label, text)
            if text and self._cues.says("third_person_verbs", text):
                text = ""  # it has no subject
            if (
                text.startswith("The change ")
                and units
                and units[-1].text.startswith(("The change ", "It also "))
                and previous
            ):
                text = "It also " + text[len("The change ") :]
            if text:
                leans = bool(self._cues.dangling.match(text)) or points_back(text, self._cues)
                if lacks_subject(text) and not leans:
                    lent = lend_subject(text, self._found[-1][0])
                    text, leans = lent or text, not lent
                if leans and not (previous or (units and position == 0 and self._linked)):
                    previous = False
                    continue
                shows = position == shown
                units.append(Unit(text, self._turn, leans, role=role, place=self._place, shows=shows))
            previous = bool(text)
        self._linked = previous

    def _labelled(self, label: str, text: str) -> str:
        """The label as the subject of its sentence where the sentence has none, else before a colon."""
        if text.lower().startswith(label.lower()):
            return text
        if self._cues.says("third_person_verbs", label):
            return ""  # "Handles all cases: a cheap operation" has no subject
        text = re.sub(r"^The change (?=\w)", "", text)
        if self._cues.says("third_person_verbs", text):
            return finish_sentence(f"{label} {self._casing.lower_first(text)}")
        return finish_sentence(f"{label}: {self._casing.lower_first(text)}")

    def _list(self, items: list[Item]) -> None:
        intro, self._intro = self._intro, ""
        self._listed = True
        if self._offered or (self._taken is not None and is_open(intro)):
            return
        items = [item for item in items if not self._is_untaken(item.label or item.text)]
        items = [replace(item, label="") if LINE_LABEL.match(item.label) else item for item in items]
        items = [item for item in items if not self._cues.session_only.search(f"{item.label}:")]
        subject = self._found[-1][0]
        long = [item for item in items if item.label and count_words(item.text) >= SECTION_ITEM_WORDS]
        if long and len(long) >= len(items) / 2:
            for item in long:
                self._item_section(item)
            self._found.append((subject, []))
            return
        text = render_list(intro, self._role, subject, items, self._cues, self._casing)
        if text:
            lead = text.partition(": ")[0]
            if not intro and any(unit.listed and unit.text.startswith(f"{lead}: ") for unit in self._found[-1][1]):
                return  # a second list under one heading, whose lead was left unsaid
            leans = bool(self._cues.dangling.match(text) or (not intro and _POINTING.search(lead)))
            if lacks_subject(text) and not leans:
                lent = lend_subject(text, subject)
                text, leans = lent or text, not lent
            self._linked = not leans or bool(self._found[-1][1])
            if self._linked:
                listed = Unit(text, self._turn, leans, listed=True, role=self._role, place=self._place)
                self._found[-1][1].append(listed)
            return
        if needs_all(intro or self._role or subject):
            return
        for item in items:
            if count_words(item.text) >= 8:
                self._add_sentences(
                    split_sentences(item.text), self._role, "" if item.label.startswith("`") else item.label
                )

    def _item_section(self, item: Item) -> None:
        generic = self._cues.generic_heading.fullmatch(item.label)
        self._found.append(("" if generic else item.label, []))
        if not generic:
            self._labels.add(len(self._found) - 1)
        self._add_sentences(split_sentences(item.text), item.label.lower() if generic else self._role, "")

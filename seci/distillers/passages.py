"""What an assistant's turn says, as units: whole sentences and lists told as one sentence, without narration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seci.distillers.language import Cues
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.sentences import (
    Casing,
    capitalise,
    count_words,
    finish_sentence,
    is_balanced,
    split_sentences,
)

LIST_WORDS = 62  # a list told as one sentence is at most this long
SECTION_ITEM_WORDS = 16  # a labelled item of at least this length is a section of its own


@dataclass(frozen=True, slots=True)
class Unit:
    """One whole sentence of a turn. `leans` marks one that is not understood without the unit before it."""

    text: str
    turn: int
    leans: bool = False
    listed: bool = False
    role: str = ""

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True)
class Section:
    """Units of one turn under one heading. `subject` is empty where no heading names one."""

    turn: int
    subject: str
    units: tuple[Unit, ...]


def parse_sections(text: str, turn: int, cues: Cues, casing: Casing) -> list[Section]:
    """The sections of an assistant's turn that have any unit left after narration is dropped."""
    reader = _Reader(turn, cues, casing)
    reader.read(parse_blocks(text))
    return reader.sections()


def clean_sentence(sentence: str, cues: Cues, casing: Casing) -> str:
    """The sentence without discourse markers; empty when it narrates, offers, asks or only reports progress."""
    text = strip_openers(sentence, cues)
    label, colon, rest = text.partition(": ")
    if colon and len(label) < 40 and (cues.generic_heading.fullmatch(label) or _LINES.match(label)):
        text = strip_openers(rest, cues)
    if not text or text.endswith((":", "?", "…", "...")) or cues.narration.match(text):
        return ""
    text = _cut_narration(text, cues)
    if not text or cues.session_only.search(text) or cues.promise.search(_unquoted(text)) or not is_balanced(text):
        return ""
    if cues.subjectless.match(text) or cues.unfinished.match(text):
        return ""
    text = _third_person(text, casing)
    if not cues.finite.search(re.sub(r"`[^`]*`", "x", text)):
        return ""  # half a sentence
    if count_words(text) < 4 or not re.search(r"[^\W\d_]{2}", text):
        return ""
    return finish_sentence(text)


def _unquoted(text: str) -> str:
    return re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", "x", text)


def strip_openers(sentence: str, cues: Cues) -> str:
    """`sentence` without the markers that tie it to the talk before it ("You're right - ", "So ")."""
    text = _NUMBERED.sub("", sentence.strip().lstrip("-–—•*>:;,. "))
    for _ in range(6):
        match = cues.openers.match(text)
        if not match or match.end() == 0:
            break
        text = text[match.end() :].lstrip(" ,.!:;–—-")
    return text


def _cut_narration(text: str, cues: Cues) -> str:
    """Drops a trailing clause that narrates ("X is stored in Y - let me read it")."""
    for match in re.finditer(r"(?:\s[-–—]\s|;\s|,\s(?:so|and|but)\s|\.\.\.\s)", text):
        if cues.narration.match(strip_openers(text[match.end() :], cues)):
            return text[: match.start()]
    return text


_CHANGED = (
    r"(?:added|changed|updated|moved|removed|renamed|replaced|extracted|introduced|switched|implemented|made|set|"
    r"declared|captured|converted|dropped|fixed|deleted|created|populated|refactored|simplified|reverted|wired|"
    r"registered|exported|split|merged|kept|passed|included|excluded|wrapped|reduced|increased|limited|expanded|"
    r"adjusted|modified|rewrote|tightened|relaxed|normalized|consolidated|unified|bumped|enabled|disabled|"
    r"modernized|streamlined|cleaned|hardened|polished|tweaked|reworded|reorganized|standardized|optimized|verified|"
    r"committed|pushed|resolved|applied|addressed|documented|clarified|improved|corrected|ensured|restored|cleaned up|marked|used)"
)
_PAST_START = re.compile(rf"^{_CHANGED}\b(?! by| to (?:be|avoid))", re.IGNORECASE)
_I_DID = re.compile(
    rf"^(?:I(?:['’]ve| have)?|We(?:['’]ve| have)?) (?:now |also |just |already )*(?P<verb>{_CHANGED})\b"
)
_ADVICE = {
    "recommend": "recommended",
    "suggest": "suggested",
    "propose": "proposed",
    "prefer": "preferred",
    "advise": "advised",
}
_I_ADVISE = re.compile(
    r"^I(?:['’]d| would)? (?:strongly |still |also |generally )*(?P<verb>recommend|suggest|propose|prefer|advise)\b",
    re.IGNORECASE,
)
_I = re.compile(r"^I(?:['’](?:m|ve|d|ll))?\b(?![./])")
_YOURS = re.compile(
    r"\b(?:[Yy]our|[Oo]ur|[Mm]y) (?P<thing>(?:current |existing |own |new |old )?(?:repo(?:sitory)?|branch|project|codebase|code|machine|database|tests?|case|"
    r"changes?|PR|CI|build|app|application|file|files|config(?:uration)?|settings|working tree|server|team|setup))\b"
)
_YOUR = re.compile(r"\b[Yy]our(?= [\w`])")
_PATH = re.compile(r"`?[\w./-]+\.\w{1,5}`?(?: \([^()]*\))?(?::.*)?")
_DONE_ROLE = re.compile(r"(?:added|removed|kept|changed|fixed|updated|renamed|moved|deleted)")
_NOW = re.compile(r"^(?:Now|Currently|Right now),? (?!that\b)(?=[\w`])", re.IGNORECASE)


def _theirs(text: str) -> str:
    """What belongs to the user or to both, told by somebody else."""
    text = _YOURS.sub(lambda m: f"{'The' if m[0][0].isupper() else 'the'} {m['thing']}", text)
    if re.search(r"\b[Yy]ou\b", text):
        return text  # the reader is meant
    return _YOUR.sub(lambda m: f"{'The' if m[0][0].isupper() else 'the'} user's", text)


def _third_person(text: str, casing: Casing) -> str:
    text = _NOW.sub("", text)
    text = _theirs(text)
    if match := _I_DID.match(text):
        return f"The change {match['verb'].lower()}{text[match.end() :]}"
    if match := _I_ADVISE.match(text):
        return f"The assistant {_ADVICE[match['verb'].lower()]} {text[match.end() :].lstrip()}"
    if _I.match(text):
        return ""
    if _PAST_START.match(text) and not re.match(r"^\w+(?: \w+)? (?:is|are|was|were|has|have|can|will|must)\b", text):
        return f"The change {casing.lower_first(text)}".replace("The change changed ", "The change altered ")
    return text


_POINTING = re.compile(r"\b(?:it|this|that|these|those|here|they)\b", re.IGNORECASE)
_LINES = re.compile(r"^lines? \d", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.):]|#\d+[.:]?|step \d+[.:]?|phase \d+[.:]?)\s*", re.IGNORECASE)
_MARK = re.compile(r"\s*[-–—(\[]*\b(?:DONE|TODO|WIP|NEW|FIXED|COMPLETE)\b[)\]]*$")
# A file or a place in parentheses or after a dash at the end of a heading.
_HEADING_TAIL = re.compile(r"\s*(?:[-–—:]\s*|\()[`\w./\\-]*\.[A-Za-z]{1,5}`?\)?$|\s*\((?:lines?|new|file)\b[^()]*\)$")


class _Reader:
    """Walks the blocks of one turn and collects units under the heading they stand below."""

    def __init__(self, turn: int, cues: Cues, casing: Casing) -> None:
        self._turn = turn
        self._cues = cues
        self._casing = casing
        self._subjects: list[tuple[int, str]] = []
        self._role = ""
        self._found: list[tuple[str, list[Unit]]] = [("", [])]
        self._intro = ""
        self._listed = False
        self._noise = False

    def sections(self) -> list[Section]:
        return [Section(self._turn, subject, tuple(units)) for subject, units in self._found if units]

    def read(self, blocks: Sequence[Block]) -> None:
        at = 0
        while at < len(blocks):
            block = blocks[at]
            if block.kind == "heading":
                self._heading(block)
            elif self._noise and not (block.kind == "para" and self._listed):
                self._listed = self._listed or block.kind in ("item", "row", "code")
            elif block.kind in ("item", "row"):
                end = at
                while end < len(blocks) and blocks[end].kind == block.kind:
                    end += 1
                run = blocks[at:end]
                self._list(list(_items(run, self._casing) if block.kind == "item" else _rows(run)))
                at = end
                continue
            elif block.kind == "para":
                nxt = blocks[at + 1] if at + 1 < len(blocks) else None
                self._paragraph(block, nxt is not None and nxt.kind in ("item", "row"))
            at += 1

    def _heading(self, block: Block) -> None:
        text = strip_openers(_NUMBERED.sub("", block.text), self._cues)
        text = _MARK.sub("", _HEADING_TAIL.sub("", text)).strip(" :.-–—")
        self._subjects = [(level, name) for level, name in self._subjects if level < block.level]
        self._intro = ""
        self._listed = False
        self._noise = bool(self._cues.noise_heading.fullmatch(text))
        if not text or self._noise or self._cues.generic_heading.fullmatch(text):
            self._role = text.lower()
        elif _PATH.fullmatch(text):
            self._role = ""
        elif block.level == 7 and self._subjects:
            self._role = self._casing.lower_first(text)
        else:
            self._role = ""
            self._subjects.append((block.level, text))
        self._open(self._subjects[-1][1] if self._subjects else "")

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

    def _paragraph(self, block: Block, before_list: bool) -> None:
        self._intro = ""
        self._leave_bold_heading()
        role = self._role
        sentences = split_sentences(block.text)
        label = _NUMBERED.sub("", block.label)
        if _LINES.match(label):
            label = ""
        if label and self._cues.session_only.search(f"{label}:"):
            return
        if label and self._cues.noise_heading.fullmatch(label):
            return
        if label and self._cues.generic_heading.fullmatch(label):
            role, label = label.lower(), ""
        if not sentences:
            return
        if before_list and sentences[-1].endswith(":"):
            self._intro = sentences.pop()[:-1].strip()
            if label and not sentences:
                self._intro = f"{label}: {self._intro}"
        elif before_list and label and not sentences:
            self._intro = label
        self._add_sentences(sentences, role, label)

    def _add_sentences(self, sentences: Sequence[str], role: str, label: str) -> None:
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
                leans = bool(self._cues.dangling.match(text))
                if leans and not (previous or (units and position == 0)):
                    previous = False
                    continue
                units.append(Unit(text, self._turn, leans, role=role))
            previous = bool(text)

    def _labelled(self, label: str, text: str) -> str:
        """The label as the subject of its sentence where the sentence has none, else before a colon."""
        if text.lower().startswith(label.lower()):
            return text
        text = re.sub(r"^The change (?=\w)", "", text)
        if self._cues.says("third_person_verbs", text):
            return finish_sentence(f"{label} {self._casing.lower_first(text)}")
        return finish_sentence(f"{label}: {self._casing.lower_first(text)}")

    def _list(self, items: list[_Item]) -> None:
        intro, self._intro = self._intro, ""
        self._listed = True
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
            leans = bool(self._cues.dangling.match(text) or (not intro and _POINTING.search(lead)))
            if not leans or self._found[-1][1]:
                self._found[-1][1].append(Unit(text, self._turn, leans, listed=True, role=self._role))
            return
        for item in items:
            if count_words(item.text) >= 8:
                self._add_sentences(
                    split_sentences(item.text), self._role, "" if item.label.startswith("`") else item.label
                )

    def _item_section(self, item: _Item) -> None:
        generic = self._cues.generic_heading.fullmatch(item.label)
        self._found.append(("" if generic else item.label, []))
        self._add_sentences(split_sentences(item.text), item.label.lower() if generic else self._role, "")


@dataclass(frozen=True, slots=True)
class _Item:
    label: str
    text: str
    ordered: bool = False


def _items(blocks: Sequence[Block], casing: Casing) -> Iterator[_Item]:
    """Top-level items; nested ones are told after a colon."""
    base = min(block.level for block in blocks)
    held: _Item | None = None
    nested: list[str] = []
    for block in blocks:
        if block.level <= base + 1:
            if held:
                yield _with_nested(held, nested, casing)
            held, nested = _Item(block.label, block.text, block.ordered), []
        elif held:
            nested.append(f"{block.label}: {block.text}" if block.label else block.text)
    if held:
        yield _with_nested(held, nested, casing)


def _with_nested(item: _Item, nested: Sequence[str], casing: Casing) -> _Item:
    """Up to three nested items are told; of more only the parent stays, if it says something by itself."""
    if not nested:
        return item
    if len(nested) > 3:
        return replace(item, text="" if item.text.endswith(":") else item.text)
    told = ", ".join(casing.lower_first(text.rstrip(" .:;")) for text in nested)
    return replace(item, text=f"{item.text.rstrip(' .:')}: {told}" if item.text else told)


def _rows(blocks: Sequence[Block]) -> Iterator[_Item]:
    """Rows of a two-column table as labelled items; wider tables need their header and are not told."""
    header = next((i for i, block in enumerate(blocks) if block.level == 1), None)
    body = blocks[header + 1 :] if header is not None else blocks[1:]
    for block in body:
        if len(block.cells) == 2 and all(block.cells):
            yield _Item(block.cells[0], block.cells[1])


def render_list(intro: str, role: str, subject: str, items: Sequence[_Item], cues: Cues, casing: Casing) -> str:
    """A list as one sentence of at most LIST_WORDS words, all of its items told; empty when it cannot be."""
    if cues.noise_heading.fullmatch(strip_openers(intro, cues)):
        return ""
    told = [text for text in (_tell(item, cues, casing) for item in items) if text]
    if not 1 <= len(told) <= 8 or len(told) < len(items) - 1:
        return ""
    lead = _lead(intro, role, subject, cues, casing)
    if not intro and _DONE_ROLE.fullmatch(role):
        lead = f"The change {role}"
    if all(_PAST_START.match(text) for text in told):
        sentence = f"The change {_join([casing.lower_first(text) for text in told])}"
    elif lead:
        sentence = f"{lead}: {_join([casing.lower_first(text) for text in told])}"
    else:
        return ""
    if count_words(sentence) > LIST_WORDS or not is_balanced(sentence):
        return ""
    return finish_sentence(sentence)


def _lead(intro: str, role: str, subject: str, cues: Cues, casing: Casing) -> str:
    text = strip_openers(intro, cues)
    if text and (cues.narration.match(text) or cues.session_only.search(text) or cues.generic_heading.fullmatch(text)):
        text = ""
    if text:
        return "" if _PATH.fullmatch(text) else _third_person(text, casing)
    return subject if cues.empty_role.fullmatch(role) else capitalise(role) or subject


def is_report_heading(heading: str) -> bool:
    """A heading that tells what was done ("Created the helper")."""
    return bool(_PAST_START.match(heading))


def is_change(text: str) -> bool:
    """A sentence that tells what was done to the code or the files, and nothing else."""
    return text.startswith(("The change ", "It also ")) or bool(_FILE_CHANGE.match(text))


_FILE_CHANGE = re.compile(
    rf"^(?:`?[\w./-]+\.\w{{1,5}}`?(?: \([^()]*\))?\s*[:–—-]\s*(?:.{{0,80}}?\b)?{_CHANGED}\b"
    rf"|the (?:agent|script|command|files?|commit|branch|helper|test) (?:was |were |has been |have been )?{_CHANGED}\b)",
    re.IGNORECASE,
)


def _tell(item: _Item, cues: Cues, casing: Casing) -> str:
    text = _theirs(" ".join(split_sentences(item.text)[:2]).strip(" .;:"))
    if text and (cues.session_only.search(text) or text.endswith("?") or not is_balanced(text)):
        return ""
    if item.label and not item.label.startswith("`"):
        return (
            f"{item.label} ({casing.lower_first(text)})"
            if text and "(" not in text
            else f"{item.label}: {casing.lower_first(text)}"
            if text
            else item.label
        )
    if item.label and not _PAST_START.match(text):
        return f"{item.label} ({text})" if text and "(" not in text else item.label
    return text


def _join(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    mark = ";" if any("," in part or count_words(part) > 6 for part in parts) else ","
    return f"{mark} ".join(parts[:-1]) + f"{mark if mark == ';' or len(parts) > 2 else ''} and {parts[-1]}"

"""The deeds of an answer: its prose, its lists of what was changed, its headings that tell what was done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seci.distillers.deed_sentences import MARK, STATE, Teller
from seci.distillers.deeds import DONE, Deed, is_beside
from seci.distillers.grammar import tell_states, third_person_verb
from seci.distillers.language import Cues
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.passages import points_back
from seci.distillers.salience import NAMED
from seci.distillers.sentences import (
    Casing,
    capitalise,
    count_words,
    enumerate_parts,
    finish_sentence,
    split_sentences,
)
from seci.distillers.voice import CHANGED, NUMBERED, PAST_START, strip_openers, tell_theirs

MOST_WORDS = 40
LEAST_BARE = 7  # words of a report that names nothing
NESTED = 5  # items below one that are told with it
NESTED_WORDS = 9  # of each of them
SHOWN_WORDS = 26  # of a text on a screen that is told with what announces it

# A report without its object, or one that says only that everything is done.
_EMPTY = re.compile(
    r"The change \w+ed (?:to|as|for|by|in|on|from|with|out)\b"
    r"|The change (?:updated|fixed|improved|addressed|resolved|applied) "
    r"(?:all|both|it|the (?:code|files?|plan|branch|issue|problem|bug|errors?|warnings?))\b[^`]*$"
    r"|(?:all|both|the \w+) (?:\w+ )?(?:errors?|issues?|files?|locations?|tests?|comments?|findings?|changes?)\b"
    r"[^`]{0,20}\b(?:is|are|has|have)\b(?: now| been| all)* "
    r"(?:fixed|updated|resolved|addressed|done|completed?|passing)\b"
    r"|[^:]*\b(?:is|are) now [\w-]+(?: and [\w-]+)?[.!]$|[^`]*\b(?:it|them|these|those)\.$"
    r"|the (?:branch|code) now has no\b"
    r"|.*\bin (?:a|the|an) (?:previous|earlier|prior) \w+[.!]$"
    r"|[^`]*`[^`]*`[^`]*\bthe same (?:fix|change|way)\b",
    re.IGNORECASE,
)
_DONE_TO_IT = re.compile(rf"{DONE}\w+ (?:it|them|these|those|(?:this|that|both)(?! [\w`]))\b")
_FILE_TAIL = re.compile(
    r"\s*\((?:[`\w./\\-]*\.[A-Za-z]{1,5}`?(?:,? lines? [\d–-]+)?|already done|new|just \w+|\d+ \w+ \w+)\)"
)
# Headings over what is no report: how it was before, what else could be done.
_NO_REPORT = re.compile(
    r"\b(?:before|old|previous(?:ly)?|problem|cause|issue|why|options?|alternatives?|benefits?)\b", re.IGNORECASE
)
# An announcement that says nothing without what it announces.
_ANNOUNCES = re.compile(
    r"\b(?:shows?|with|like|following|sees?|see|is|are|this|that|to|by|here|below|includes?|covers?|ensures?|but|because|"
    r"summary|changes?|changed|fixed|did)$",
    re.IGNORECASE,
)
_OPEN_END = re.compile(r",? \b(?:by|to|with|for|in|as|including|from|so that|such as|via|through)(?: \w+ing)?$")
_OBJECT_IN_LABEL = re.compile(rf"^→? ?(?P<verb>{CHANGED}) (?=to\b)", re.IGNORECASE)
_A_NAME = re.compile(r"(?:the )?`[^`]+`(?: \w+)?")
_APPOSITION = re.compile(r"An? (?:[\w-]+ )+?(?:that|which|for|to) [^,.;:]{8,80}(?=[,.;]|$)")
_AND_DO = re.compile(r"\band (?P<do>[a-z]+) (?P<what>(?:them|it|the|all)\b)")
_CODE_MARK = re.compile(r"[`\"{};=<>|]|\w\(")
_DASH = re.compile(r"(?: [-–—] |: )(?=(?:[^`]*`[^`]*`)*[^`]*$)")  # outside of code


def read_deeds(text: str, turn: int, cues: Cues, casing: Casing) -> list[Deed]:
    """The reports in an answer in order, without those that say nothing or say it again."""
    found: list[Deed] = []
    for sentence in _Reader(cues, casing).read(parse_blocks(text)):
        if not sentence or count_words(sentence) > MOST_WORDS or _EMPTY.match(sentence):
            continue
        if _names_something(sentence) and all(sentence != deed.text for deed in found):
            leans = bool(cues.dangling.match(sentence) or _DONE_TO_IT.match(sentence)) or points_back(sentence, cues)
            found.append(Deed(sentence, turn, is_beside(sentence), leans))
    fix = next((at for at, deed in enumerate(found) if deed.proposed), 0)
    return [deed for at, deed in enumerate(found) if at >= fix or deed.is_change]  # before the fix it is the fault


def _names_something(sentence: str) -> bool:
    return bool(NAMED.search(sentence.removeprefix(DONE))) or count_words(sentence) >= LEAST_BARE


class _Reader:
    """Walks the blocks of an answer, knowing under which heading and which announcement each stands."""

    def __init__(self, cues: Cues, casing: Casing) -> None:
        self._cues = cues
        self._casing = casing
        self._teller = Teller(cues, casing)
        self._skipped = False  # whether what stands under the heading is no report
        self._listed = False  # whether a list stood under the heading
        self._since = False  # whether the list that follows tells how things are since
        self._lead = ""  # what the items of the list that follows go on with

    def read(self, blocks: Sequence[Block]) -> Iterator[str]:
        """The sentences; an empty one for what tells nothing."""
        at = 0
        while at < len(blocks):
            block, end = blocks[at], at + 1
            if block.kind == "heading":
                yield self._heading(block)
                self._listed = False
            elif block.kind == "para" and self._skipped and self._listed and not block.label:
                self._skipped = False  # prose after the list is no longer under its heading
                continue
            elif block.kind == "para" and not self._skipped:
                yield from self._paragraph(block, blocks[end] if end < len(blocks) else None)
            elif block.kind == "item":
                while end < len(blocks) and blocks[end].kind == "item":
                    end += 1
                if not self._skipped:
                    yield from self._items(blocks[at:end])
                self._since, self._lead, self._listed = False, "", True
            at = end

    def _heading(self, block: Block) -> str:
        text = strip_openers(NUMBERED.sub("", block.text), self._cues)
        self._announce(text)
        self._skipped = self._is_no_report(text)
        if not self._reports(text):
            return ""
        self._skipped = False
        return self._teller.tell(" ".join(map(self._casing.lower_first, _FILE_TAIL.sub("", text).split(" "))))

    def _reports(self, text: str) -> bool:
        return bool(PAST_START.match(text)) and not self._cues.generic_heading.fullmatch(text)

    def _is_no_report(self, text: str) -> bool:
        return bool(self._cues.noise_heading.fullmatch(text) or _NO_REPORT.search(text))

    def _announce(self, text: str) -> None:
        """What a heading or an announcement makes of the list below it."""
        text = text.rstrip(" :")
        self._since = bool(re.search(r"(?:^|\b(?:and|so|it|which) )now$", text, re.IGNORECASE))
        fix = re.fullmatch(r"(?:and )?(?P<what>the (?:fix|change|solution))", text, re.IGNORECASE)
        did = re.fullmatch(rf"(?:I(?:['’]ve| have)? )?(?:also )?(?P<verb>{CHANGED})", text, re.IGNORECASE)
        self._lead = capitalise(fix["what"]) if fix else f"{DONE}{did['verb'].lower()}" if did else ""

    def _paragraph(self, block: Block, following: Block | None) -> Iterator[str]:
        label = strip_openers(NUMBERED.sub("", block.label), self._cues)
        self._since, self._lead = False, ""
        if label and self._is_no_report(label):
            self._skipped = block.text.endswith(":")
            return
        if self._reports(label):
            yield self._teller.tell(_FILE_TAIL.sub("", label))
        for sentence in split_sentences(block.text):
            if sentence.endswith(":"):
                self._announce(strip_openers(sentence, self._cues))
                yield self._announced(sentence, following)
            else:
                yield self._teller.tell_prose(sentence)

    def _announced(self, sentence: str, following: Block | None) -> str:
        """An announcement of what was done: with the short text on the screen that it announces, else by itself."""
        plain = sentence.rstrip(" :")
        shown = " ".join(following.text.split()) if following is not None and following.kind == "code" else ""
        if shown and count_words(shown) <= SHOWN_WORDS and not _CODE_MARK.search(shown) and STATE.search(plain):
            told = self._teller.tell_prose(f"{plain} this.").removesuffix(" this.")
            return finish_sentence(f'{told}: "{shown.rstrip(".")}"') if told else ""
        if _ANNOUNCES.search(plain) or count_words(plain) < LEAST_BARE:
            return ""
        return self._teller.tell_prose(f"{plain}.")

    def _items(self, run: Sequence[Block]) -> Iterator[str]:
        base = min(block.level for block in run)
        tops = [at for at, block in enumerate(run) if block.level <= base + 1]
        if self._lead.startswith(DONE) and len(tops) == len(run) <= NESTED and not any(block.label for block in run):
            parts = [self._casing.lower_first(_DASH.split(block.text)[0].rstrip(" .;")) for block in run]
            if not any(map(PAST_START.match, parts)):
                yield self._teller.finish(f"{self._lead} {enumerate_parts(parts)}")
                return
        for at, nxt in zip(tops, [*tops[1:], len(run)], strict=True):
            yield from self._item(run[at], run[at + 1 : nxt])

    def _item(self, item: Block, nested: Sequence[Block]) -> Iterator[str]:
        label = strip_openers(NUMBERED.sub("", _FILE_TAIL.sub("", MARK.sub("", item.label))), self._cues)
        text = MARK.sub("", item.text)
        if label and self._is_no_report(label):
            return
        if PAST_START.match(label) and len(label.split()) > 1:
            found = [self._labelled(label, text)]
        elif self._lead.startswith("The ") and self._cues.says("third_person_verbs", label or text):
            result = f", which {text}" if label and self._cues.says("third_person_verbs", text) else ""
            found = [self._teller.finish(f"{self._lead} {self._casing.lower_first(label or text)}{result}")]
        elif label and (match := _OBJECT_IN_LABEL.match(text)):
            found = [self._teller.tell(f"{match['verb']} {label} {text[match.end() :]}")]
        elif nested and text.endswith(":"):
            found = [self._nested(text.rstrip(" :"), nested)]
        else:
            found = self._sentences(text)
        yield from found
        if not any(found):
            for block in nested:
                yield from self._item(block, ())

    def _labelled(self, label: str, text: str) -> str:
        """A label that reports something, with what the text adds to it."""
        what = label.partition(" ")[2]
        first = next(iter(split_sentences(text)), "")
        if _A_NAME.fullmatch(what) and (match := re.match(r"now (?=\w+s\b)", first, re.IGNORECASE)):
            return self._teller.finish(f"{what} now {first[match.end() :]}")
        if re.match(r"(?:to|in|from|for|with|so|by|instead|at) ", first):
            return self._teller.tell(f"{label} {first.rstrip(':')}")
        if match := _APPOSITION.match(first):
            return self._teller.tell(f"{label}, {match[0][0].lower()}{match[0][1:]}")
        return self._teller.tell(label)

    def _sentences(self, text: str) -> list[str]:
        sentences = split_sentences(text)
        told = [self._teller.tell_prose(sentence) for sentence in sentences]
        if self._since and sentences and not told[0]:
            told[0] = self._teller.tell_state(sentences[0])
        return told

    def _nested(self, lead: str, nested: Sequence[Block]) -> str:
        """An item that announces a few short ones, told with them; with more of them the item alone."""
        parts = [(block.label or _DASH.split(block.text)[0]).rstrip(" .;,") for block in nested]
        parts = [_AND_DO.sub(self._and_does, self._casing.lower_first(tell_theirs(part))) for part in parts]
        if len(parts) > 1 and (states := tell_states(f"{DONE}{self._casing.lower_first(lead)}", parts, self._cues)):
            return self._teller.finish(states)
        if len(parts) <= NESTED and max(map(count_words, parts)) <= NESTED_WORDS and not PAST_START.match(parts[0]):
            return self._teller.tell(
                f"{lead}{' ' if _OPEN_END.search(lead) else ': '}{enumerate_parts(parts, ', ', ' ')}"
            )
        told = self._teller.tell(_OPEN_END.sub("", lead))
        return told if _names_something(told) else ""

    def _and_does(self, match: re.Match[str]) -> str:
        """ "scan ... and remove them": the second verb of what something was changed to do."""
        wanted = f"{match['do']} {match['what']}"
        return f"and {''.join(third_person_verb(wanted))}" if self._cues.starts("imperative", wanted) else match[0]

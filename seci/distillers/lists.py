"""Lists and two-column tables told as one sentence, all of their items or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seci.distillers.grammar import tell_states
from seci.distillers.language import Cues
from seci.distillers.markdown import Block
from seci.distillers.sentences import (
    Casing,
    capitalise,
    count_words,
    enumerate_parts,
    finish_sentence,
    is_balanced,
    split_sentences,
)
from seci.distillers.voice import PAST_START, say_once, strip_openers, tell_theirs, third_person

MANY = 4  # items of a list that is still read with pleasure as one sentence, unless they are only names
LIST_WORDS = 62  # a list told as one sentence is at most this long


PATH = re.compile(r"`?[\w./-]+\.\w{1,5}`?(?: \([^()]*\))?(?::.*)?")


_DONE_ROLE = re.compile(r"(?:added|removed|kept|changed|fixed|updated|renamed|moved|deleted)")


@dataclass(frozen=True, slots=True)
class Item:
    label: str
    text: str
    ordered: bool = False


def nest_items(blocks: Sequence[Block], casing: Casing) -> Iterator[Item]:
    """Top-level items; nested ones are told after a colon."""
    base = min(block.level for block in blocks)
    held: Item | None = None
    nested: list[str] = []
    for block in blocks:
        if block.level <= base + 1:
            if held:
                yield _with_nested(held, nested, casing)
            held, nested = Item(block.label, block.text, block.ordered), []
        elif held:
            nested.append(f"{block.label}: {block.text}" if block.label else block.text)
    if held:
        yield _with_nested(held, nested, casing)


def _with_nested(item: Item, nested: Sequence[str], casing: Casing) -> Item:
    """Up to three nested items are told; of more only the parent stays, if it says something by itself."""
    if not nested:
        return item
    if len(nested) > 3:
        return replace(item, text="" if item.text.endswith(":") else item.text)
    told = ", ".join(casing.lower_first(split_sentences(text)[0].rstrip(" .:;")) for text in nested if text.strip())
    return replace(item, text=f"{item.text.rstrip(' .:')}: {told}" if item.text else told)


def pair_rows(blocks: Sequence[Block]) -> Iterator[Item]:
    """Rows of a two-column table as labelled items; wider tables need their header and are not told."""
    header = next((i for i, block in enumerate(blocks) if block.level == 1), None)
    body = blocks[header + 1 :] if header is not None else blocks[1:]
    for block in body:
        if len(block.cells) == 2 and all(block.cells):
            yield Item(block.cells[0], block.cells[1])


def render_list(intro: str, role: str, subject: str, items: Sequence[Item], cues: Cues, casing: Casing) -> str:
    """A list as one sentence of at most LIST_WORDS words, all of its items told; empty when it cannot be."""
    if cues.noise_heading.fullmatch(strip_openers(intro, cues)):
        return ""
    if _REASONS.search(intro.rstrip(" :")):
        items = [replace(item, text=_tell_of_user(item.text)) for item in items]
    told = [text for text in (_tell(item, cues, casing) for item in items) if text]
    chain = len(told) > 1 and all(text.startswith("→") for text in told)
    told = told if chain else [_JOINT.sub("", text) for text in told]
    if not 1 <= len(told) <= 8 or len(told) < len(items) - 1:
        return ""
    if len(told) < len(items) and (len(told) == 1 or needs_all(intro or role or subject)):
        return ""
    if len(told) > MANY and sum(map(count_words, told)) > 4 * len(told):
        return ""
    if sum(bool(_MODAL.match(text)) for text in told) > 1:
        return ""  # of what is it said that it "will fail"?
    lead = _lead(intro, role, subject, cues, casing)
    if not intro and _DONE_ROLE.fullmatch(role):
        lead = f"The change {role}"
    if _NO_SUBJECT.match(lead) or (not intro and cues.says("third_person_verbs", lead)):
        return ""
    if PAST_START.match(lead):
        lead = f"The change {casing.lower_first(lead)}"
    if all(PAST_START.match(text) for text in told):
        sentence = f"The change {_join([casing.lower_first(text) for text in told])}"
    elif len(told) > 1 and (states := tell_states(lead, [casing.lower_first(text) for text in told], cues)):
        sentence = states
    elif lead and chain:
        sentence = f"{lead} {' '.join(told)}"
    elif lead:
        word = "or" if _ONE_OF.search(lead) else "and"
        sentence = f"{lead}: {_join([casing.lower_first(text) for text in told], word)}"
    else:
        return ""
    if count_words(sentence) > LIST_WORDS or not is_balanced(sentence):
        return ""
    return finish_sentence(say_once(sentence))


# Roles that say what kind of things a list holds.
_TELLING_ROLE = re.compile(
    r"(?:pros|cons|limitations?|requirements?|benefits?|risks?|trade-?offs?|options?|causes?|root causes?)"
)
_NO_SUBJECT = re.compile(r"\w+ed (?:before|after|by|as|to|with|when|on|in|from|for)\b", re.IGNORECASE)


def _lead(intro: str, role: str, subject: str, cues: Cues, casing: Casing) -> str:
    text = strip_openers(intro, cues)
    if text and (cues.narration.match(text) or cues.session_only.search(text) or cues.generic_heading.fullmatch(text)):
        text = ""
    if text:
        return "" if PATH.fullmatch(text) else third_person(text, casing)
    if cues.empty_role.fullmatch(role) or (cues.generic_heading.fullmatch(role) and not _TELLING_ROLE.fullmatch(role)):
        return subject
    return capitalise(role) or subject


def _tell(item: Item, cues: Cues, casing: Casing) -> str:
    text = tell_theirs(" ".join(split_sentences(item.text)[:2]).strip(" .;:"))
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
    if item.label and not PAST_START.match(text):
        return f"{item.label} ({text})" if text and "(" not in text else item.label
    return text


_MODAL = re.compile(r"(?:will|would|won['’]t|may|might|could|must|should|can|cannot|can['’]t)\b", re.IGNORECASE)
_JOINT = re.compile(r"^(?:→|(?:and|but|or|then)\b,?)\s*")  # the list joins its items itself
_ONE_OF = re.compile(r"\b(?:either|one of|options?|alternatives?|any of)\b(?: \w+){0,3}$|\b(?:if|when)$", re.IGNORECASE)


def needs_all(intro: str) -> bool:
    """Whether a lead asks for all that follows it ("because", "the options are"): a part of it is another claim."""
    return bool(_ALL_OR_NONE.search(intro.rstrip(" :")))


def _tell_of_user(text: str) -> str:
    """What is said to the user as a reason ("You have no cache"), told of them."""
    return _YOU_HAVE.sub(lambda m: "the user has" if m["have"] else "the user is", text)


_REASONS = re.compile(r"\b(?:because|since|reasons?)$", re.IGNORECASE)
_YOU_HAVE = re.compile(r"^You(?:(?P<have>['’]ve| have)|['’]re| are)\b(?! (?:want|need)\b)")
_ALL_OR_NONE = re.compile(
    r"\b(?:because|since|if|when|unless|either|are|only|all|both|following|reasons?|options?|steps?)$", re.IGNORECASE
)


def _join(parts: Sequence[str], word: str = "and") -> str:
    mark = "; " if any("," in part or count_words(part) > 6 for part in parts) else ", "
    return enumerate_parts(parts, mark, mark if mark == "; " or len(parts) > 2 else " ", word)

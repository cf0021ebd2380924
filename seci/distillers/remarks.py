"""What a user says, sentence by sentence in their own words: orders that hold, decisions, wishes, plans, problems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seci.distillers.language import Cues
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.sentences import count_words, finish_sentence, is_balanced, split_sentences
from seci.distillers.voice import strip_openers

LEAST_WORDS = 3
LEAST_DECISION = 2  # words
MOST_WORDS = 60
REASON_WORDS = 32  # of the sentence after a rule or a decision that says why
AGREED_WORDS = 14  # of a turn that only agrees
LIMIT_WORDS = 5  # of a prohibition that says what it forbids
SHORT_WORDS = 5  # of an objection that names nothing
LONG_TURN = 4000  # characters; a longer one is a paste, of which only the beginning is talk
UNSPACED = ("zh", "ja")  # scripts that put no space between sentences
KEPT = ("standing", "limit", "decision", "preference", "plan", "fact", "correction")


@dataclass(frozen=True, slots=True)
class Remark:
    """`kind` is one of KEPT, or problem, request, question or statement. `gist` is what a title is made of."""

    text: str
    kind: str
    gist: str


def read_remarks(text: str, cues: Cues, *, conceded: bool = False, offered: str = "") -> list[Remark]:
    """The remarks of a user's turn; a reason or a bare rule said right after one that is kept is joined to it.

    `conceded`: the answer to it takes something back. `offered`: the answer before it, which it may agree to.
    """
    found: list[Remark] = []
    objecting = cues.says("corrections", text.strip()[:200]) or conceded
    for sentence in _sentences(text[:LONG_TURN], cues):
        plain = strip_openers(sentence, cues).strip(" ,;:-–—，、")
        words = count_words(plain)
        if not plain or words > MOST_WORDS or not is_balanced(plain) or _is_noise(plain, cues):
            continue
        last = found[-1] if found else None
        if last is not None and last.kind in KEPT and words <= REASON_WORDS and _belongs(plain, last, cues):
            space = "" if cues.name in UNSPACED else " "
            found[-1] = replace(last, text=f"{last.text}{space}{finish_sentence(plain)}")
            continue
        kind = _kind(plain, cues, objecting)
        if not found and kind in ("statement", "request", "limit", "fact") and _agrees(text, plain, offered, cues):
            kind = "decision"
        elif objecting and kind == "problem" and cues.signal("instead", plain):
            kind = "correction"
        if words < (LEAST_DECISION if kind == "decision" else LEAST_WORDS):
            continue
        if objecting and kind in ("request", "statement", "fact", "limit", "correction"):
            if any(one.kind == "correction" for one in found):
                kind = "statement"
            elif words < SHORT_WORDS and not cues.says("requires", plain) and not cues.says("corrections", plain):
                continue  # "not there!" says nothing without what follows
            else:
                kind = "correction"
        found.append(Remark(finish_sentence(plain), kind, plain))
    return found


def _sentences(text: str, cues: Cues) -> Iterator[str]:
    """The sentences of prose; a list under a rule ("from now on:") is one sentence with it."""
    blocks = parse_blocks(text)
    intro = ""
    for at, block in enumerate(blocks):
        if block.kind == "item" and intro:
            continue
        intro = ""
        if block.kind not in ("para", "item"):
            continue
        said = split_sentences(f"{block.label}: {block.text}" if block.label else block.text)
        items = _items_after(blocks, at) if block.kind == "para" else []
        if items and said and said[-1][-1] in ":：" and _kind(said[-1], cues) in KEPT:
            intro = said.pop()
            joint = "；" if cues.name in UNSPACED else "; "
            yield from said
            yield f"{intro} {joint.join(items)}"
            continue
        yield from said


def _items_after(blocks: Sequence[Block], at: int) -> list[str]:
    items = []
    for block in blocks[at + 1 :]:
        if block.kind != "item":
            break
        items.append((f"{block.label}: " if block.label else "") + block.text.strip(" .;。；"))
    return items


def _is_noise(text: str, cues: Cues) -> bool:
    """Thanks and greetings, pasted output, what only the moment is about."""
    if cues.says("chatter", text) or cues.says("pasted", text) or cues.whole("interrupted", text):
        return True
    bare = re.sub(r"`[^`]*`", "", text)
    letters = sum(char.isalpha() or char.isspace() for char in bare)
    return letters < 0.7 * len(bare) or bool(_CODE_LIKE.search(bare))


_CODE_LIKE = re.compile(r"[{};]\s*$|:=|=>|\(\);|&&|->|\|\||</|/>|^\s*(?:[$>]|at \w|File )|^\w*(?:Error|Exception):")


def _belongs(text: str, last: Remark, cues: Cues) -> bool:
    """Said to the remark before: its reason, or a bare rule beside a rule."""
    if text[-1] in "?？":
        return False
    if cues.starts("reasons", text) or (cues.signal("reason", text) and _kind(text, cues) not in KEPT):
        return True
    if last.kind == "decision" and "." not in last.text[:-1] and _kind(text, cues) in ("statement", "fact", "problem"):
        return True
    rules = last.kind in ("standing", "limit", "preference")
    return rules and (count_words(text) <= 6 and bool(cues.starts("bare_rules", text)))


def _kind(text: str, cues: Cues, objecting: bool = False) -> str:
    asks = text[-1:] in ("?", "？") or cues.starts("questions", text) is not None
    wants = _wants(text, cues)
    fails = cues.signal("failure", text) or _ERROR.search(text) is not None
    told = cues.starts("requests", text) or cues.starts("prohibitions", text) or cues.says("requires", text)
    if fails and not told:
        return "problem"
    if cues.says("standing_orders", text) and (not asks or wants):
        return "standing"
    bare = cues.starts("bare_rules", text) is not None
    if (
        not objecting
        and cues.says("standing", text)
        and (told or bare or (wants and not asks))
        and not (asks and not wants)
    ):
        return "standing"
    if asks and not wants:
        return "problem" if fails else "question"
    if cues.says("decisions", text):
        return "decision"
    if cues.says("preference", text):
        return "preference"
    if cues.says("plans", text):
        return "plan"
    if not objecting and not fails and count_words(text) >= LIMIT_WORDS and cues.says("limits", text):
        return "limit"
    if fails:
        return "problem"
    if cues.says("facts", text) and not wants:
        return "fact"
    if cues.starts("corrections", text):
        return "correction"
    return "request" if wants else "statement"


_ERROR = re.compile(r"[A-Z][A-Za-z]*(?:Error|Exception)(?![a-z])")


def _wants(text: str, cues: Cues) -> bool:
    """Whether it asks or orders, at its start or after the condition that it begins with."""
    head, comma, tail = text.partition("，" if "，" in text else ",")
    parts = [text, tail.strip()] if comma and cues.signal("condition", head) else [text]
    return any(cues.starts(name, part) for part in parts for name in ("requests", "imperative", "prohibitions"))


def _agrees(text: str, plain: str, offered: str, cues: Cues) -> bool:
    """Whether a short turn takes up what the answer before it proposed ("ok, Drizzle then"), naming it."""
    if not offered or not cues.signal("choice", offered) or count_words(plain) > AGREED_WORDS or plain[-1] in "?？":
        return False
    named = {word.lower() for word in _NAMES.findall(plain)} & {word.lower() for word in _NAMES.findall(offered)}
    return bool(named) and cues.starts("agrees", text.strip()) is not None


_NAMES = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ\d_.-]{3,}|[A-Z][A-Za-z\d]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")

"""What a user's turn says in more words than one sentence of a note: an announced list, a sentence without end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.distillers.language import Cues
from seci.distillers.markdown import Block, parse_blocks
from seci.distillers.salience import NAMED
from seci.distillers.sentences import count_words, enumerate_parts, split_sentences
from seci.distillers.told import Told

MOST_WORDS = 36  # of what is told
LEAST_WORDS = 8  # of what is told without what it announces
LEAST_CLAUSE = 12  # of the first clauses of a long sentence
MOST_ITEMS = 5
SPECIFIC = 2  # words that are not among the commonest, of a wish that says what it is about
SPECIFIC_ERRAND = 4  # the same of an errand

_OPEN_END = re.compile(
    r"(?:,? (?:that|which|to|for|with|like|such as|of|from|would|should|will|is|are|as follows|the following|i\.e\.|"
    r"and|namely|these))+$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r", (?=(?:is|are|if|when|but|so|and|then|which|because|since|i|we|it|there|that)\b)", re.IGNORECASE
)


def read_announced(text: str) -> Iterator[str]:
    """Sentences that tell_user has no sentence for: those that announce a list, with its items or without, and the
    first clauses of those that are too long."""
    blocks = parse_blocks(text)
    for at, block in enumerate(blocks):
        if block.kind != "para":
            continue
        for sentence in split_sentences(block.text):
            if sentence.endswith(":"):
                yield from _with_items(sentence.rstrip(" :"), blocks[at + 1 :])
            elif count_words(sentence) > MOST_WORDS and (clause := _first_clauses(sentence)):
                yield f"{clause}."


def _with_items(lead: str, following: list[Block]) -> Iterator[str]:
    items: list[str] = []
    for block in following:
        if block.kind != "item" or block.label:
            break
        items.append(block.text.rstrip(" .;,?"))
    if 2 <= len(items) <= MOST_ITEMS:
        whole = f"{lead} {enumerate_parts(items, ', ', ' ')}"
        if count_words(whole) <= MOST_WORDS:
            yield f"{whole}."
            return
    bare = _OPEN_END.sub("", lead)
    if count_words(bare) >= LEAST_WORDS:
        yield f"{bare}."


def _first_clauses(sentence: str) -> str:
    cuts = (sentence[: match.start()] for match in _CLAUSE.finditer(sentence))
    return next((cut for cut in cuts if LEAST_CLAUSE <= count_words(cut) <= MOST_WORDS), "")


def says_little(told: Told, cues: Cues) -> bool:
    """Whether a wish could stand over any session: it names nothing and has hardly a word that is not common. An
    errand, which is about what was there before, needs more of them."""
    if "; and " in told.text or _NAMES.search(told.gist) or (not told.errand and NAMED.search(told.gist)):
        return False
    said = told.gist.partition(" ")[2] if told.errand and told.kind == "request" else told.gist
    words = set(re.findall(r"[^\W\d_]{4,}", said.lower()))
    specific = [word for word in words if not _is_common(word, cues)]
    return len(specific) < (SPECIFIC_ERRAND if told.errand else SPECIFIC)


_NAMES = re.compile(r"`[^`]+`|\w*[a-z][A-Z]\w*|\w_\w|\w\(\)|[\w-]+/[\w-]+")


def _is_common(word: str, cues: Cues) -> bool:
    return any(
        form in cues.plain_words for form in (word, *(word.removesuffix(end) for end in ("s", "ed", "d", "ing")))
    )

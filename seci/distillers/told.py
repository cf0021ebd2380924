"""What a user said, told in the third person, and the sentences that it is told from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seci.distillers.markdown import parse_blocks
from seci.distillers.sentences import count_words, split_sentences

REPORT_WORDS = 24
PERSONAL = frozenset({"wish", "limit", "fact", "plan"})  # kinds that are about the speaker
POLITE = re.compile(
    r",? (?:please|pls|plz|thanks|what do you think|wdyt|does (?:that|this|it) make sense\b.*)$", re.IGNORECASE
)
TALK = re.compile(r"\b(?:I|I'm|I've|me|my|you|your|please|can we|could we|let's)\b", re.IGNORECASE)
_CODE_LIKE = re.compile(r"https?://|\w=(?:\s|$|\")|[⨯✗✘✖]|[{};]\s*$|:=|\+=|[{}]|=>|\(\);|&&|->|\|\||</|/>|\.\.\.\":")


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of a user told by somebody else. `kind`: request, wish, limit, question, statement, fact or plan."""

    text: str
    kind: str
    standing: bool = False
    correction: bool = False
    errand: bool = False
    gist: str = ""  # what a title can be made of: the wish itself


def read_prose(text: str) -> list[str]:
    """The sentences of the paragraphs and list items of a turn; code, quotes and tables are left out."""
    sentences: list[str] = []
    for block in parse_blocks(text[:20000]):
        if block.kind in ("para", "item"):
            label = f"{block.label}: " if block.label else ""
            sentences.extend(split_sentences(label + block.text))
    return sentences


def is_report(text: str) -> bool:
    """Whether a user's turn is written prose (a finding, a review comment, a description) rather than talk."""
    if re.match(r"\W*[a-z]+\b[ ,]", text):
        return False
    sentences = [s for s in read_prose(text) if count_words(s) >= 4]
    if sum(count_words(s) for s in sentences) < REPORT_WORDS:
        return False
    formal = [s for s in sentences if (s[0].isupper() or s[0] == "`") and s[-1] in ".:)" and not TALK.search(s)]
    return len(formal) >= 0.6 * len(sentences)


def is_noisy(text: str) -> bool:
    """Pasted output rather than speech: too few letters, or the look of a path or a log line."""
    if _CODE_LIKE.search(re.sub(r"`[^`]*`", "", text)):
        return True
    letters = sum(c.isalpha() or c.isspace() for c in text)
    return letters < 0.78 * len(text)


def plain_gist(text: str) -> str:
    """The words after "I think" and the like."""
    return re.sub(
        r"^(?:(?:maybe|perhaps) )?(?:I|we) (?:just |only |really )?(?:think|believe|feel|guess|"
        r"wonder if|want|would like|need) (?:that )?",
        "",
        text,
        flags=re.IGNORECASE,
    )

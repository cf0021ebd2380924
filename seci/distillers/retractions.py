"""What an answer takes back itself: the claims before "I made that up" or "Wait" about the same things."""

from __future__ import annotations

from seci.distillers.assembly import content_words, stems
from seci.distillers.language import Cues
from seci.distillers.sentences import split_sentences

SHARED = 2  # words that a claim shares with what takes it back
DOUBTED = 0.5  # of the words of a claim that is only thought over


def takes_back(text: str, cues: Cues) -> bool:
    """Whether a paragraph begins with taking back or thinking over what was said before it."""
    lead = " ".join(split_sentences(text)[:2])
    return cues.says("retracts", lead) or cues.starts("doubts", text) is not None


def is_taken_back(claim: str, text: str, cues: Cues) -> bool:
    """Whether the paragraph `text` takes back the claim before it."""
    mine, theirs = stems(content_words(claim)), stems(content_words(text))
    if cues.says("retracts", " ".join(split_sentences(text)[:2])):
        return len(mine & theirs) >= SHARED
    return bool(mine) and len(mine & theirs) >= max(SHARED, DOUBTED * len(mine))

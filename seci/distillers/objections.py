"""A user's objection or question that no template tells: their weightiest sentence, word for word."""

from __future__ import annotations

import re

from seci.distillers.language import Cues
from seci.distillers.sentences import count_words, finish_sentence, is_balanced
from seci.distillers.told import Told, is_noisy, plain_gist, read_prose
from seci.distillers.voice import strip_openers

QUOTE_WORDS = 34  # of two sentences quoted together
_POINTS_FIRST = re.compile(r"(?:\S+ ){0,2}(?:it|this|that|these|those|they|them)\b", re.IGNORECASE)


def quote_user(text: str, cues: Cues) -> Told | None:
    """The user's weightiest sentence word for word, for objections and questions that no template tells."""
    best, weight = "", 0.0
    sentences = read_prose(text)
    for at, sentence in enumerate(sentences):
        plain = strip_openers(sentence, cues).strip(" ,;:-–—")
        words = count_words(plain)
        if sentence.rstrip().endswith(":") or _POINTS_FIRST.match(plain):
            continue
        if not 6 <= words <= 32 or not is_balanced(plain) or is_noisy(plain) or '"' in plain:
            continue
        asked = cues.starts("requests", plain)
        if (
            cues.says("errands", plain[asked.end() :] if asked else plain)
            or cues.says("chatter", plain)
            or cues.says("pasted", plain)
        ):
            continue
        felt = cues.says("dislikes", plain) or cues.says("corrections", plain)
        if words + 40 * felt > weight:
            best, weight = plain, words + 40 * felt
        elif (
            best
            and best.endswith(".")
            and sentences[at - 1].endswith(best)
            and count_words(best) + words <= QUOTE_WORDS
        ):
            best += f" {plain}"
    if not best:
        return None
    asks = best.endswith("?") or bool(cues.starts("questions", best))
    objects = cues.says("corrections", text[:200]) or cues.says("dislikes", best)
    verb = "asked" if asks else "objected" if objects else "remarked"
    said = finish_sentence(best.rstrip(".?!") + ("?" if asks else "."))
    return Told(
        f'The user {verb}: "{said}"',
        "question" if asks else "statement",
        False,
        True,
        False,
        plain_gist(best.rstrip("?. ")),
    )

"""The head of a report: its main clause, for a story that has many of them to tell."""

from __future__ import annotations

import re
from dataclasses import replace

from seci.distillers.deed_sentences import QUOTED
from seci.distillers.deeds import DONE, Deed
from seci.distillers.sentences import count_words, finish_sentence, is_balanced

HEAD_WORDS = 11  # of a report that is short enough, beside "The change"
LEAST_HEAD = 3  # words left of one, beside "The change"
LEAST_STATE = 6  # words left of a sentence that tells how things are since

_PARENTHESES = re.compile(r"\s\((?!\))[^()]*(?:\([^()]*\)[^()]*)*\)")
# Where what follows only comments on what was said; the first that leaves enough, the mildest kind first.
_COMMENT = (
    re.compile(r"\s[-–—→]\s"),
    re.compile(r",? (?:because|since|so that|instead of|rather than|although|while|whereas)\b"),
    re.compile(r", (?:so|which|\w+ing|with|even|not|as|due|also|previously)\b"),
)
_LIST = re.compile(r"[:;]\s")
_PURPOSE = re.compile(r",? (?:to (?=[a-z])|by (?=\w+ing\b)|for (?=\w+ing\b)|that\b|when\b|where\b)(?!.*`)")
# Verbs that say nothing without what something was changed to.
_BARE = re.compile(rf"{DONE}(?:updated|modified|altered|changed|adjusted|improved|made|set|used|kept|ensured)\b")
_BAD_END = re.compile(
    r"\b(?:the|an?|of|to|in|on|at|for|with|by|and|or|is|are|was|were|now|not|no|from|as|into|if|when|be|been|only|"
    r"also|that|has|have|will|can|both|used|use|uses|checks?|ensures?|what|how|where|who|which|why)$",
    re.IGNORECASE,
)


def shorten_deed(deed: Deed) -> Deed:
    """The deed without what its main clause can spare; the deed itself where nothing shorter says it."""
    plain = _PARENTHESES.sub("", deed.text).rstrip(" .!")
    lead = count_words(DONE) if deed.is_change else 0
    best = plain
    patterns: tuple[re.Pattern[str], ...] = _COMMENT
    if deed.is_change:
        patterns += (_LIST,) if _BARE.match(plain) else (_LIST, _PURPOSE)
    for pattern in patterns:
        if count_words(best) <= HEAD_WORDS + lead:
            break
        best = _cut(best, pattern, lead + LEAST_HEAD if deed.is_change else LEAST_STATE)
    if not is_balanced(best) or count_words(best) >= deed.words:
        return deed
    return replace(deed, text=f"{best}." if best.endswith("`") else finish_sentence(best))


def _cut(text: str, pattern: re.Pattern[str], least: int) -> str:
    """The text up to the first place of the pattern outside of code that leaves a whole clause."""
    bare = QUOTED.sub(lambda match: match[0].replace(" ", "_").translate(_HIDDEN), text)
    cuts = [
        text[: match.start()]
        for match in pattern.finditer(bare)
        if count_words(text[: match.start()]) >= least
        and is_balanced(text[: match.start()])
        and not _BAD_END.search(text[: match.start()])
    ]
    return cuts[0] if cuts else text


_HIDDEN = str.maketrans(":;,-–—→", "_______")  # marks within code end nothing

"""What a context says already: whether a passage adds next to nothing to one that is there.

Found by the prefix filter of set similarity joins (Bayardo, Ma and Srikant, WWW 2007): a passage that shares nearly all
its words with another one shares one of its few rarest, so that most passages are compared with none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from sys import intern

NEAR_DUPLICATE = 0.85  # share of a passage's words that one before it has
_KEPT_TEXTS = 4_096  # each some kilobytes


class Said:
    """The passages that entered so far."""

    def __init__(self) -> None:
        self._words: list[frozenset[str]] = []
        self._ids: list[str] = []
        self._holders: dict[str, list[int]] = {}  # word -> the passages that have it, in order

    def add(self, id: str, words: frozenset[str]) -> None:
        for word in words:
            self._holders.setdefault(word, []).append(len(self._ids))
        self._words.append(words)
        self._ids.append(id)

    def twin(self, words: frozenset[str]) -> str | None:
        """The id of the first passage that says what these words say; a longer passage is no duplicate of a short one.
        Numbers must be there too: "port 8080" is not "port 8081"."""
        if not words:
            return None
        may_miss = int(len(words) * (1 - NEAR_DUPLICATE))
        rarest = sorted(len(self._holders.get(word, ())) for word in words)[: may_miss + 1]
        if rarest[-1] == 0:
            return None
        near: set[int] = set()
        for word in words:
            holders = self._holders.get(word, ())
            if 0 < len(holders) <= rarest[-1]:
                near.update(holders)
        return next((self._ids[i] for i in sorted(near) if _repeats(words, self._words[i])), None)


@lru_cache(_KEPT_TEXTS)
def passage_words(title: str, text: str) -> frozenset[str]:
    """The words that a passage is compared by."""
    return frozenset(map(intern, re.findall(r"\w+", f"{title} {text}".casefold())))


def _repeats(own: frozenset[str], seen: frozenset[str]) -> bool:
    if len(own & seen) / len(own) < NEAR_DUPLICATE:
        return False
    return not any(c.isdigit() for word in own - seen for c in word)

"""Which language a text is in: a wrapper of `py3langid`, loaded when a text is first asked about.

The model takes about 0.8 s and 100 MB, which no session in plain English should pay: `language.py` asks here only about
texts that are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

# Languages that are told apart. Those without cues keep an Italian session from being read as a Spanish one.
_CANDIDATES = (
    "en nl de fr es pt zh ja ko it ro pl cs sk hu sv da no fi et lt lv el tr ru uk bg sr ar he fa hi bn ta th vi id"
)
_LEAST_LETTERS = 8  # a letter of a script without spaces counts for three
_SURE = 0.5  # probability; a text that two languages share stays undecided
_REACH = 4000  # characters that are looked at
_CODE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\S*[/\\_={}<>|#@]\S*|\b\w+\.\w+\b|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b|"
    r"(?m:^\s*(?:[$>+-]|at |File ).*$)|\d+",
    re.DOTALL,
)
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def prose_of(texts: Sequence[str]) -> str:
    """The words of turns without code, paths, names in mixed case and pasted lines."""
    return " ".join(" ".join(_CODE.sub(" ", text[:_REACH]) for text in texts).split())[:_REACH]


def detect_language(prose: str) -> str | None:
    """The ISO 639-1 code of a text without code in it; None where it is too short or could be two languages."""
    letters = sum(map(str.isalpha, prose)) + 2 * len(_DENSE.findall(prose))
    if letters < _LEAST_LETTERS:
        return None
    language, share = _rank(prose)[0]
    return language if share >= _SURE else None


@cache
def _ranker() -> Callable[[str], Sequence[tuple[str, float]]]:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_CANDIDATES.split())
    ranker: Callable[[str], Sequence[tuple[str, float]]] = identifier.rank
    return ranker


def _rank(prose: str) -> list[tuple[str, float]]:
    return [(str(language), float(share)) for language, share in _ranker()(prose)]

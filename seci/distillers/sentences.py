"""Sentences: where they end, how long they are, and whether they stand on their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ABBREVIATION = re.compile(
    r"al|approx|bijv|bzw|ca|cf|d\.h|dept|dr|e\.g|etc|fig|i\.e|incl|mr|mrs|ms|no|nr|o\.a|p\.ex|resp|sr|sra|st|usw|vs|z\.b|"
    r"aprox|bspw|bv|d\.w\.z|ej|evtl|ggf|i\.p\.v|inkl|m\.b\.t|pág|t\.o\.v|u\.a|vgl|zzgl"
)
# An ordinal before what it counts ("am 15. Januar", "am 3. des Monats") ends nothing.
_MONTH = re.compile(
    r"Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Quartal|Woche|"
    r"(?:des|der|dem|und) "
)
_ENDERS = ".!?。！？"
_CLOSERS = "\"')]”’»*`」』）"
_DENSE_CLOSERS = "。！？.!?\"')]”’»」』）"  # no space follows, so a backtick opens the next sentence
_WORD = re.compile(r"`[^`]*`|[^\s]+")
_INLINE = re.compile(r"`[^`]*`")
_CODE_SPAN = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LOWER_WORD = re.compile(r"(?<![\w./-])[a-z][a-z'’]+(?![\w/])")
_INNER_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?![\w/])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def hide_code(text: str) -> str:
    """The text with each code span as one letter, which no pattern takes for words of the sentence."""
    return _INLINE.sub("x", text)


def split_sentences(text: str) -> list[str]:
    """Sentences of cleaned prose, in order, joined text unchanged apart from white space.

    Code spans and brackets are never split; abbreviations, numbers, file names and versions do not end a sentence.
    """
    found: list[str] = []
    start = 0
    depth = 0
    in_code = False
    size = len(text)
    i = 0
    while i < size:
        char = text[i]
        if char == "`":
            in_code = not in_code
        elif not in_code:
            if char in "([":
                depth += 1
            elif char in ")]":
                depth = max(0, depth - 1)
            elif char in _ENDERS and (depth == 0 or char in "。！？"):
                end = i + 1
                while end < size and text[end] in (_DENSE_CLOSERS if char in "。！？" else _ENDERS + _CLOSERS):
                    end += 1
                if _ends_sentence(text, i, end):
                    found.append(text[start:end].strip())
                    start = i = end
                    continue
        i += 1
    rest = text[start:].strip()
    if rest:
        found.append(rest)
    return [sentence for sentence in found if sentence]


def _ends_sentence(text: str, at: int, end: int) -> bool:
    if text[at] in "。！？":
        return True
    if end < len(text) and not text[end].isspace():
        return False
    following_text = text[end : end + 20].lstrip()
    following = following_text[:1]
    if following.islower() and text[end - 1] in _CLOSERS:
        return False
    if text[at] != ".":
        return True
    before = text[max(0, at - 12) : at].split()
    word = before[-1].lower().lstrip("(\"'") if before else ""
    if _ABBREVIATION.fullmatch(word) or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    if word.isdigit() and _MONTH.match(following_text):
        return False
    if word == "ex" and before[-2:-1] in (["p."], ["por"]):
        return False
    # "1." at the start of a sentence is a number of a list, not an end.
    return not (word.isdigit() and len(before) == 1 and at < 4)


def count_words(text: str) -> int:
    """White-space words with a code span as its own words; in scripts without spaces two characters count as one."""
    dense = len(_CJK.findall(text))
    spaced = len(_CJK.sub(" ", text).split())
    return spaced + (dense + 1) // 2


def is_balanced(text: str) -> bool:
    """No bracket, quote or code span that opens without closing: the sign of a sentence cut off."""
    plain = re.sub(r"`[^`]*`", "", text)
    if plain.count("`"):
        return False
    return plain.count("(") == plain.count(")") and plain.count("[") == plain.count("]") and plain.count('"') % 2 == 0


def capitalise(text: str) -> str:
    """First letter in upper case unless the text begins with code or with a name in mixed case."""
    if not text or not text[0].islower() or _CJK.search(text):
        return text
    first = _WORD.match(text)
    word = first[0] if first else ""
    if word.startswith("`") or re.search(r"[A-Z_./\d(]", word.rstrip(".,:;)")):
        return text
    return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Casing:
    """Which words of a session are names: those written with a capital more often than without."""

    lower: frozenset[str]

    @classmethod
    def of(cls, texts: Sequence[str], plain: frozenset[str] = frozenset()) -> Casing:
        """`plain` holds the commonest words of the language, which are never names."""
        lower: Counter[str] = Counter()
        upper: Counter[str] = Counter()
        for text in texts:
            prose = _CODE_SPAN.sub(" ", text)
            lower.update(_LOWER_WORD.findall(prose))
            upper.update(match.lower() for match in _INNER_CAPITAL.findall(prose))
        return cls(plain | {word for word, count in lower.items() if count >= upper[word]})

    def lower_first(self, text: str) -> str:
        """First letter in lower case unless the first word is a name, an acronym or code."""
        first = _WORD.match(text)
        word = (first[0] if first else "").rstrip(".,:;")
        if word == "A":
            return "a" + text[1:]
        if len(word) < 2 or not word[0].isupper() or not re.fullmatch(r"[^\W\d_]+(?:['’-][a-z]+)*", word):
            return text
        known = any(form in self.lower for form in _forms(word.lower()))
        return text[0].lower() + text[1:] if word[1:].islower() and known else text


def _forms(word: str) -> Iterator[str]:
    """The word and what is left without the commonest English endings, to find a verb in another form."""
    yield word
    for ending, stems in (
        ("ies", ("y",)),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ied", ("y",)),
        ("ed", ("", "e")),
        ("ing", ("", "e")),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            for stem in stems:
                yield word[: -len(ending)] + stem


def finish_sentence(text: str) -> str:
    """The sentence with a capital and one end mark."""
    text = capitalise(text.strip().rstrip(" ,;:–—-"))
    if not text:
        return ""
    if text.rstrip(_CLOSERS).endswith(tuple(_ENDERS + "…")):
        return text
    return f"{text}{'。' if _IDEOGRAPH.search(text) else '.'}"


def enumerate_parts(parts: Sequence[str], mark: str = "; ", last: str = "; ", word: str = "and") -> str:
    """Parts of a sentence as a list: "a; b; and c"; one part alone as it is. `last` stands before the word."""
    return f"{mark.join(parts[:-1])}{last}{word} {parts[-1]}" if len(parts) > 1 else parts[0]

"""The root of a word, for telling whether two words are forms of one. Light, and the same for three languages.

A full stemmer of each language would need the language to be known for every word, and notes mix them. Roots are only
compared with each other, so that a root need not be a word; an equal root is a reason to align two words, never the
only reason to merge two notes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache

from seci.core.lexicon import IRREGULAR, OPPOSITES, SYNONYMS, words

# Longest first; what remains must keep three letters and a vowel.
_SUFFIXES = sorted(
    words(
        """
        s es ed ing ings er ers or ors e en ies ied y ly ation ations ion ions ment ments ance ence ness ity ities ic
        ical al able ible ive ate ated ates ating ure ures ature atures ize izes ized izing ise ises ised ising est t te
        ten tet st et ung ungen lich liche lichen em ern n nd nde nden end ende ende der ige igen ig heid heden ing je
        tje d de
        """
    ),
    key=len,
    reverse=True,
)
_INFLECTED = frozenset({"te", "ten", "tet", "ion", "ions"})  # korte is a form of kort, not of kor; Notion none of not
_PARTED = re.compile(
    r"(auf|ab|an|aus|ein|vor|zuruck|weiter|um|nach|bei|mit|los|fest|op|af|aan|uit|bij|door|toe|terug|mee)"
    r"(?:zu|ge)(\w{3,}[nt])"
)
_VOWELS = frozenset("aeiouyäöü")


@cache
def root(word: str) -> str:
    """The root of a lower-case word: `deploy` for deploys, deployed and deployment."""
    word = word.replace("ß", "ss").replace("’", "'").removesuffix("'s").removesuffix("'")
    word = IRREGULAR.get(word, word)
    word = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    if parted := _PARTED.fullmatch(word):  # aufzubewahren, aufbewahrt; opgeslagen, opslaan
        return _strip(parted[1] + parted[2])
    if len(word) > 6 and word.startswith("ge") and word[-1] in "tn":  # a German or Dutch participle: ge-start-et
        return _strip(word[2:])
    return _strip(word)


def _strip(word: str) -> str:
    if word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is", "es")):
        word = word[:-1]  # first of all, so that what has an ending before it keeps one root: portal, portals
    for again in (False, True, True):  # buildings, building, build: what one pass leaves may end in a suffix again
        for suffix in _SUFFIXES:
            stem = word.removesuffix(suffix)
            if suffix == "s" and (again or word.endswith(("ss", "us", "is"))):
                continue
            least = 4 if again or suffix in _INFLECTED or (len(suffix) == 1 and suffix != "s") else 3
            if stem != word and len(stem) >= least and _VOWELS & set(stem):
                word = stem
                break
        else:
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":  # tagging, tagged: tagg
        word = word[:-1]
    if len(word) > 3 and word[-1] in "iye":
        word = word[:-1]
    return word


_SHORTEST_COMPOUND, _SHORTEST_PART = 8, 4  # letters
_LINKS = ("", "s", "n", "en", "es", "e")  # between the two parts of a compound


def compound_parts(word: str, roots: Collection[str]) -> tuple[str, str] | None:
    """The roots of the two words that a German or Dutch compound is made of, if both are among `roots`."""
    if len(word) < _SHORTEST_COMPOUND:
        return None
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        end = root(word[at:])
        if end not in roots:
            continue
        for link in _LINKS:
            start = root(word[:at].removesuffix(link))
            if start in roots and start != end:
                return start, end
    return None


def _by_root(table: list[list[str]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(table):
        for word in group:
            found.setdefault(root(word), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


_SYNONYM_GROUPS = _by_root(SYNONYMS)
_OPPOSITE_GROUPS = _by_root(OPPOSITES)
_SURELY = ("un", "non", "dis", "on")  # even before a short root: unsupported
_NONE: frozenset[int] = frozenset()
_NEGATING = ("un", "in", "im", "ir", "non", "dis", "a", "de", "on", "miss")


def synonym_groups(key: str) -> frozenset[int]:
    """The meanings of a root in the table of synonyms."""
    return _SYNONYM_GROUPS.get(key, _NONE)


def are_synonyms(a: str, b: str) -> bool:
    """Whether two roots share a meaning in the table of synonyms."""
    return not _SYNONYM_GROUPS.get(a, _NONE).isdisjoint(_SYNONYM_GROUPS.get(b, _NONE))


@cache
def are_opposites(a: str, b: str) -> bool:
    """Whether two roots are told apart on purpose: a pair of the table, or one is the other with a negating prefix."""
    if a == b:
        return False
    if not _OPPOSITE_GROUPS.get(a, _NONE).isdisjoint(_OPPOSITE_GROUPS.get(b, _NONE)):
        return True
    return denies(a, b) or denies(b, a)


def denies(root_word: str, other: str) -> bool:
    """Whether a root is the other with a negating prefix: inactivity, activity. A longer word may have lost more."""
    for prefix in _NEGATING:
        rest = root_word.removeprefix(prefix)
        if rest == root_word:
            continue
        if rest == other and len(rest) >= 3 and prefix in _SURELY:
            return True
        if len(rest) >= 3 and len(other) > 3 and other.startswith(rest):
            return len(other) - len(rest) <= 3
    return False

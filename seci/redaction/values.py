"""Whether the value that stands beside a sensitive name is the secret itself.

How much evidence the value must carry depends on how it stands there: a line of an `.env` file is believed unless it
is a placeholder, a word after "password is" hardly at all.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from itertools import pairwise

from seci.core.markers import REDACTED_PREFIX
from seci.redaction.placeholders import has_mixed_characters, is_code, is_figure, is_placeholder, is_reference


class Family(Enum):
    """People choose passwords, machines make keys."""

    PASSWORD = auto()
    KEY = auto()


class Setting(Enum):
    """Where the value stands, from the strongest evidence to the weakest."""

    ENVIRONMENT = auto()  # NAME=value at the start of a line, NAME in capitals, a command-line flag
    QUALIFIED = auto()  # a quoted string or a line's end after a name like `client_secret`, which no plain word has
    LITERAL = auto()  # a quoted string in code, JSON, YAML
    LOOSE = auto()  # unquoted after a colon, an equals sign or a phrase


_WORDS = re.compile(r"[A-Za-z]+(?:[ _\-./][A-Za-z]+)*[.!?,:;]?\Z")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+\d?\Z|(?:[A-Z][a-z]+){2,}\d?\Z")
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+\Z")
_ASSIGNMENT = re.compile(r"\w+=[^=]")
_NAMES_ITSELF = re.compile(r"[A-Za-z]+[A-Za-z_-]*(?:key|token|secret|password)\Z", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_]*\d?\Z")
# What is said about a password rather than what it is. Words that end like participles and adjectives are caught by
# their endings.
_REMARKS = """
    a about after again all already also always an and any are as at be been before being below blank both but
    by can changed clear correct default different either else even exactly expired first fine for from gone
    good great hard has have here how if in incorrect inside it its just kept left like long longer lost make
    may missing more must needed never next no none not now of off ok okay on one only open or otherwise our out
    over per plain please present public ready right safe same secure set shared short should shown simple so
    some something sent still such sure than that the their them then there these they this those through to too
    true under up used using valid very via visible was weak well were what when where whether which while who
    why will wise with within without wrong yes yet you your kept known unknown reset prompt protected correct
    manager managers field form hash hashes salt strong empty user users stdin stdout terminal keyring keychain
    vault file env environment variable config header cookie json yaml base64 bcrypt argon argon2 scrypt hidden
    validation reset policy rotation storage protection support flow update change changes login check checks
"""
_SAID_ABOUT = frozenset(_REMARKS.split())
_ENDINGS = ("ed", "ing", "able", "ible", "ly", "tion", "ment", "less", "ful", "ous", "ive", "ary", "ory", "ally")
_SENTENCE = """is are your must should enter the required invalid incorrect please not cannot a to of for
"""
_SENTENCE_WORDS = frozenset(_SENTENCE.split())
_QUOTED = (Setting.LITERAL, Setting.QUALIFIED)
_SHORTEST = {Family.PASSWORD: 3, Family.KEY: 6}


def is_stand_in(value: str) -> bool:
    """A cheap look at the first character: expressions, markup and lists are no values."""
    return value[0] in "<{([" or value.startswith(("${", "$(", REDACTED_PREFIX))


def is_secret(value: str, family: Family, setting: Setting) -> bool:
    """The judgement on one value, already stripped of quotes."""
    value = value.strip()
    if len(value) < _SHORTEST[family] or is_placeholder(value) or is_reference(value):
        return False
    if " " in value:
        return family is Family.PASSWORD and setting in _QUOTED and _is_passphrase(value)
    if setting is Setting.ENVIRONMENT:
        return _is_environment_value(value, family)
    if setting is Setting.QUALIFIED and _is_qualified_value(value):
        return True
    if setting in (Setting.LITERAL, Setting.QUALIFIED):
        return _is_literal(value, family)
    return _is_loose(value, family)


def _is_environment_value(value: str, family: Family) -> bool:
    if family is Family.KEY and ((value.isdigit() and len(value) < 16) or is_figure(value)):
        return False
    if not is_code(value):
        return True
    return "(" not in value and "[" not in value and (has_mixed_characters(value) or len(value) >= 24)


def _is_qualified_value(value: str) -> bool:
    """Words are believed when there are enough of them, `planted-client-value`, but not names in code."""
    if is_code(value) or is_figure(value) or _is_name(value):
        return False
    return len(value) >= 12 or (len(value) >= 8 and any(c.isdigit() for c in value))


def _is_literal(value: str, family: Family) -> bool:
    if family is Family.PASSWORD:
        if _CONSTANT.match(value):
            return False
        return len(value) >= 4 and not (value.isalpha() and (_CAMEL.match(value) or _is_said_about(value)))
    if len(value) < 8 or is_figure(value) or is_code(value) or _is_name(value):
        return False
    if any(c.isdigit() for c in value):
        return not _IDENTIFIER.match(value) or len(value) >= 16
    return not _WORDS.match(value) or (value.isalpha() and _is_scrambled(value))


def _is_name(value: str) -> bool:
    """A name in code, not a value: `userToken`, `API_TOKEN`, `dev_api_key`, `KEY=...`."""
    return any(pattern.match(value) for pattern in (_CAMEL, _CONSTANT, _NAMES_ITSELF, _ASSIGNMENT))


def _is_loose(value: str, family: Family) -> bool:
    if is_figure(value) or is_code(value) or (_IDENTIFIER.match(value) and "_" in value):
        return False
    if family is Family.PASSWORD:
        return len(value) >= 4 and has_mixed_characters(value)
    digits = sum(c.isdigit() for c in value)
    return len(value) >= 12 and any(c.isalpha() for c in value) and (digits >= 2 or _is_scrambled(value))


def is_bare_word_password(word: str) -> bool:
    """`swordfish`, `three-words-joined`: letters only, believed where the sentence or line ends with them."""
    parts = word.split("-")
    if len(parts) >= 3:
        said = len(_SAID_ABOUT.intersection(parts))
        return all(part.isalpha() for part in parts) and 2 * said < len(parts)
    return len(word) >= 5 and word.isalpha() and not is_placeholder(word) and not _is_said_about(word)


def _is_said_about(word: str) -> bool:
    low = word.lower()
    return low in _SAID_ABOUT or low.endswith(_ENDINGS)


def _is_passphrase(value: str) -> bool:
    words = value.lower().split()
    return (
        3 <= len(words) <= 24 and not _SENTENCE_WORDS.intersection(words) and not value.endswith((".", "?", "!", ":"))
    )


def _is_scrambled(value: str) -> bool:
    """Letters whose case changes as no word's does, twenty or more of them."""
    changes = sum(a.islower() != b.islower() for a, b in pairwise(value))
    return len(value) >= 20 and changes >= len(value) // 4

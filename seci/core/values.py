"""What a text counts and dates, in canonical form: equal values have equal keys however they are written.

Dates and times have modules of their own; here are amounts ("90 minutes" is "1.5 hours", "£18k" is "18,000 pounds",
"40 Cent" is "0,40 Euro"), and which form goes before which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from seci.core import quantities
from seci.core.clock import begins_time, parse_time
from seci.core.dates import parse_date
from seci.core.lexicon import NUMBERS, words
from seci.core.numerals import cardinal, ordinal, read_number
from seci.core.terms import Kind
from seci.core.tokens import Token
from seci.core.wordforms import AND, ORDINAL_AFTER, ORDINALS, TIMES

_CURRENCIES = frozenset(words("eur usd gbp chf"))  # in front of a number as well
_HOUR_PARTS = {"quarter": 900.0, "quarters": 900.0, "viertel": 900.0}  # seconds, before "of an hour", "Stunde"
_SECONDS = "s"


@dataclass(frozen=True, slots=True)
class Value:
    """`kind` is None for a number that says nothing: "the new one", "first create the key"."""

    kind: Kind | None
    key: str
    length: int  # tokens


def read_value(
    tokens: Sequence[Token], at: int, language: str, link: str, function: frozenset[str] = frozenset()
) -> Value | None:
    """The date, time or amount that begins at a token. `link` is the preposition in front, `function` the words of the
    language that carry no meaning."""
    token = tokens[at]
    if token.kind == "word" and not _begins_value(token.low):
        return None
    if token.kind in ("iso", "dmy", "number", "word", "time"):
        for kind, found in (
            (Kind.DATE, parse_date(tokens, at, language)),
            (Kind.TIME, parse_time(tokens, at, language, link)),
        ):
            if found is not None:
                return Value(kind, *found)
    if token.kind == "version":
        grouped = quantities.parse_number(token.text, language) if language != "en" else None  # 5.000.000
        number = grouped if grouped and grouped.isdigit() else token.low.removeprefix("v")
        return _read_amount(tokens, at, number, 1, language)
    if token.kind == "unit" or (token.kind == "word" and token.low in _CURRENCIES):
        return _read_price(tokens, at, language)
    if token.kind == "word" and (lasting := _read_lasting(tokens, at)):
        return lasting
    if token.low in ORDINALS:
        return _read_ordinal(tokens, at)
    if token.kind == "word" and (nth := ordinal(token.low)) is not None:
        return Value(Kind.NUMBER, str(nth), 1)
    read = read_number(tokens, at, language)
    if read is None:
        return None
    if token.low == "one" and _is_pronoun(tokens, at, function):
        return Value(None, "", 1)
    return _read_amount(tokens, at, *read, language)


@cache
def _begins_value(word: str) -> bool:
    """Whether a date, time or amount may begin with a word: most words can be spared a closer look."""
    named = word in NUMBERS or word in _CURRENCIES or word in quantities.LASTING or word in _HOUR_PARTS
    dated = quantities.month(word) is not None or word.startswith("q")
    return named or dated or begins_time(word) or cardinal(word) is not None or ordinal(word) is not None


def _read_price(tokens: Sequence[Token], at: int, language: str) -> Value | None:
    """ "€ 40", "EUR 5000", "£18k", "$5 million"."""
    unit = quantities.parse_unit(tokens[at].text)
    number = read_number(tokens, at + 1, language) if at + 1 < len(tokens) and tokens[at + 1].kind == "number" else None
    if unit is None or number is None:
        return None
    return Value(Kind.NUMBER, quantities.amount(number[0], unit), 1 + number[1])


def _read_lasting(tokens: Sequence[Token], at: int) -> Value | None:
    """A length of time that names no number: "a quarter of an hour", "een kwartier", "half an hour", "a fortnight"."""
    low = tokens[at].low
    after = [token.low for token in tokens[at + 1 : at + 5]]
    if low in quantities.LASTING:
        unit = quantities.parse_unit(low)
        return Value(Kind.NUMBER, quantities.amount("1", unit), 1) if unit else None
    if low in _HOUR_PARTS and (length := _of_hour(after)):
        return Value(Kind.NUMBER, f"{_SECONDS}:{quantities.plain(_HOUR_PARTS[low])}", 1 + length)
    return None


def _of_hour(after: Sequence[str]) -> int:
    """How many tokens "of an hour", "Stunde" takes; 0 where they do not follow."""
    if list(after[:3]) == ["of", "an", "hour"]:
        return 3
    return int(list(after[:1]) == ["stunde"])


def _read_ordinal(tokens: Sequence[Token], at: int) -> Value:
    """ "first" is told apart from "second" as its opposite: a word. At the start of a sentence it may say nothing."""
    low = tokens[at].low
    if low == "first" and (at == 0 or tokens[at - 1].low not in ORDINAL_AFTER):
        return Value(None, "", 1)
    return Value(Kind.WORD, low, 1)


def _is_pronoun(tokens: Sequence[Token], at: int, function: frozenset[str]) -> bool:
    """ "The new one", "one of them"."""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    return following is None or (following.text != "-" and (following.kind != "word" or following.low in function))


def _read_amount(tokens: Sequence[Token], at: int, number: str, taken: int, language: str) -> Value:
    """A number with the unit that follows it, if one does."""
    token = tokens[at]
    if token.kind == "number" and token.low.endswith(("st", "nd", "rd", "th")):
        return Value(Kind.NUMBER, number, taken)  # "the 1st day" is no day long
    end = at + taken
    following = [t.low for t in tokens[end : end + 6]]
    half = 0
    value = quantities.as_float(number)
    if following[:3] == ["and", "a", "half"] and value is not None:
        number, half, following = quantities.plain(value + 0.5), 3, following[3:]
    elif token.low in ("half", "halb") and following[:1] in (["a"], ["an"]):
        half, following = 1, following[1:]
    taken += half
    skip = int(following[:1] == ["-"])  # 30-day retention
    word = following[skip] if len(following) > skip else ""
    if word in TIMES and not skip:  # "two times" is "twice"
        return Value(Kind.NUMBER, number, taken + 1)
    if word in _HOUR_PARTS and (length := _of_hour(following[skip + 1 :])):
        return Value(Kind.NUMBER, quantities.amount(number, (_SECONDS, _HOUR_PARTS[word])), taken + skip + 1 + length)
    if word == "per" and following[skip + 1 : skip + 2] == ["cent"]:
        return Value(Kind.NUMBER, quantities.amount(number, ("percent", 1.0)), taken + 2)
    if token.text.endswith("%"):
        return Value(Kind.NUMBER, quantities.amount(number, ("percent", 1.0)), taken)
    unit = quantities.parse_unit(word)
    if unit is None:
        return Value(Kind.NUMBER, number, taken)
    taken += skip + 1
    if following[skip + 1 : skip + 4] == ["and", "a", "half"] and value is not None:  # one hour and a half
        number, taken = quantities.plain(value + 0.5), taken + 3
    amount = Value(Kind.NUMBER, quantities.amount(number, unit), taken)
    return _with_rest(tokens, at, amount, unit, language) if unit[0] == _SECONDS else amount


def _with_rest(tokens: Sequence[Token], at: int, amount: Value, unit: tuple[str, float], language: str) -> Value:
    """ "1 hour 50 minutes": a smaller unit right behind goes on with the larger one."""
    end = at + amount.length
    end += end < len(tokens) and tokens[end].low in AND
    more = read_number(tokens, end, language) if end < len(tokens) else None
    after = end + more[1] if more else end
    smaller = quantities.parse_unit(tokens[after].text) if more and after < len(tokens) else None
    if more is None or smaller is None or smaller[0] != unit[0] or smaller[1] >= unit[1]:
        return amount
    whole, part = quantities.as_float(amount.key.removeprefix(f"{_SECONDS}:")), quantities.as_float(more[0])
    if whole is None or part is None:
        return amount
    total = whole + part * smaller[1]
    return Value(Kind.NUMBER, f"{_SECONDS}:{quantities.plain(total)}", after + 1 - at)

"""One value has one key, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.core.clock import times_agree
from seci.core.lexicon import words
from seci.core.numerals import cardinal, ordinal
from seci.core.quantities import amounts_agree, dates_agree
from seci.core.terms import Kind
from seci.core.tokens import parse_tokens
from seci.core.values import Value, read_value

TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ZEHNER = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
EINER = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
TIENTALLEN = ("twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig")
EENHEDEN = ("een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen")


def first_value(text: str, language: str = "en") -> Value | None:
    """The first value of a text."""
    tokens = list(parse_tokens(text))
    found = (read_value(tokens, at, language, "") for at in range(len(tokens)))
    return next((value for value in found if value is not None and value.kind is not None), None)


@pytest.mark.parametrize(
    ("language", "key", "texts"),
    [
        ("en", "04:30?", ["half past four", "half past 4"]),
        ("en", "16:30", ["16:30", "4:30 pm", "4.30pm", "half past four in the afternoon"]),
        ("en", "09:00", ["9 am", "9 a.m. on Monday", "nine in the morning"]),
        ("en", "08:45?", ["quarter to nine", "a quarter to nine"]),
        ("en", "15:50", ["at ten to four pm", "3:50 pm"]),
        ("de", "16:30", ["16.30 Uhr", "16:30", "16 Uhr 30", "halb fünf nachmittags"]),
        ("de", "08:20?", ["zehn vor halb neun"]),
        ("de", "20:00", ["20 Uhr", "acht Uhr abends"]),
        ("nl", "08:20", ["8.20 uur", "tien voor half negen 's ochtends"]),
        ("nl", "04:15?", ["kwart over vier"]),
    ],
)
def test_times_of_day(language: str, key: str, texts: list[str]) -> None:
    assert {first_value(text, language) and first_value(text, language).key for text in texts} == {key}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("language", "key", "texts"),
    [
        ("en", "eur:5000", ["EUR 5000", "5,000 euros", "5k euros", "€5,000", "five thousand euros"]),
        ("en", "gbp:18000", ["£18k", "18,000 pounds", "18 thousand pounds"]),
        ("en", "usd:5000000", ["$5 million", "5,000,000 dollars"]),
        ("en", "s:900", ["a quarter of an hour", "15 minutes", "fifteen minutes"]),
        ("en", "s:9000", ["two and a half hours", "150 minutes", "2.5 hours", "2 hours 30 minutes"]),
        ("en", "s:2592000", ["thirty days", "30-day", "30 days"]),
        ("en", "percent:5", ["5%", "5 percent", "five per cent"]),
        ("de", "s:900", ["eine Viertelstunde", "15 Minuten", "fünfzehn Minuten"]),
        ("de", "s:5400", ["anderthalb Stunden", "90 Minuten", "1,5 Stunden"]),
        ("de", "eur:5000000", ["5 Mio. Euro", "5.000.000 Euro"]),
        ("nl", "s:900", ["een kwartier", "15 minuten"]),
        ("nl", "s:2700", ["drie kwartier", "45 minuten", "driekwartier"]),
    ],
)
def test_amounts(language: str, key: str, texts: list[str]) -> None:
    found = [first_value(text, language) for text in texts]
    assert [(value.kind, value.key) for value in found if value] == [(Kind.NUMBER, key)] * len(texts)


@pytest.mark.parametrize(
    ("language", "key", "texts"),
    [
        ("en", "2025-12-03", ["3 December 2025", "December 3, 2025", "2025-12-03", "the third of December 2025"]),
        ("en", "2025-q3-*", ["Q3 2025", "the third quarter of 2025"]),
        ("en", "*-*-21", ["on the 21st", "until the 21st, when it ends"]),
        ("de", "*-03-21", ["am 21.3. war es", "am 21. März", "am einundzwanzigsten März"]),
        ("nl", "2025-12-03", ["3-12-2025", "3 december 2025"]),
        ("nl", "2025-q3-*", ["derde kwartaal van 2025", "Q3 2025"]),
    ],
)
def test_dates(language: str, key: str, texts: list[str]) -> None:
    found = [first_value(text, language) for text in texts]
    assert [(value.kind, value.key) for value in found if value] == [(Kind.DATE, key)] * len(texts)


@pytest.mark.parametrize(
    ("language", "text", "key"),
    [
        ("en", "the 3rd attempt", "3"),  # no day
        ("en", "from ten to four", "10"),  # no time
        ("en", "version 3.10", "3.10"),
        ("en", "two three", "2"),
        ("nl", "sinds maart 12 euro", "*-03-*"),  # no day either
        ("de", "das half 3 Leuten", "3"),  # a verb
    ],
)
def test_what_only_looks_like_another_value(language: str, text: str, key: str) -> None:
    value = first_value(text, language)
    assert value is not None
    assert value.key == key


@given(st.integers(21, 99).filter(lambda n: n % 10 != 0))
def test_spelled_numbers_of_three_languages(number: int) -> None:
    tens, unit = number // 10 - 2, number % 10 - 1
    assert (value := first_value(f"{TENS[tens]}-{UNITS[unit]} files")) is not None
    assert value.key == str(number)
    assert cardinal(f"{EINER[unit]}und{ZEHNER[tens]}") == number
    joint = "ën" if EENHEDEN[unit] in ("twee", "drie") else "en"
    assert cardinal(f"{EENHEDEN[unit]}{joint}{TIENTALLEN[tens]}") == number
    assert ordinal(f"{EINER[unit]}und{ZEHNER[tens]}sten") == number


@given(st.integers(13, 23), st.integers(0, 59))
def test_a_time_after_noon_is_that_of_the_twelve_hour_clock(hour: int, minute: int) -> None:
    assert first_value(f"{hour}:{minute:02d}") == Value(Kind.TIME, f"{hour:02d}:{minute:02d}", 1)
    spoken = first_value(f"{hour - 12}:{minute:02d} pm")
    assert spoken is not None
    assert spoken.key == f"{hour:02d}:{minute:02d}"


PIECES = words(
    """
    1.2.3 v2 5 5k 1,200 3.10 -5 1'000 10-15 2.5 and a half hours hour of an quarter past four to pm a.m. uhr um halb
    viertel kwart voor kwartier € £ EUR million Mio. thousand hundred twenty - five first 21st the April 2025 Q3
    30/05/2025 99/99/2025 32.13.2025 45:99 1:50 16:30 % per cent no . ( < >=3 noon 's ochtends vom 4.8. bis zum
    """
)


@given(st.lists(st.sampled_from([*PIECES, "9" * 400]), min_size=1, max_size=8), st.sampled_from(("en", "de", "nl")))
def test_any_text_is_read_and_every_value_takes_tokens_of_it(pieces: list[str], language: str) -> None:
    tokens = list(parse_tokens(" ".join(pieces)))
    for at in range(len(tokens)):
        value = read_value(tokens, at, language, "")
        assert value is None or 0 < value.length <= len(tokens) - at


KEYS = st.builds(
    lambda hour, minute, sure: f"{hour:02d}:{minute:02d}{'' if sure else '?'}",
    st.integers(0, 11),
    st.sampled_from((0, 30)),
    st.booleans(),
)


@given(KEYS, KEYS)
def test_times_agree_alike_from_both_sides_and_never_at_another_minute(a: str, b: str) -> None:
    assert times_agree(a, b) == times_agree(b, a)
    assert times_agree(a, a)
    if a[2:5] != b[2:5]:
        assert not times_agree(a, b)


def test_only_an_open_half_of_the_day_agrees_with_both() -> None:
    assert times_agree("04:30?", "16:30")
    assert times_agree("04:30?", "04:30")
    assert not times_agree("04:30", "16:30")


@given(st.integers(1, 10_000))
def test_cents_agree_with_the_same_amount_and_no_other(cents: int) -> None:
    assert amounts_agree(f"cent:{cents}", f"eur:{cents / 100}")
    assert not amounts_agree(f"cent:{cents}", f"eur:{(cents + 1) / 100}")
    assert not amounts_agree(f"eur:{cents}", f"usd:{cents}")


def test_a_day_agrees_with_a_date_that_says_more_of_it() -> None:
    assert dates_agree("*-*-21", "2026-09-21")
    assert not dates_agree("*-*-21", "2026-09-22")
    assert not dates_agree("*-09-*", "2026-09-21")

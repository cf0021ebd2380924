"""What numbers mean beside each other: units that one of two leaves out, and ordinals that only count up."""

from __future__ import annotations

from dataclasses import replace
from sys import intern

from seci.core import quantities
from seci.core.terms import Kind, Term
from seci.core.wordforms import ORDINALS, TOWARD_VALUE

RANGE_REACH = 4  # tokens between the two ends of a range
BESIDE = 3  # tokens between a weekday and the date that it belongs to


def share_units(terms: list[Term]) -> list[Term]:
    """ "From 20 seconds to 3", "von 24 auf 8 Stunden": the unit that one of two numbers leaves out is that of the
    other."""
    for i in range(len(terms) - 1):
        first, second = terms[i], terms[i + 1]
        if {first.kind, second.kind} != {Kind.NUMBER} or not _one_range(first, second):
            continue
        if ":" in first.key and ":" not in second.key:
            terms[i + 1] = _measured(second, like=first)
        elif ":" in second.key and ":" not in first.key:
            terms[i] = _measured(first, like=second)
    return terms


def _one_range(first: Term, second: Term) -> bool:
    """ "From 20 to 30 seconds", "10-15 minutes"."""
    apart = second.at - first.at
    return apart <= RANGE_REACH and (second.link in TOWARD_VALUE or apart == 2)


def _measured(number: Term, like: Term) -> Term:
    unit = quantities.parse_unit(like.surface.rpartition(" ")[2])
    return number if unit is None else replace(number, key=intern(quantities.amount(number.key, unit)))


def without_counting(terms: list[Term]) -> list[Term]:
    """Leaves out "the first ..., the second ...": where one counts up, the numbers only number."""
    counting = {term.key for term in terms if term.surface.lower() in ORDINALS}
    if len(counting) < 2:
        return terms
    return [term for term in terms if term.surface.lower() not in ORDINALS]


def without_weekdays_of_dates(terms: list[Term]) -> list[Term]:
    """ "On Monday, 3 March", "on 3 March, a Monday": the date tells the weekday as well."""
    days = [term.at for term in terms if term.kind is Kind.DATE and not term.key.endswith("*")]
    if not days:
        return terms
    return [t for t in terms if t.kind is not Kind.WEEKDAY or not any(_beside(t, day) for day in days)]


def _beside(weekday: Term, date: int) -> bool:
    """Whether a weekday is that of the date at a place. "Mondays" are many."""
    return not weekday.surface.endswith("s") and -BESIDE <= weekday.at - date <= BESIDE + 1

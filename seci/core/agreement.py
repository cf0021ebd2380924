"""Which terms of two wordings are the same, and which hard facts differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from seci.core.clock import NOON, NOON_WORDS, is_hour_of, is_length_of, times_agree
from seci.core.lexicon import NUMBERS
from seci.core.note import normalise_title
from seci.core.phrases import Mark
from seci.core.quantities import amounts_agree, dates_agree
from seci.core.roots import are_opposites, are_synonyms, compound_parts, denies, root, synonym_groups
from seci.core.terms import Kind, Term, Wording, term_weight
from seci.core.wordforms import ORDINALS


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two wordings side by side. `left` and `right` are the terms of each that the other lacks."""

    pairs: tuple[tuple[Term, Term], ...]
    left: tuple[Term, ...]
    right: tuple[Term, ...]
    coverage_left: float  # share of the first wording's weight that the second has, 0..1
    coverage_right: float

    @property
    def shared(self) -> float:
        """Weight of what both say, without what says little. A title that both have names the subject in full."""
        return sum(
            term_weight(replace(a, title=False) if a.title and b.title else a)
            for a, b in self.pairs
            if a.kind > Kind.LIGHT
        )


def align(a: Wording, b: Wording) -> Agreement:
    """Pairs each term with one of equal meaning: the same key, else a synonym, a compound or an acronym."""
    ours, theirs = a.distinct, b.distinct
    pairs = [(term, theirs[key]) for key, term in ours.items() if key in theirs and not _other_name(term, theirs[key])]
    paired = {term.key for term, _ in pairs}
    left = [term for key, term in ours.items() if key not in paired]
    right = [term for key, term in theirs.items() if key not in paired]
    if left and right:
        for same, asks in ((_same_fact, _is_fact), (_same_meaning, _has_other_names)):
            _pair_up(left, right, same, asks, pairs)
    if left and right:
        _pair_spelled_code(left, right, a, b, pairs)
        _pair_compounds(left, right, a, b)
    left = _without_repeats(_written_out(left, b), theirs)
    right = _without_repeats(_written_out(right, a), ours)
    return Agreement(tuple(pairs), tuple(left), tuple(right), _coverage(a.weight, left), _coverage(b.weight, right))


def _other_name(a: Term, b: Term) -> bool:
    """Whether two words of one root are two names: Jan and Jane, Peter and Pete."""
    if not (a.surface[:1].isupper() and b.surface[:1].isupper()) or max(a.kind, b.kind) > Kind.NAME:
        return False
    short, long = sorted((_bare(a.surface), _bare(b.surface)), key=len)
    return long.startswith(short) and long[len(short) :] in _NAME_ENDINGS


def _bare(surface: str) -> str:
    return surface.lower().replace("’", "'").removesuffix("'s").removesuffix("'")


# Endings that tell names apart; "s", "ed" and "ing" are those of one word.
_NAME_ENDINGS = frozenset({"e", "er", "t", "y", "te", "or", "ern", "ie"})


def _pair_up(
    left: list[Term],
    right: list[Term],
    same: Callable[[Term, Term], bool],
    asks: Callable[[Term], bool],
    pairs: list[tuple[Term, Term]],
) -> None:
    """Moves terms that are the same from both lists to the pairs. Two terms are never the same where `asks` holds for
    neither, which most pairs of terms can be spared for."""
    asking = [asks(other) for other in right]
    for term in sorted(left, key=lambda term: term.title):  # what the bodies say goes before what a title repeats
        own = asks(term)
        if not own and True not in asking:
            continue
        for j, other in enumerate(right):
            if (own or asking[j]) and same(term, other):
                left.remove(term)
                pairs.append((term, right.pop(j)))
                asking.pop(j)
                break


def _is_fact(term: Term) -> bool:
    return term.kind in (Kind.DATE, Kind.CODE, Kind.TIME, Kind.NUMBER)


def _has_other_names(term: Term) -> bool:
    return term.negated or (term.kind <= Kind.NAME and bool(synonym_groups(term.key)))


def _coverage(total: float, missing: Iterable[Term]) -> float:
    return 1.0 - sum(map(term_weight, missing)) / total if total else 1.0


def _same_fact(a: Term, b: Term) -> bool:
    if a.kind is Kind.DATE and b.kind is Kind.DATE:
        return dates_agree(a.key, b.key)
    if Kind.CODE in (a.kind, b.kind):
        return a.key.casefold() == b.key.casefold()
    if a.kind is b.kind is Kind.TIME:
        return times_agree(a.key, b.key)
    if a.kind is b.kind is Kind.NUMBER:
        return amounts_agree(a.key, b.key)
    if {a.kind, b.kind} == {Kind.TIME, Kind.NUMBER}:  # "before 10", "before 10 am"
        number, time = (a, b) if a.kind is Kind.NUMBER else (b, a)
        return is_hour_of(number.key, time.key) or is_length_of(number.key, time.key)
    if {a.kind, b.kind} == {Kind.WORD, Kind.TIME}:
        word, time = (a, b) if a.kind is Kind.WORD else (b, a)
        return time.key == NOON and word.surface.lower() in NOON_WORDS
    if {a.kind, b.kind} == {Kind.WORD, Kind.NUMBER}:  # "the third floor", "the 3rd floor"
        nth, number = (a, b) if a.kind is Kind.WORD else (b, a)
        return nth.key in ORDINALS and NUMBERS.get(nth.key) == number.key
    return False


def _same_meaning(a: Term, b: Term) -> bool:
    if denied_otherwise(a, b):
        return True
    return a.kind <= Kind.NAME and b.kind <= Kind.NAME and are_synonyms(a.key, b.key)


def denied_otherwise(a: Term, b: Term) -> bool:
    """ "without activity" and "inactivity": a word of denial in one, a prefix in the other."""
    return (a.negated and denies(b.key, a.key)) or (b.negated and denies(a.key, b.key))


def _pair_spelled_code(
    left: list[Term], right: list[Term], a: Wording, b: Wording, pairs: list[tuple[Term, Term]]
) -> None:
    """A command that one puts in marks and the other writes as plain words: they are one term."""
    for mine, theirs, other in ((left, right, b), (right, left, a)):
        for term in [t for t in mine if t.kind is Kind.CODE]:
            written = normalise_title(term.surface)
            if " " not in written or f" {written} " not in f" {other.plain} ":
                continue
            mine.remove(term)
            pairs.append((term, term))
            parts = set(written.split())
            theirs[:] = [t for t in theirs if not parts.issuperset(normalise_title(t.surface).split())]


def _pair_compounds(left: list[Term], right: list[Term], a: Wording, b: Wording) -> None:
    """Takes out what one writes as a compound and the other in two words: `Kundentexte`, `Texte für Kunden`."""
    if a.language == "en" and b.language == "en":
        return
    for mine, theirs, other in ((left, right, b), (right, left, a)):
        roots = {root(word) for word in other.words}
        for term in [t for t in mine if t.kind in (Kind.WORD, Kind.NAME)]:
            parts = compound_parts(term.surface.lower(), roots)
            if parts:
                mine.remove(term)
                theirs[:] = [t for t in theirs if t.key not in parts or t.kind > Kind.NAME]


def _without_repeats(terms: list[Term], others: Mapping[str, Term]) -> list[Term]:
    """Leaves out synonyms of terms that are aligned, and the year of a date that the other tells in full."""
    said = {group for other in others.values() if other.kind <= Kind.NAME for group in synonym_groups(other.key)}
    years = {key.partition("-")[0] for key, other in others.items() if other.kind is Kind.DATE}
    return [
        term
        for term in terms
        if term.key not in years and (term.kind > Kind.WORD or synonym_groups(term.key).isdisjoint(said))
    ]


def _written_out(terms: list[Term], wording: Wording) -> list[Term]:
    """Leaves out terms that the other wording writes apart (`codebase`, `code base`), in full (`SSO`, `single sign-on`)
    or as a word (`--strict`, strict mode)."""
    return [
        term
        for term in terms
        if not wording.writes_apart(term.surface.lower())
        and not wording.compounds(term.surface.lower())
        and not (term.kind is Kind.CODE and term.surface.removeprefix("--").lower() in wording.words)
        and not (term.surface.isupper() and 3 <= len(term.surface) <= 5 and wording.spells_out(term.surface.lower()))
    ]


def opposed(a: Term, b: Term) -> bool:
    """Whether two terms are told apart on purpose."""
    return a.kind <= Kind.NAME and b.kind <= Kind.NAME and are_opposites(a.key, b.key)


def bounds_differ(agreement: Agreement) -> bool:
    """Whether a quantity that both name is an upper bound in one and a lower bound in the other."""
    return any({a.bound, b.bound} == {Mark.UPPER, Mark.LOWER} for a, b in agreement.pairs)

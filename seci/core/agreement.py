"""Which terms of two wordings are the same, and which hard facts differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seci.core.phrases import Mark
from seci.core.quantities import dates_agree
from seci.core.roots import are_opposites, are_synonyms
from seci.core.wording import Kind, Term, Wording

_WEIGHT = {Kind.GENERIC: 0.2, Kind.LIGHT: 0.3, Kind.WORD: 1.0}
_FACT = 1.5  # a name, a number, a piece of code
_IN_TITLE, _ASIDE = 0.4, 0.5  # a topic and a reason may be worded freely


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
        """Weight of what both say, without what says little."""
        return sum(term_weight(a) for a, _ in self.pairs if a.kind > Kind.LIGHT)


def term_weight(term: Term) -> float:
    weight = _WEIGHT.get(term.kind, _FACT)
    if term.title:
        return weight * _IN_TITLE
    return weight * _ASIDE if term.aside else weight


def align(a: Wording, b: Wording) -> Agreement:
    """Pairs each term with one of equal meaning: the same key, else a synonym, a compound or an acronym."""
    ours, theirs = _distinct(a.terms), _distinct(b.terms)
    pairs = [(term, theirs[key]) for key, term in ours.items() if key in theirs]
    left = [term for key, term in ours.items() if key not in theirs]
    right = [term for key, term in theirs.items() if key not in ours]
    for same in (_same_fact, _same_meaning):
        for term in list(left):
            other = next((candidate for candidate in right if same(term, candidate)), None)
            if other is not None:
                pairs.append((term, other))
                left.remove(term)
                right.remove(other)
    left, right = _without_compounds(left, right, b), right
    right, left = _without_compounds(right, left, a), left
    left = [t for t in left if not _repeats(t, theirs.values())]
    right = [t for t in right if not _repeats(t, ours.values())]
    return Agreement(
        tuple(pairs),
        tuple(left),
        tuple(right),
        _coverage(ours.values(), left),
        _coverage(theirs.values(), right),
    )


def _distinct(terms: Sequence[Term]) -> dict[str, Term]:
    found: dict[str, Term] = {}
    for term in terms:
        known = found.get(term.key)
        if known is None or (known.title and not term.title) or (known.kind < term.kind and not term.title):
            found[term.key] = term
    return found


def _coverage(terms: Sequence[Term] | object, missing: Sequence[Term]) -> float:
    total = sum(term_weight(term) for term in terms)  # type: ignore[attr-defined]
    return 1.0 - sum(term_weight(term) for term in missing) / total if total else 1.0


def _same_fact(a: Term, b: Term) -> bool:
    if a.kind is Kind.DATE and b.kind is Kind.DATE:
        return dates_agree(a.key, b.key)
    if Kind.CODE in (a.kind, b.kind):
        return a.key.casefold() == b.key.casefold()
    return False


def _same_meaning(a: Term, b: Term) -> bool:
    return a.kind <= Kind.NAME and b.kind <= Kind.NAME and are_synonyms(a.key, b.key)


def _repeats(term: Term, others: object) -> bool:
    """A synonym of a term that is aligned already says nothing new."""
    return term.kind <= Kind.WORD and any(_same_meaning(term, other) for other in others)  # type: ignore[attr-defined]


def _without_compounds(terms: list[Term], others: list[Term], wording: Wording) -> list[Term]:
    """Drops terms that the other wording writes apart (`codebase`, `code base`) or in full (`SSO`, `single sign-on`)."""
    joined = {x + y for x, y in zip(wording.words, wording.words[1:], strict=False)}
    initials = "".join(word[0] for word in wording.words)
    kept: list[Term] = []
    for term in terms:
        low = term.surface.lower()
        acronym = term.surface.isupper() and 3 <= len(low) <= 5 and low in initials
        if low in joined or acronym:
            continue
        kept.append(term)
    return kept


def facts(terms: Sequence[Term]) -> list[Term]:
    """The hard facts among terms: names, code, numbers, dates, times."""
    return [term for term in terms if term.kind >= Kind.NAME]


def opposed(a: Term, b: Term) -> bool:
    """Whether two terms are told apart on purpose."""
    return a.kind <= Kind.NAME and b.kind <= Kind.NAME and are_opposites(a.key, b.key)


def bounds_differ(agreement: Agreement) -> bool:
    """Whether a quantity that both name is an upper bound in one and a lower bound in the other."""
    return any({a.bound, b.bound} == {Mark.UPPER, Mark.LOWER} for a, b in agreement.pairs)

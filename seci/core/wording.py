"""How a note says what it says: its title and body, read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from sys import intern

from seci.core.language import detect_language
from seci.core.note import normalise_title
from seci.core.phrases import Mark
from seci.core.reader import Reader
from seci.core.terms import Kind, Term, Wording, term_weight
from seci.core.wordforms import COMPARATIVES

DEFAULT = "en"
_NEWS = {Mark.CHANGE, Mark.END, Mark.INSTEAD}
_IDENTITY = re.compile(
    r"\b(?:is|are|was|ist|sind|war|zijn)\s+(?:now\s+|jetzt\s+|nu\s+)?(?:the|our|my|their|his|her|der|die|das|unsere?|de|het|onze)\b",
    re.IGNORECASE,
)


# Signs that tell more than a pause. Elsewhere they are marks of a list, a quotation, a heading or a shell variable.
_SIGNS = tuple(
    (re.compile(pattern), f" {word} ")
    for pattern, word in (
        (r"€(?=\s?\d)|(?<=\d)\s?€", "eur"),
        (r"\$(?=\s?\d)|(?<=\d)\s?\$", "usd"),
        (r"£(?=\s?\d)|(?<=\d)\s?£", "gbp"),
        (r"(?<=\d)\s?%", "percent"),
        (r"(?<=\w)\+\+", "plus plus"),
        (r"(?<=\w)#(?!\w)", "sharp"),
        (r"(?<![\w.])[-−](?=\d)", "minus"),
        (r"(?<=\S\s)[<≤](?=\s?\d)", "below"),
        (r"(?<=\S\s)[>≥](?=\s?\d)", "above"),
    )
)


def parse_wording(title: str, body: str, fallback: str = DEFAULT) -> Wording:
    """Reads a note's title and body. Pure, and never fails: what is no word of a known language stays a term.

    `fallback` is the language where the text itself does not tell.
    """
    language = detect_language(f"{title} {body}") or fallback
    read = Reader(language)
    terms = read.text(body)
    known = {term.key for term in terms}
    heading = Reader(language)
    named = heading.text(title)
    extra = [_retitled(term) for term in named if term.key not in known]
    if not any(term.kind is not Kind.GENERIC for term in terms):  # a body of a value only: the title is the sentence
        read.marks |= heading.marks
    distinct = _distinct((*terms, *extra))
    words = tuple(map(intern, read.words))
    return Wording(
        terms=(*terms, *extra),
        marks=frozenset(read.marks),
        negations=read.negations,
        lacks=read.lacks,
        lacks_aside=read.lacks_aside,
        rejections=read.rejections,
        news=bool(heading.marks & _NEWS) or not COMPARATIVES.isdisjoint(heading.words),
        identity=bool(_IDENTITY.search(body)),
        language=language,
        distinct=distinct,
        weight=sum(map(term_weight, distinct.values())),
        words=words,
        title_links={term.key: term.link for term in named if term.link},
        plain=_plain(body),
        run_together=frozenset(x + y for x, y in pairwise(words)),
    )


def _plain(body: str) -> str:
    for pattern, word in _SIGNS:
        body = pattern.sub(word, body)
    return normalise_title(body)


def _distinct(terms: Iterable[Term]) -> dict[str, Term]:
    found: dict[str, Term] = {}
    for term in terms:
        known = found.get(term.key)
        if known is None or (known.kind < term.kind and not term.title):
            found[term.key] = term
    return found


def _retitled(term: Term) -> Term:
    return Term(term.key, term.kind, term.surface, term.at, title=True)

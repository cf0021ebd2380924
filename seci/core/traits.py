"""What sets two notes side by side, as numbers: what `odds` weighs when no rule decides.

Every trait is cheap and comes from the two wordings, their dates and the cosine that is known already; none asks a
model. How the wordings differ says more than how alike they are: a look-alike is an edited copy, with one word in the
place of another, while a paraphrase tells the same things in another order and in other words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import log, prod

from seci.core.lexicon import lexicon
from seci.core.note import Note, NoteType
from seci.core.phrases import Mark
from seci.core.replacing import DATED, NARRATIVE, Comparison, Found, find_values, has_other_subject, is_settled
from seci.core.roots import root
from seci.core.sameness import body_terms, is_capital, names_old_value, reordered, roles_swapped, substituted
from seci.core.terms import Kind, Term, telling

MOST_SHARED, MOST_TERMS, MOST_ALONE = 8.0, 5, 8  # beyond these a trait says no more
WORDS_COMPARED = 40  # of each text, when the longest run that both have is looked for
WORD = re.compile(r"\w[\w'’./:@-]*")
# Traits that tell most together: a value that changed is news about the same subject only.
_TOGETHER = (
    ("changed", "older_subject"),
    ("changed", "newer_subject"),
    ("changed", "one_place"),
    ("changed", "older_first", "newer_first"),
    ("changed", "older_title"),
    ("settled", "one_place"),
    ("settled", "older_subject"),
    ("settled", "older_first", "newer_first"),
    ("settled", "other_number"),
    ("settled", "other_date"),
    ("settled", "older_title"),
    ("old_named", "newer_names"),
    ("old_named", "changed"),
    ("changed", "covered_low"),
    ("changed", "subjects_part"),
    ("changed", "subject_only"),
    ("changed", "beyond_subject"),
    ("settled", "subject_only"),
    ("settled", "subjects_part"),
    ("similarity", "covered_low"),
    ("title_changed", "older_subject"),
    ("title_changed", "one_place"),
    ("title_changed", "subject_only"),
)
_CUES = (Mark.CHANGE, Mark.END, Mark.INSTEAD, Mark.RECENT)


def gather_traits(
    older: Note, newer: Note, compared: Comparison, found: Found | None, similarity: float
) -> dict[str, float]:
    """Each trait by its name. `found` is what the rules say of the pair, `similarity` the cosine of the embeddings."""
    traits = {
        "similarity": similarity,
        **_agreement(compared),
        **_form(compared),
        **_change(compared),
        **_subject(older, newer, compared),
        "rule_replaces": float(found is not None and found[0]),
        "rule_contradicts": float(found is not None and not found[0]),
    }
    return traits | {"*".join(parts): prod(traits[part] for part in parts) for parts in _TOGETHER}


def _agreement(compared: Comparison) -> dict[str, float]:
    """How much of each the other has, and what sort of terms each has alone."""
    agreement = compared.agreement
    left, right = telling(agreement.left), telling(agreement.right)
    sizes = sorted(len(telling(w.distinct.values())) for w in (compared.older, compared.newer))
    few, many = sorted((len(left), len(right)))
    alone = [*agreement.left, *agreement.right]
    return {
        "covered_low": min(agreement.coverage_left, agreement.coverage_right),
        "covered_high": max(agreement.coverage_left, agreement.coverage_right),
        "older_covered": agreement.coverage_left,
        "newer_covered": agreement.coverage_right,
        "shared": min(agreement.shared, MOST_SHARED),
        "alone_low": float(min(few, MOST_ALONE)),
        "alone_high": float(min(many, MOST_ALONE)),
        "length": log(1 + sizes[0]),
        "length_ratio": log((1 + sizes[1]) / (1 + sizes[0])),
        "facts_shared": float(min(sum(x.kind >= Kind.NAME and not x.title for x, _ in agreement.pairs), 4)),
        "counted": float(any(t.kind is Kind.NUMBER and not t.title for t in alone)),
        "name_in_one": float(
            any(_sort(t) == "name" for t in left) != any(_sort(t) == "name" for t in right),
        ),
        "capital_in_both": float(any(map(is_capital, agreement.left)) and any(map(is_capital, agreement.right))),
    }


def _form(compared: Comparison) -> dict[str, float]:
    """Whether the newer wording is an edited copy of the older one."""
    older, newer, agreement = compared.older, compared.newer, compared.agreement
    ours, theirs = [root(w) for w in older.words], [root(w) for w in newer.words]
    return {
        "words": _overlap(set(ours), set(theirs)),
        "word_pairs": _overlap(set(pairwise(ours)), set(pairwise(theirs))),
        "longest_run": longest_run(ours[:WORDS_COMPARED], theirs[:WORDS_COMPARED])
        / max(1, min(len(ours), len(theirs), WORDS_COMPARED)),
        "substituted": float(substituted(older, newer, agreement)),
        "reordered": float(reordered(agreement)),
        "roles_swapped": float(roles_swapped(older, newer, agreement)),
        "old_in_one": float(names_old_value(older, newer, agreement)),
        "negations": float(abs(older.negations - newer.negations)),
        "lacks": float(abs(older.lacks - newer.lacks)),
        "rejections": float(abs(older.rejections - newer.rejections)),
        "marks": float(len((older.marks ^ newer.marks).intersection(_CUES))),
        "foreign": float(older.language != "en"),
        "solution": float(compared.type is NoteType.SOLUTION),
    }


def _change(compared: Comparison) -> dict[str, float]:
    """Signs that the newer says that something has changed, and what has."""
    older, newer, agreement = compared.older, compared.newer, compared.agreement
    left, right = telling(agreement.left), telling(agreement.right)
    sorts = [{_sort(t) for t in terms if not t.aside} for terms in (left, right)]
    units = [{_unit(t) for t in terms} - {""} for terms in (left, right)]
    traits = {f"cue_{mark.value}": float(mark in compared.cues) for mark in _CUES}
    for sort in ("date", "number", "code", "name"):
        traits[f"other_{sort}"] = float(sort in sorts[0] and sort in sorts[1])
    return traits | {
        "title_changed": float(newer.news and not older.news),
        "also": float(Mark.ALSO in newer.marks),
        "changed": float(compared.changed),
        "ordered": float(compared.ordered),
        "settled": float(is_settled(compared)),
        "old_named": float(any(y.old and not x.old and x.kind > Kind.LIGHT for x, y in agreement.pairs)),
        "flipped": float(compared.flipped),
        "one_place": float(find_values(agreement) is not None),
        "same_unit": float(not units[0].isdisjoint(units[1])),
        "other_unit": float(all(units) and units[0].isdisjoint(units[1])),
        "older_words": float(min(_count(left, "word"), MOST_TERMS)),
        "newer_words": float(min(_count(right, "word"), MOST_TERMS)),
        "older_names": float(min(_count(left, "name"), MOST_TERMS)),
        "newer_names": float(min(_count(right, "name"), MOST_TERMS)),
        "narrative": float(compared.type in NARRATIVE),
        "event": float(compared.type is NoteType.EVENT),
        "doubt": float(Mark.DOUBT in older.marks | newer.marks),
        "past": float(Mark.PAST in older.marks),
    }


def _subject(older: Note, newer: Note, compared: Comparison) -> dict[str, float]:
    """Whether both speak of the same thing: what stands before the verb, what begins, what the titles name."""
    pairs = compared.agreement.pairs
    ours, theirs = {x.key for x, _ in pairs}, {y.key for _, y in pairs}
    starts = [[t for t in body_terms(w) if t.kind > Kind.LIGHT] for w in (compared.older, compared.newer)]
    subjects = [[t for t in terms if not t.predicate] for terms in starts]
    subjects[1] = [t for t in subjects[1] if not t.old]
    lone = (compared.agreement.left, compared.agreement.right)
    beyond = sum(not x.title and not y.title and x not in starts[0][:1] and x not in subjects[0] for x, y in pairs)
    first = [terms[0].key if terms else "" for terms in starts]
    titles = [[root(w) for w in _words(note.title, compared)] for note in (older, newer)]
    texts = [{root(w) for w in _words(f"{note.title} {note.body}", compared)} for note in (older, newer)]
    return {
        "other_subject": float(has_other_subject(compared)),
        "older_subject": _share([t.key in ours for t in subjects[0]]),
        "newer_subject": _share([t.key in theirs for t in subjects[1]]),
        "older_first": float(first[0] in ours),
        "newer_first": float(first[1] in theirs),
        "same_first": float(first[0] == first[1] != ""),
        "subject_only": float(beyond == 0),
        "beyond_subject": float(min(beyond, MOST_TERMS)),
        "subjects_part": float(all(any(t in alone for t in s) for s, alone in zip(subjects, lone, strict=True))),
        "older_title": _share([word in texts[1] for word in titles[0]]),
        "newer_title": _share([word in texts[0] for word in titles[1]]),
    }


def _sort(term: Term) -> str:
    if term.kind in DATED:
        return "date"
    return {Kind.NUMBER: "number", Kind.CODE: "code", Kind.NAME: "name"}.get(term.kind, "word")


def _count(terms: Sequence[Term], sort: str) -> int:
    return sum(_sort(term) == sort and not term.aside for term in terms)


def _unit(term: Term) -> str:
    """The dimension of a quantity, "" where it has none: `s` for seconds and hours alike."""
    return term.key.partition(":")[0] if term.kind is Kind.NUMBER and ":" in term.key else ""


def _words(text: str, compared: Comparison) -> list[str]:
    function = lexicon(compared.older.language).function
    return [word for word in WORD.findall(text.lower()) if word not in function]


def _overlap(ours: Collection[object], theirs: Collection[object]) -> float:
    """Share of all that two sets have which both have."""
    both = len(set(ours) & set(theirs))
    return both / max(1, len(ours) + len(theirs) - both)


def _share(known: Sequence[bool]) -> float:
    """Share that holds; a half where there is nothing to tell by."""
    return sum(known) / len(known) if known else 0.5


def longest_run(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The length of the longest run of words that two texts share."""
    best, before = 0, [0] * (len(theirs) + 1)
    for word in ours:
        row = [0]
        for j, other in enumerate(theirs):
            row.append(before[j] + 1 if word == other else 0)
        best, before = max(best, *row), row
    return best

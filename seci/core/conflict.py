"""Whether two notes say the same, the one replaces the other, they contradict, or speak of different things.

The rules go by form: what differs once every term of one note has been paired with a term of the other, where in the
sentence the difference stands, and which signs of change the newer note carries. Each verdict names its rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from seci.core.agreement import Agreement, align, bounds_differ, opposed, term_weight
from seci.core.note import Note, NoteType, Tier
from seci.core.phrases import Mark
from seci.core.roots import root
from seci.core.wording import Kind, Term, Wording, parse_wording

SAME_MEANING = 1.45  # cosine of MiniLM plus mean share of common weight, from which on two wordings are one thing
COVERED = 0.5  # share of its weight that each of the two must find in the other
SUBJECT_SHARED = 0.6  # share of the older note's subject that the newer must name
OLD_VALUE_SHARED = 0.5  # the same where the newer note names the older's value outright
OPPOSITE_COVERED = 0.6  # share of each of two notes that the other has, if they say the opposite
LONGEST_VALUE = 3  # words: what is longer is another statement, not another value
FRAME_SHARED = 0.4  # share of what else the newer note says that the older must have
LEAST_SHARED = 0.8  # weight of content that two notes must share before they are compared any further
RELATED = 0.45  # cosine below which two notes speak of different things
SETTLED = timedelta(days=14)  # without a sign of change, a value this much newer replaces the older one


class Relation(StrEnum):
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONTRADICTION = "contradiction"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two notes relate, and by which rule. `older` and `newer` are ids, in order of time where it is known."""

    relation: Relation
    rule: str
    older: str
    newer: str


def conflicts(a: Note, b: Note, similarity: float) -> Verdict:
    """Judges one pair of notes. `similarity` is the cosine of their embeddings, -1..1. Symmetric in a and b."""
    older, newer = in_order(a, b)
    relation, rule = _judge(older, newer, similarity)
    if _time(older) == _time(newer) and relation is not Relation.SUPERSEDE:
        turned = _judge(newer, older, similarity)  # no time tells which came first: their wording may
        if turned[0] is Relation.SUPERSEDE:
            return Verdict(*turned, newer.id, older.id)
    return Verdict(relation, rule, older.id, newer.id)


def in_order(a: Note, b: Note) -> tuple[Note, Note]:
    """The older and the newer: by `created`, then by `valid_from`, then as given when neither tells."""
    first, second = _time(a), _time(b)
    if first == second:
        return (a, b) if (a.id <= b.id or not a.id or not b.id) else (b, a)
    return (a, b) if first < second else (b, a)


def _time(note: Note) -> datetime:
    if note.created is not None:
        return note.created
    if note.valid_from is not None:
        return datetime(note.valid_from.year, note.valid_from.month, note.valid_from.day, tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)


def read_wording(note: Note) -> Wording:
    """How a note words what it says; read once for each text."""
    return _read(note.title, note.body)


@lru_cache(maxsize=100_000)
def _read(title: str, body: str) -> Wording:
    return parse_wording(title, body)


def _judge(older: Note, newer: Note, similarity: float) -> tuple[Relation, str]:
    if older.project and newer.project and older.project != newer.project:
        return Relation.KEEP, "other project"
    a, b = read_wording(older), read_wording(newer)
    agreement = align(a, b)
    if a.plain == b.plain and not _titles_part(agreement):
        return Relation.MERGE, "same words"
    if Tier.EPISODE in (older.tier, newer.tier):
        return Relation.KEEP, "two episodes"
    if agreement.shared < LEAST_SHARED or similarity < RELATED:
        return Relation.KEEP, "too little in common"
    difference = _difference(a, b, agreement)
    if difference is None and _same_meaning(agreement, similarity):
        return Relation.MERGE, "same meaning"
    found = _replaced(older, newer, a, b, agreement)
    return found or (Relation.KEEP, difference or "too little in common")


def _titles_part(agreement: Agreement) -> bool:
    """Equal bodies under titles that each name something of their own ("Acme", "Globex")."""
    return bool(agreement.left) and bool(agreement.right) and all(t.title for t in agreement.left + agreement.right) and (
        any(t.kind > Kind.LIGHT for t in agreement.left) and any(t.kind > Kind.LIGHT for t in agreement.right)
    )


def _difference(a: Wording, b: Wording, agreement: Agreement) -> str | None:
    """What forbids merging, None when nothing does."""
    left, right = agreement.left, agreement.right
    for name, kinds in _FACTS:
        if any(t.kind in kinds and not t.title for t in left + right):
            return f"differing {name}"
    if not _negations_agree(a, b, agreement):
        return "differing negation"
    if bounds_differ(agreement):
        return "upper against lower bound"
    if (Mark.END in a.marks) != (Mark.END in b.marks) and not (_has_fix(a) or _has_fix(b)):
        return "one says that it ended"
    if _old_in_one(agreement):
        return "one names it as the old value"
    if _turned_round(agreement):
        return "the other way round"
    if _roles_swapped(a, b, agreement):
        return "other roles"
    if _opposed_to(left, a, b) or _opposed_to(right, b, a):
        return "opposite words"
    if _substituted(a, b, agreement):
        return "another word in the same place"
    if _titles_part(agreement) and _names(left) and _names(right):
        return "titles name different things"
    return None


def _old_in_one(agreement: Agreement) -> bool:
    """What one wording names as replaced or not chosen stands in the other without a word of denial."""
    if any(x.old and y.negated or x.negated and y.old for x, y in agreement.pairs):
        return False  # "never deleted" and "instead of deleting" agree
    return any(x.old != y.old and x.kind > Kind.LIGHT for x, y in agreement.pairs)


def _opposed_to(extra: Sequence[Term], own: Wording, other: Wording) -> bool:
    """A word that only one has is the opposite of one that the other has, and has more often."""
    ours = [t.key for t in own.terms if not t.title]
    theirs = [t for t in other.terms if not t.old and not t.title]
    keys = [t.key for t in theirs]
    return any(
        opposed(x, y) and keys.count(y.key) > ours.count(y.key)
        for x in extra
        if not x.old and not x.title
        for y in theirs
    )


_FACTS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("number", (Kind.NUMBER,)),
    ("date", (Kind.DATE, Kind.TIME, Kind.WEEKDAY)),
    ("code", (Kind.CODE,)),
    ("name", (Kind.NAME,)),
)


def _names(terms: Sequence[Term]) -> bool:
    return any(term.kind >= Kind.NAME for term in terms)


def _negations_agree(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """As many negations in both, where "forbidden" and "instead of" may stand for "not"."""
    if a.negations == b.negations:
        return not any(t.lack for t in agreement.left + agreement.right) or a.lacks == b.lacks
    return a.negations + a.lacks == b.negations + b.lacks or _denials(a) == _denials(b)


def _denials(wording: Wording) -> int:
    return wording.negations + wording.lacks + wording.rejections


def _turned_round(agreement: Agreement) -> bool:
    """What one prefers or moves to is what the other rejects or moves from."""
    pairs = [(x, y) for x, y in agreement.pairs if x.kind > Kind.LIGHT]
    return any(x.old and not y.old for x, y in pairs) and any(y.old and not x.old for x, y in pairs) or any(
        (x.link, y.link) in _CONTRARY or (y.link, x.link) in _CONTRARY for x, y in agreement.pairs
    )


_CONTRARY = {("to", "from"), ("before", "after"), ("with", "without"), ("over", "under"), ("above", "below"), ("on", "off")}


def _roles_swapped(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Each begins with a name that is what the other acts upon: "Gina helps Jon", "Jon helps Gina"."""
    first, second = _body(a)[:1], _body(b)[:1]
    if not first or not second or first[0].key == second[0].key or a.identity or b.identity:
        return False
    acted = [
        next((y for x, y in agreement.pairs if x.key == first[0].key), None),
        next((x for x, y in agreement.pairs if y.key == second[0].key), None),
    ]
    named = all(subject[0].surface[:1].isupper() for subject in (first, second))
    if not named or any(term is None or term.kind is not Kind.NAME for term in acted):
        return False
    return any(term is not None and term.link in ("", "to") for term in acted)


def _body(wording: Wording) -> list[Term]:
    return [term for term in wording.terms if not term.title]


def _substituted(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """A few words of each stand between words that are the same: the same sentence about something else."""
    partner = {x.key: y.key for x, y in agreement.pairs}
    ours, theirs = _places(a, agreement.left), _places(b, agreement.right)
    return any((partner.get(before, before), partner.get(after, after)) in theirs for before, after in ours)


def _plain_word(term: Term) -> bool:
    """A word that is no name; one with a capital at the start of a sentence may be one."""
    return term.kind in (Kind.LIGHT, Kind.WORD) and not term.surface[:1].isupper()


def _places(wording: Wording, unpaired: Sequence[Term]) -> set[tuple[str, str]]:
    """The terms around each short run of words without a partner, where one of the two is no name; an empty string
    at an end of the text."""
    alone = {term.key for term in unpaired if not term.title}
    places: set[tuple[str, str]] = set()
    before: Term | None = None
    run: list[Term] = []
    for term in [*_body(wording), None]:
        if term is not None and term.key in alone:
            run.append(term)
            continue
        content = [t for t in run if t.kind in (Kind.WORD, Kind.NAME)]
        anchored = any(t is not None and _plain_word(t) for t in (before, term))
        if content and len(content) <= LONGEST_VALUE and anchored:
            places.add((before.key if before else "", term.key if term else ""))
        before, run = term, []
    return places


def _same_meaning(agreement: Agreement, similarity: float) -> bool:
    least = min(agreement.coverage_left, agreement.coverage_right)
    mean = (agreement.coverage_left + agreement.coverage_right) / 2
    extra = min(len(_content(agreement.left)), len(_content(agreement.right)))
    return agreement.shared >= 1.0 and least >= COVERED and extra <= 1 and similarity + mean >= SAME_MEANING


def _content(terms: Sequence[Term]) -> list[Term]:
    return [term for term in terms if term.kind > Kind.LIGHT and not term.title]


# --- what replaces what -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parting:
    """What differs between an older and a newer wording, without what says little."""

    left: tuple[Term, ...]
    right: tuple[Term, ...]


def _strong(terms: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(t for t in terms if t.kind > Kind.LIGHT and not t.title and not t.aside)


def _replaced(
    older: Note, newer: Note, a: Wording, b: Wording, agreement: Agreement
) -> tuple[Relation, str] | None:
    left, right = _strong(agreement.left), _strong(agreement.right)
    ordered = _time(older) < _time(newer)
    narrative = older.type in _NARRATIVE
    cues = (b.marks - a.marks) & {Mark.CHANGE, Mark.END, Mark.INSTEAD, Mark.RECENT}
    changed = bool(cues) and Mark.ALSO not in b.marks
    flipped = not _negations_agree(a, b, agreement) or _turned_round(agreement) or bounds_differ(agreement)
    if _other_subject(a, b, agreement):
        return None
    old_value = [x for x, y in agreement.pairs if y.old and not x.old and x.kind > Kind.LIGHT]
    told = Mark.END not in b.marks or Mark.CHANGE in b.marks or not (narrative or _has_fix(a))
    if old_value and changed and told and (right or Mark.END in b.marks) and _subject_shared(agreement, left, OLD_VALUE_SHARED):
        return Relation.SUPERSEDE, "names the old value"
    if Mark.END in b.marks - a.marks and not narrative and not _has_fix(a):
        if _subject_shared(agreement, left) and len(left) <= 1:
            return (Relation.SUPERSEDE if ordered else Relation.CONTRADICTION), "says that it ended"
    values = _values(agreement)
    if values is not None:
        ours, theirs = values
        rest_left = [t for t in left if t not in ours]
        rest_right = [t for t in right if t not in theirs]
        flipped = flipped and not ours[0].lack and not theirs[0].lack
        if (rest_left and rest_right) or (flipped and not changed):
            return None
        worded = ours[0].kind <= Kind.NAME
        if worded and not _one_frame(values, a, b, agreement):
            return None
        if not _subject_shared(agreement, [t for t in rest_right if t.kind < Kind.NUMBER], FRAME_SHARED):
            return None
        plain = worded and Kind.NAME not in (ours[0].kind, theirs[0].kind)
        if plain and cues == {Mark.RECENT}:
            return None  # "a new hobby" need not end the old one
        if changed and ordered and _subject_shared(agreement, rest_left):
            return Relation.SUPERSEDE, "a new value with a sign of change"
        if worded and not (opposed(ours[0], theirs[0]) or _substituted(a, b, agreement)):
            return None
        if rest_left or rest_right or not _in_predicate(values, a, b) or not _single_valued(values, agreement, older):
            return None
        if older.type is NoteType.EVENT and ours[0].kind in (Kind.DATE, Kind.TIME, Kind.WEEKDAY):
            return None  # two events
        settled = ordered and _time(newer) - _time(older) >= SETTLED and older.created and newer.created
        if settled and not (Mark.PAST in a.marks or Mark.DOUBT in a.marks | b.marks) and not narrative:
            return Relation.SUPERSEDE, "a newer value of the same"
        return Relation.CONTRADICTION, "two values of the same"
    alike = min(agreement.coverage_left, agreement.coverage_right) >= OPPOSITE_COVERED
    if not left and not right and flipped and alike:
        if ordered and changed:
            return Relation.SUPERSEDE, "the opposite with a sign of change"
        return Relation.CONTRADICTION, "the opposite"
    return None


def _other_subject(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Whether each wording begins with something that the other does not know: "the backend", "the front end"."""
    first = next((t for t in _body(a) if t.kind > Kind.LIGHT), None)
    second = next((t for t in _body(b) if t.kind > Kind.LIGHT and not t.old), None)
    if first is None or second is None or first not in agreement.left or second not in agreement.right:
        return False
    return first.kind <= Kind.NAME and second.kind <= Kind.NAME and not (first.predicate or second.predicate)


def _one_frame(values: _Values, a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Whether words that differ are two values of one attribute: opposites, names in the predicate, or words at the
    same place of the same sentence."""
    ours, theirs = values
    if opposed(ours[0], theirs[0]):
        return _in_predicate(values, a, b)
    if not _in_predicate(values, a, b) or max(len(ours), len(theirs)) > LONGEST_VALUE:
        return False
    attribute = any(_plain_word(x) for x, _ in agreement.pairs)
    names = ours[0].kind is Kind.NAME and theirs[0].kind is Kind.NAME
    return (attribute and names) or _substituted(a, b, agreement)


_NARRATIVE = (NoteType.SOLUTION, NoteType.EVENT)
_FIXED = frozenset(map(root, "fix fixed solved resolved helped cured".split()))


def _has_fix(a: Wording) -> bool:
    return any(t.key in _FIXED for t in a.terms)


def _subject_shared(agreement: Agreement, missing: Sequence[Term], least: float = SUBJECT_SHARED) -> bool:
    lost = sum(term_weight(t) for t in missing)
    return agreement.shared / (agreement.shared + lost) >= least


_Values = tuple[tuple[Term, ...], tuple[Term, ...]]


def _values(agreement: Agreement) -> _Values | None:
    """The one place where two wordings differ: opposite words, a fact of one sort on each side, or a run of words."""
    left = [t for t in agreement.left if not t.title and not t.aside and t.kind is not Kind.GENERIC]
    right = [t for t in agreement.right if not t.title and not t.aside and not t.old and t.kind is not Kind.GENERIC]
    for x in left:
        for y in right:
            if opposed(x, y):
                return (x,), (y,)
    for kinds in ((Kind.NUMBER,), (Kind.DATE,), (Kind.TIME,), (Kind.WEEKDAY,), (Kind.CODE,)):
        ours = tuple(t for t in left if t.kind in kinds)
        theirs = tuple(t for t in right if t.kind in kinds)
        if ours and theirs:
            return (ours, theirs) if len(ours) == 1 else None
    ours = _run([t for t in left if t.kind in (Kind.NAME, Kind.WORD)])
    theirs = _run([t for t in right if t.kind in (Kind.NAME, Kind.WORD)])
    return (ours, theirs) if ours and theirs else None


def _run(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The last of the runs of terms that follow each other, at most three long."""
    run: list[Term] = []
    for term in terms:
        run = [*run, term] if run and term.at - run[-1].at <= 1 else [term]
    return tuple(run) if len(run) <= 3 else ()


def _in_predicate(values: _Values, a: Wording, b: Wording) -> bool:
    return values[0][0].predicate or values[1][0].predicate or (a.identity and b.identity)


_MANY = frozenset(map(root, "use uses like likes love plays play has have knows support supports speaks own owns allergic visited include includes contains need needs".split()))


def _single_valued(values: _Values, agreement: Agreement, older: Note) -> bool:
    if values[0][0].kind >= Kind.NUMBER or older.type is NoteType.DECISION:
        return True
    return not {x.key for x, _ in agreement.pairs} & _MANY

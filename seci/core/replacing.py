"""Whether the newer of two notes replaces the older, or contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from seci.core.agreement import Agreement, bounds_differ, opposed
from seci.core.lexicon import words
from seci.core.note import NoteType
from seci.core.phrases import Mark
from seci.core.roots import root
from seci.core.sameness import (
    LONGEST_VALUE,
    body_terms,
    mends,
    negations_agree,
    plain_word,
    substituted,
    tells_fix,
    turned_round,
)
from seci.core.terms import Kind, Term, Wording, term_weight

SUBJECT_SHARED = 0.6  # share of the older note's subject that the newer must name
SAME_PLACE_SHARED = 0.5  # the same where both values are names behind the same preposition: "under MIT"
NEW_SHARED = 0.25  # share of the newer note that the older must know there: a long story is another story
STORY = 40  # terms from which on a note tells a story, in which one word left behind replaces no other note
OLD_VALUE_SHARED = 0.45  # the same where the newer note names the older's value outright
MEASURE_SHARED = 0.6  # share of all that two notes say besides the quantity that changed, if both word it freely
FRAME_SHARED = 0.4  # share of what else the newer note says that the older must have
OPPOSITE_COVERED = 0.6  # share of each of two notes that the other has, if they say the opposite
LONGEST_PREDICATE = 5  # names and numbers of a value that is told in several: an address
SETTLED = timedelta(days=14)  # without a sign of change, a value this much newer replaces the older one

# A verb that many things may fill at once: who plays the violin may play the cello as well.
_MANY = frozenset(
    map(
        root,
        words("""use uses like likes love loves play plays have has know knows support supports speaks own owns allergic
        visited include includes contains need needs"""),
    )
)
DATED = (Kind.DATE, Kind.TIME, Kind.WEEKDAY)
NARRATIVE = (NoteType.SOLUTION, NoteType.EVENT)  # what ends in these is part of the story


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two wordings in order of time, and what decides between them. `gap` is None where no times are known; it is
    zero where they are equal."""

    older: Wording
    newer: Wording
    agreement: Agreement
    type: NoteType
    gap: timedelta | None

    @property
    def ordered(self) -> bool:
        return self.gap is not None and self.gap > timedelta(0)

    @property
    def cues(self) -> frozenset[Mark]:
        """Signs of change that only the newer wording has."""
        return (self.newer.marks - self.older.marks) & {Mark.CHANGE, Mark.END, Mark.INSTEAD, Mark.RECENT}

    @property
    def changed(self) -> bool:
        return bool(self.cues) and Mark.ALSO not in self.newer.marks

    @property
    def told(self) -> bool:
        """Whether the newer says, if only in its title, that something has changed."""
        return self.changed or (self.newer.news and not self.older.news)

    @property
    def flipped(self) -> bool:
        return (
            not negations_agree(self.older, self.newer, self.agreement)
            or turned_round(self.agreement)
            or bounds_differ(self.agreement)
        )

    @property
    def left(self) -> tuple[Term, ...]:
        return _strong(self.agreement.left)

    @property
    def right(self) -> tuple[Term, ...]:
        return _strong(self.agreement.right)


Found = tuple[bool, str]  # whether the newer replaces the older (else they contradict), and the rule


def find_replacement(compared: Comparison) -> Found | None:
    """What the newer wording does to the older one; None when they speak of different things."""
    if has_other_subject(compared):
        return None
    found = _old_value_named(compared) or _ended(compared) or _mended(compared) or _predicate_replaced(compared)
    if found:
        return found
    values = find_values(compared.agreement)
    return _other_value(compared, *values) if values else _opposite(compared)


def find_new_value(compared: Comparison) -> Found | None:
    """The same, only where the newer wording names the old value or has another one in its place."""
    if has_other_subject(compared):
        return None
    found = _old_value_named(compared)
    values = find_values(compared.agreement)
    if found or values is None or max(values[0][0].kind, values[1][0].kind) < Kind.NAME:
        return found
    return _other_value(compared, *values)


def _old_value_named(compared: Comparison) -> Found | None:
    """ "We switched from npm to pnpm": what stands in the older note is what the newer one leaves behind."""
    older, newer = compared.older, compared.newer
    old = any(y.old and not x.old and x.kind > Kind.LIGHT for x, y in compared.agreement.pairs)
    story = compared.type in NARRATIVE or tells_fix(older)
    told = Mark.CHANGE in compared.cues or not story
    if max(len(older.terms), len(newer.terms)) > STORY:
        return None
    chosen = Mark.END in newer.marks or {Mark.INSTEAD, Mark.CHANGE} <= compared.cues
    if not (old and compared.changed and told and (compared.right or chosen)):
        return None
    if story and not any(t.kind >= Kind.NAME for t in compared.right):
        return None  # the same story, told with its before and after
    new = [t for t in compared.right if t.kind <= Kind.NAME]
    told = _shares(compared, compared.left, OLD_VALUE_SHARED) and _shares(compared, new, NEW_SHARED)
    return (True, "names the old value") if told else None


def _ended(compared: Comparison) -> Found | None:
    """ "The user no longer smokes": all that the older note says is named as over."""
    if Mark.END not in compared.newer.marks - compared.older.marks:
        return None
    lost = [t for t in compared.left if t.kind not in DATED]  # when it was to be need not be said again
    if compared.type in NARRATIVE or tells_fix(compared.older) or len(lost) > 1:
        return None
    return (compared.ordered, "says that it ended") if _shares(compared, lost, SUBJECT_SHARED) else None


def _mended(compared: Comparison) -> Found | None:
    """ "The importer handles large files again": the fault that the older note tells of is gone."""
    story = compared.type in NARRATIVE or not compared.ordered
    if story or not mends(compared.older, compared.newer, compared.agreement):
        return None
    return (True, "says that it works again") if _shares(compared, compared.left, SUBJECT_SHARED) else None


def _predicate_replaced(compared: Comparison) -> Found | None:
    """ "The office is at Kade 12", "has moved its office to Parkweg 3": the subject is the same and all that both say
    of it differs, in names and numbers."""
    if not (compared.ordered and Mark.CHANGE in compared.cues and compared.changed) or compared.type in NARRATIVE:
        return None
    sides = ((compared.older, compared.left, 0), (compared.newer, compared.right, 1))
    for wording, lost, side in sides:
        shared = [pair[side].at for pair in compared.agreement.pairs if pair[side].kind > Kind.LIGHT]
        ends = [t for t in body_terms(wording) if t.kind > Kind.LIGHT and not t.aside][-len(lost) :]
        facts = sum(t.kind >= Kind.NAME for t in lost)
        if not 0 < len(lost) <= LONGEST_PREDICATE or facts * 2 <= len(lost) or list(lost) != ends or len(shared) < 2:
            return None
    first, second = (
        next((t for t in body_terms(w) if t.kind > Kind.LIGHT), None) for w in (compared.older, compared.newer)
    )
    same = any((x, y) == (first, second) for x, y in compared.agreement.pairs)
    return (True, "says something else of the same") if same else None


def _other_value(compared: Comparison, ours: tuple[Term, ...], theirs: tuple[Term, ...]) -> Found | None:
    """One place differs. A sign of change, or time enough, says that the newer value holds."""
    dated = ours[0].kind in DATED  # a date may be told in several parts
    rest_left = [t for t in compared.left if t not in ours and not (dated and t.kind in DATED)]
    rest_right = [t for t in compared.right if t not in theirs and not (dated and t.kind in DATED)]
    flipped = compared.flipped and not ours[0].lack and not theirs[0].lack
    if flipped and not compared.changed:
        return None
    if rest_left and rest_right and not _same_measure(compared, ours, theirs, rest_left, rest_right):
        return None
    worded = ours[0].kind <= Kind.NAME
    if worded and not _one_frame(compared, ours, theirs):
        return None
    if not _shares(compared, [t for t in rest_right if t.kind < Kind.NUMBER], FRAME_SHARED):
        return None
    if worded and Kind.NAME not in (ours[0].kind, theirs[0].kind) and compared.cues == {Mark.RECENT}:
        return None  # "a new hobby" need not end the old one
    same_place = ours[0].kind is theirs[0].kind is Kind.NAME and ours[0].link == theirs[0].link != ""
    subject = SAME_PLACE_SHARED if same_place else SUBJECT_SHARED
    if compared.changed and compared.ordered and _shares(compared, rest_left, subject):
        return True, "a new value with a sign of change"
    if rest_left or rest_right or not _single_valued(compared, ours, theirs):
        return None
    named = Kind.NAME in (ours[0].kind, theirs[0].kind) or opposed(ours[0], theirs[0])
    settled = is_settled(compared) and (not worded or named)  # other plain words may be the same thing in other words
    return (True, "a newer value of the same") if settled else (False, "two values of the same")


def _same_measure(
    compared: Comparison,
    ours: tuple[Term, ...],
    theirs: tuple[Term, ...],
    rest_left: Sequence[Term],
    rest_right: Sequence[Term],
) -> bool:
    """A quantity or date that changed, told in other words: only plain words may differ besides, and few."""
    rest = [*rest_left, *rest_right]
    plain = all(t.kind is Kind.WORD for t in rest) and not any(opposed(x, y) for x in rest_left for y in rest_right)
    dimension = ours[0].key.partition(":")[0] == theirs[0].key.partition(":")[0] if ":" in ours[0].key else True
    measured = ours[0].kind >= Kind.NUMBER and ours[0].kind is not Kind.CODE and dimension
    return compared.changed and measured and plain and _shares(compared, rest, MEASURE_SHARED)


def is_settled(compared: Comparison) -> bool:
    """Whether time alone tells that the newer value holds: long enough, of what can change, and no hearsay."""
    once = Mark.PAST in compared.older.marks or compared.type in NARRATIVE
    doubt = Mark.DOUBT in compared.older.marks | compared.newer.marks
    return compared.gap is not None and compared.gap >= SETTLED and not once and not doubt


def _opposite(compared: Comparison) -> Found | None:
    alike = min(compared.agreement.coverage_left, compared.agreement.coverage_right) >= OPPOSITE_COVERED
    lost = [t for t in compared.left if t.kind not in DATED]
    if lost or compared.right or not compared.flipped or not alike:
        return None
    if compared.ordered and compared.changed:
        return True, "the opposite with a sign of change"
    return False, "the opposite"


def _strong(terms: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(t for t in terms if t.kind > Kind.LIGHT and not t.title and not t.aside)


def has_other_subject(compared: Comparison) -> bool:
    """Whether each wording begins with something that the other does not know: "the backend", "the front end"."""
    first = next((t for t in body_terms(compared.older) if t.kind > Kind.LIGHT), None)
    second = next((t for t in body_terms(compared.newer) if t.kind > Kind.LIGHT and not t.old), None)
    if first is None or second is None:
        return False
    if first not in compared.agreement.left or second not in compared.agreement.right:
        return False
    return max(first.kind, second.kind) <= Kind.NAME and not (first.predicate or second.predicate)


def _shares(compared: Comparison, missing: Sequence[Term], least: float) -> bool:
    lost = sum(map(term_weight, missing))
    return compared.agreement.shared / (compared.agreement.shared + lost) >= least


def find_values(agreement: Agreement) -> tuple[tuple[Term, ...], tuple[Term, ...]] | None:
    """The one place where two wordings differ: opposite words, a fact of one sort on each side, or a run of words."""
    left = [t for t in agreement.left if not t.title and not t.aside and t.kind is not Kind.GENERIC]
    right = [t for t in agreement.right if not t.title and not t.aside and not t.old and t.kind is not Kind.GENERIC]
    for x in left:
        for y in right:
            if opposed(x, y):
                return (x,), (y,)
    for kind in (Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.WEEKDAY, Kind.CODE):
        ours = tuple(t for t in left if t.kind is kind)
        theirs = tuple(t for t in right if t.kind is kind)
        if ours and theirs:
            return (ours, theirs) if len(ours) == 1 else None
    named = (Kind.WORD, Kind.NAME, Kind.CODE)  # "gpt-4o-mini" and "Claude Haiku" are names of one sort
    ours = _last_run([t for t in left if t.kind in named])
    theirs = _last_run([t for t in right if t.kind in named])
    return (ours, theirs) if ours and theirs else None


def _last_run(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The last of the runs of terms that follow each other; empty when it is too long for a value."""
    run: list[Term] = []
    for term in terms:
        run = [*run, term] if run and term.at - run[-1].at <= 1 else [term]
    return tuple(run) if len(run) <= LONGEST_VALUE else ()


def _one_frame(compared: Comparison, ours: tuple[Term, ...], theirs: tuple[Term, ...]) -> bool:
    """Whether words that differ are two values of one attribute: opposites, names in the predicate, or words at the
    same place of the same sentence."""
    if not _in_predicate(compared, ours, theirs):
        return False
    if opposed(ours[0], theirs[0]):
        return True
    attribute = any(
        plain_word(x) or (x.kind is Kind.WORD and (x.title or compared.older.language == "de"))
        for x, _ in compared.agreement.pairs
    )
    names = ours[0].kind is Kind.NAME and theirs[0].kind is Kind.NAME
    if compared.changed and Mark.CHANGE in compared.cues and _same_after(compared, ours, theirs):
        return True
    return (attribute and names) or substituted(compared.older, compared.newer, compared.agreement)


def _same_after(compared: Comparison, ours: tuple[Term, ...], theirs: tuple[Term, ...]) -> bool:
    """Whether what follows both values is the same, behind the same preposition: "a developer at Umbra", "now lead at
    Umbra"."""
    after = [
        next((t for t in body_terms(wording) if t.at > value[-1].at), None)
        for wording, value in ((compared.older, ours), (compared.newer, theirs))
    ]
    return any((x, y) == tuple(after) and x.link == y.link != "" for x, y in compared.agreement.pairs)


def _in_predicate(compared: Comparison, ours: tuple[Term, ...], theirs: tuple[Term, ...]) -> bool:
    first = [next(iter(body_terms(wording)), None) for wording in (compared.older, compared.newer)]
    if compared.changed and any((x, y) == tuple(first) for x, y in compared.agreement.pairs):
        return True  # "answer in Dutch", "answer in English from now on"
    placed = (
        bool(ours[0].link) and ours[0].link == theirs[0].link and ours[0] is not first[0] and theirs[0] is not first[1]
    )
    measured = ":" in ours[0].key and ":" in theirs[0].key and ours[0] is not first[0] and theirs[0] is not first[1]
    placed = placed or (measured and ours[0].kind is theirs[0].kind is Kind.NUMBER)
    identities = compared.older.identity and compared.newer.identity
    return ours[0].predicate or theirs[0].predicate or placed or identities


def _single_valued(compared: Comparison, ours: tuple[Term, ...], theirs: tuple[Term, ...]) -> bool:
    """Whether only one of the values can hold at a time."""
    if not _in_predicate(compared, ours, theirs):
        return False
    if ours[0].kind >= Kind.NUMBER:  # two appointments are two events
        return not (ours[0].kind in DATED and compared.type is NoteType.EVENT)
    placed = opposed(ours[0], theirs[0]) or substituted(compared.older, compared.newer, compared.agreement)
    if ours[0].kind <= Kind.NAME and not placed:
        return False
    if compared.type is NoteType.DECISION or {ours[0].link, theirs[0].link} == {"by"}:  # "owned by": one owner
        return True
    many = _MANY - {root("use")} if opposed(ours[0], theirs[0]) else _MANY  # one uses single quotes or double ones
    return not {x.key for x, _ in compared.agreement.pairs} & many

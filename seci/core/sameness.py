"""Whether two wordings say the same, or what forbids to think so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from seci.core.agreement import Agreement, bounds_differ, denied_otherwise, opposed
from seci.core.lexicon import words
from seci.core.phrases import Mark
from seci.core.roots import root
from seci.core.terms import Kind, Term, Wording, telling
from seci.core.wordforms import ARTICLES

SHORTEST_HEAD, SHORTEST_MODIFIER = 6, 3  # letters of the two parts of a compound
FRAME = 4  # common terms from which on their order tells something
REORDERED = 0.25  # share of pairs of common terms that stand the other way round
LONGEST_VALUE = 3  # words: what is longer is another statement, not another value


def titles_part(agreement: Agreement) -> bool:
    """Equal bodies under titles that each name something of their own ("Acme", "Globex")."""
    left, right = agreement.left, agreement.right
    telling = any(t.kind > Kind.LIGHT for t in left) and any(t.kind > Kind.LIGHT for t in right)
    return telling and all(t.title for t in left + right)


def find_difference(a: Wording, b: Wording, agreement: Agreement) -> str | None:
    """What forbids merging however alike two notes are, None when nothing does."""
    left, right = agreement.left, agreement.right
    if _numbers_differ(left, right):
        return "differing number"
    for name, kinds in _FACTS:
        if any(t.kind in kinds and not t.title for t in left + right):
            return f"differing {name}"
    if names_differ(a, b, agreement):
        return "differing name"
    if denied_in_one(a, b, agreement):
        return "differing negation"
    if a.rejections != b.rejections and Mark.CHANGE in a.marks ^ b.marks and not _rejected_known(agreement):
        return "one rejects what the other does not name"
    if bounds_differ(agreement):
        return "upper against lower bound"
    if mends(a, b, agreement) or mends(b, a, replace(agreement, left=right, right=left)):
        return "one tells of a fault that is gone in the other"
    if turned_round(agreement):
        return "the other way round"
    if not (telling(left) or telling(right)) and roles_swapped(a, b, agreement):
        return "other roles"
    if _opposed_to(left, a, b) or _opposed_to(right, b, a) or switched(a, b):
        return "opposite words"
    if a.language != "en" and any(are_kinds(x, y) for x in left for y in right):
        return "two kinds of the same"
    if any(frozenset((link, b.title_links.get(key, ""))) in _CONTRARY for key, link in a.title_links.items()):
        return "the other way round"
    if any((_cleared(x) and not _denied_here(y)) or (_cleared(y) and not _denied_here(x)) for x, y in agreement.pairs):
        return "one says that it was not that"
    if one_word_differs(a, b, agreement):
        return "one word in the place of another"
    if titles_part(agreement) and _names(left) and _names(right):
        return "titles name different things"
    return None


def _numbers_differ(left: Sequence[Term], right: Sequence[Term]) -> bool:
    """Whether each has a number of its own, or one has a figure that the other lacks. "One" and "twice" may be told in
    other words: single, duplicate."""
    ours, theirs = ([t for t in terms if t.kind is Kind.NUMBER and not t.title] for terms in (left, right))
    return bool(ours and theirs) or not all(map(_told_otherwise, ours + theirs))


def _told_otherwise(number: Term) -> bool:
    """Whether a number may be said without a number: a single one, a duplicate, half of it, a day."""
    return not number.surface[:1].isdigit() and (number.key in _SMALL or number.surface.lower().startswith("one "))


def names_differ(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Whether each has a name of its own. A capital at the start of a sentence, or in German anywhere, may be one: it
    is taken for one where the other has such a word in the same place, where each begins a sentence with one, or where
    they differ in nothing else."""
    left, right = agreement.left, agreement.right
    if all(any(t.kind is Kind.NAME and not t.title for t in terms) for terms in (left, right)):
        return True
    if all(any(t.acts and not t.title for t in terms) for terms in (left, right)):
        return True
    if not (any(map(is_capital, left)) and any(map(is_capital, right))):
        return False
    return substituted(a, b, agreement) or all(map(is_capital, telling(left + right)))


def denied_in_one(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Whether one denies what the other says: a word that both have stands under a negation in one only, or one has
    more words of denial and the other has nothing else that could mean the same ("can't eat", "is allergic to")."""
    parted = {
        (_denied(a, x.key), _denied(b, y.key))
        for x, y in agreement.pairs
        if x.kind > Kind.LIGHT and not denied_otherwise(x, y) and not (x.aside or y.aside)
    } & {(True, False), (False, True)}
    if negations_agree(a, b, agreement) or not _denial_range(a).isdisjoint(_denial_range(b)):
        return len(parted) == 2  # "logs without names may be shared", "logs with names may not be shared"
    if parted:
        return True
    more, fewer = _denials(a), _denials(b)
    own = agreement.right if more > fewer else agreement.left
    return more == fewer or not telling(own)


def _denied(wording: Wording, key: str) -> bool | None:
    """Whether a term always stands under a negation (True), or never (False); None where it does both, or neither."""
    found = {term.negated for term in wording.terms if term.key == key and not term.title}
    topic = any(term.topic and term.key == key for term in wording.terms)  # "X is never in Y" says "no X is in Y"
    return found.pop() if len(found) == 1 and not topic else None


def _rejected_known(agreement: Agreement) -> bool:
    """Whether what one wording rejects stands in the other, or at least is a word that says something."""
    said = [*(x for pair in agreement.pairs for x in pair), *agreement.left, *agreement.right]
    return any(term.old for term in said)


def is_capital(term: Term) -> bool:
    """What may be a name: a capital at the start of a sentence, or in German anywhere, does not tell."""
    return term.kind is Kind.WORD and not term.title and term.surface[:1].isupper()


def names_old_value(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """What one wording names as replaced or not chosen stands in the other without a word of denial."""
    if any((x.old and y.negated) or (x.negated and y.old) for x, y in agreement.pairs):
        return False  # "never deleted" and "instead of deleting" agree
    parted = [(x, y) for x, y in agreement.pairs if x.old != y.old and x.kind > Kind.LIGHT]
    if not (a.marks | b.marks) & {Mark.INSTEAD, Mark.CHANGE, Mark.END}:  # "parsed faster than the parser": both
        parted = [(x, y) for x, y in parted if not _has(a, x.key, y.old) and not _has(b, y.key, x.old)]
    return bool(parted)


def _has(wording: Wording, key: str, old: bool) -> bool:
    """Whether a term stands in a wording as an old value (or as another one)."""
    return any(term.key == key and term.old is old for term in wording.terms)


def _opposed_to(extra: Sequence[Term], own: Wording, other: Wording) -> bool:
    """A word that only one has is the opposite of one that the other has, and has more often."""
    ours = [t.key for t in own.terms if not t.title]
    theirs = [t for t in other.terms if not t.old and not t.title]
    keys = [t.key for t in theirs]
    return any(
        opposed(x, y) and not denied_otherwise(x, y) and keys.count(y.key) > ours.count(y.key)
        for x in extra
        if not x.old and not x.title
        for y in theirs
    )


_SMALL = ("1", "2", "0.5")
_FACTS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("date", (Kind.DATE, Kind.TIME, Kind.WEEKDAY)),
    ("code", (Kind.CODE,)),
)


def _names(terms: Sequence[Term]) -> bool:
    return any(term.kind >= Kind.NAME for term in terms)


def negations_agree(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """As many negations in both, where "forbidden" and "instead of" may stand for "not"."""
    ours, theirs = a.negations, b.negations
    for x, y in agreement.pairs:
        if denied_otherwise(x, y):
            ours, theirs = ours - x.negated, theirs - y.negated
    if ours == theirs:
        return not any(t.lack for t in agreement.left + agreement.right) or a.lacks == b.lacks
    return ours + a.lacks == theirs + b.lacks or _denials(a) == _denials(b)


def _denials(wording: Wording) -> int:
    return wording.negations + wording.lacks + wording.rejections


def _denial_range(wording: Wording) -> frozenset[int]:
    """How many denials a wording may be said to have: what lacks as a reason, and what ends, may be told without."""
    least = _denials(wording)
    return frozenset(range(least, least + wording.lacks_aside + (Mark.END in wording.marks) + 1))


def are_kinds(first: Term, second: Term) -> bool:
    """Whether two long words are compounds with one head: `Testdatenbank`, `Kundendatenbank`."""
    if first.title or second.title:
        return False
    ours, theirs = first.surface.lower(), second.surface.lower()
    head = 0
    while head < min(len(ours), len(theirs)) and ours[-head - 1] == theirs[-head - 1]:
        head += 1
    return head >= SHORTEST_HEAD and min(len(ours), len(theirs)) - head >= SHORTEST_MODIFIER


def switched(a: Wording, b: Wording) -> bool:
    """ "On by default", "off by default"; "with names", "without names": little words that no term stands for."""
    first, second = (
        {(_WITH[w], after) for w, after in pairwise(x.words) if w in _WITH and after not in ARTICLES} for x in (a, b)
    )
    if any((not has, after) in second for has, after in first):
        return True
    ours, theirs = _states(a.words), _states(b.words)
    return any(
        (x in ours and y not in ours and y in theirs and x not in theirs)
        or (y in ours and x not in ours and x in theirs and y not in theirs)
        for x, y in _SWITCHES
    )


def _states(words: Sequence[str]) -> set[str]:
    """The words without those that look like a state and are none: "call us on 0800", "the alarm goes off"."""
    stated = {after for before, after in pairwise(words) if before in _STATES or after not in _AMBIGUOUS}
    stated |= {*words[:1], *words[-1:]}
    follows = set(pairwise(words))
    measured = ("off", "by") in follows and ("by", "default") not in follows  # "the dates are off by a day"
    return stated - {"off"} if measured else stated


_AMBIGUOUS = frozenset(words("on off an aus aan uit"))
_STATES = frozenset(
    words(
        """is are was were be been stays stay set turn turned switch switched keep keeps kept default always ist sind
        war bleibt immer standardmäßig staat staan blijft altijd standaard"""
    )
)
_WITH = {"with": True, "without": False, "mit": True, "ohne": False, "met": True, "zonder": False}
_SWITCHES = (
    ("on", "off"),
    ("inside", "outside"),
    ("an", "aus"),
    ("aan", "uit"),
    ("above", "below"),
    ("least", "exactly"),
    ("most", "exactly"),
    ("mindestens", "genau"),
    ("höchstens", "genau"),
    ("minstens", "precies"),
    ("hoogstens", "precies"),
)


def turned_round(agreement: Agreement) -> bool:
    """What one prefers or moves to is what the other rejects or moves from."""
    pairs = [(x, y) for x, y in agreement.pairs if x.kind > Kind.LIGHT]
    swapped = any(x.old and not y.old for x, y in pairs) and any(y.old and not x.old for x, y in pairs)
    return swapped or any(frozenset((x.link, y.link)) in _CONTRARY for x, y in agreement.pairs)


_CONTRARY_PAIRS = ("to/from", "before/after", "with/without", "over/under", "above/below", "on/off")
_CONTRARY = frozenset(frozenset(pair.split("/")) for pair in _CONTRARY_PAIRS)


def roles_swapped(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """Each begins with a name that is what the other acts upon: "Gina helps Jon", "Jon helps Gina"."""
    first, second = body_terms(a)[:1], body_terms(b)[:1]
    if not first or not second or first[0].key == second[0].key or a.identity or b.identity or a.language == "de":
        return False
    acted = [
        next((y for x, y in agreement.pairs if x.key == first[0].key), None),
        next((x for x, y in agreement.pairs if y.key == second[0].key), None),
    ]
    named = all(subject[0].surface[:1].isupper() and not subject[0].link for subject in (first, second))
    if not named or any(term is None or term.kind is not Kind.NAME for term in acted):
        return False
    return all(term is not None and term.link in ("", "to") for term in acted)


def body_terms(wording: Wording) -> list[Term]:
    return [term for term in wording.terms if not term.title]


def substituted(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """A few words of each stand between words that are the same: the same sentence about something else."""
    partner = {x.key: y.key for x, y in agreement.pairs}
    ours, theirs = _places(a, agreement.left), _places(b, agreement.right)
    return any((partner.get(before, before), partner.get(after, after)) in theirs for before, after in ours)


def _cleared(term: Term) -> bool:
    """Whether a text says of something that it had nothing to do with it."""
    return term.old and term.negated and term.kind > Kind.LIGHT


def _denied_here(term: Term) -> bool:
    return term.old or term.negated


def one_word_differs(a: Wording, b: Wording, agreement: Agreement) -> bool:
    """The same words in the same order but for single ones, which mean something else: who says the same in other words
    changes more than that."""
    if len(a.words) != len(b.words):
        return False
    left, right = ({t.surface.lower() for t in telling(terms)} for terms in (agreement.left, agreement.right))
    parted = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
    return bool(parted) and all(x in left and y in right for x, y in parted)


def reordered(agreement: Agreement) -> bool:
    """Whether two wordings tell the same things in another order: then they are two sentences, and a word in the place
    of another may be another way to say it."""
    places = sorted((x.at, y.at) for x, y in agreement.pairs if x.kind > Kind.LIGHT and not x.title and not y.title)
    count = len(places)
    turned = sum(places[i][1] > places[j][1] for i in range(count) for j in range(i + 1, count))
    return count >= FRAME and turned >= REORDERED * count * (count - 1) / 2


def plain_word(term: Term) -> bool:
    """A word that is no name; one with a capital at the start of a sentence may be one."""
    return term.kind in (Kind.LIGHT, Kind.WORD) and not term.surface[:1].isupper()


def _places(wording: Wording, unpaired: Sequence[Term]) -> set[tuple[str, str]]:
    """The terms around each short run of words without a partner, where one of the two is no name; an empty string
    at an end of the text."""
    alone = {term.key for term in unpaired if not term.title}
    places: set[tuple[str, str]] = set()
    before: Term | None = None
    run: list[Term] = []
    for term in [*body_terms(wording), None]:
        if term is not None and term.key in alone:
            run.append(term)
            continue
        content = [t for t in run if t.kind in (Kind.WORD, Kind.NAME)]
        anchored = any(t is not None and plain_word(t) for t in (before, term))
        if content and len(content) <= LONGEST_VALUE and anchored:
            places.add((before.key if before else "", term.key if term else ""))
        before, run = term, []
    return places


def mends(faulty: Wording, whole: Wording, agreement: Agreement) -> bool:
    """The first wording tells of a fault, and the second that the same thing works again; or the first of what is still
    to be done, and the second that it is done."""
    if not _OPEN.isdisjoint(faulty.words) and not _DONE.isdisjoint(whole.words):
        return _OPEN.isdisjoint(whole.words) and _DONE.isdisjoint(faulty.words)
    fault = any(term.key in _FAULTS and not term.title for term in agreement.left)
    again = not _AGAIN.isdisjoint(whole.words) or tells_fix(whole)
    known = any(term.key in _FAULTS and not term.title for term in whole.terms)
    return fault and again and not known and not tells_fix(faulty)


_OPEN = frozenset(words("still pending unfinished underway wip blocked waiting noch offen unfertig nog bezig"))
_DONE = frozenset(
    words(
        """finished completed done delivered ready approved landed unblocked fertig erledigt abgeschlossen klaar
        afgerond af"""
    )
)
_AGAIN = frozenset({"again", "wieder", "weer"})
_FAULTS = frozenset(
    map(
        root, ("fail", "error", "crash", "broken", "bug", "hang", "fehler", "fehlgeschlagen", "kaputt", "fout", "kapot")
    )
)
_FIXED = frozenset(map(root, ("fix", "fixed", "solved", "resolved", "helped", "cured")))


def tells_fix(wording: Wording) -> bool:
    """Whether a text tells how a fault went away: what ends in it is the fault."""
    return any(t.key in _FIXED for t in wording.terms)

"""What one note of a session tells that another tells already: the fuller stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.core.note import Draft, Namespace, NoteType
from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.deeds import DONE
from seci.distillers.general import is_general
from seci.distillers.mended import FIXED
from seci.distillers.outcomes import names_in
from seci.distillers.sentences import count_words, split_sentences

COVERED = 0.75  # of the words of a sentence that are in what tells it
NAMED = 0.6  # of the names of such a sentence
SAME_CLAIM = 0.75  # of the content words of the shorter of two titles of one claim
SAME_BODY = 0.4  # of those of the shorter of their bodies, where they rest on different turns
SAME_CAUSE = 0.4  # of those of what is told before one outcome
SAME_ENDING = 0.6  # of the words of two endings that report one change
CLAIM_WORDS = 4  # of such a title at least

_OF_THE_PROJECT = (Namespace.DOCS, Namespace.PROJECTS, Namespace.SOLUTIONS)
_CHANGED = re.compile(rf"{DONE}\w+ed\b|The (?:\w+ )?fix was to\b")
_COMMENTS = re.compile(r"(?:This|That|It|Which) (?!change\b)")
# What the user came with, at the beginning of an episode.
_OPENING = re.compile(r"^The user [^\".]*\"[^\"]*\"\s*|^The user [^.]*\.(?:\s|$)")


def drop_retold(drafts: Sequence[Draft]) -> list[Draft]:
    """The notes without those that another one tells, makes the claim of, or ends with the outcome of."""
    kept: list[Draft] = []
    full: list[Draft] = []
    for draft in sorted(drafts, key=lambda one: -count_words(one.body)):
        teller = next((at for at, other in enumerate(full) if tells(other.body, draft.body)), None)
        if teller is None:
            full.append(draft)
        elif draft.importance > full[teller].importance:  # the point of the fuller note
            full[teller] = replace(full[teller], title=draft.title, importance=draft.importance)
    for draft in sorted(full, key=lambda one: -one.importance):
        if not any(_end_the_same(draft, other) or _claim_the_same(draft, other) for other in kept):
            kept.append(draft)
    places = {draft.body: at for at, draft in enumerate(drafts)}
    return sorted(kept, key=lambda one: places[one.body])


def drop_told_by(episode: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """The notes without the facts of one sentence that the episode tells, whatever comment follows it. What the user
    wants or decided is looked for by itself."""
    facts = [
        one for one in drafts if one.type in (NoteType.FACT, NoteType.SOLUTION) and one.namespace in _OF_THE_PROJECT
    ]
    claims = {fact.body: _claims(fact.body) for fact in facts}
    single = [fact for fact in facts if len(claims[fact.body]) == 1]
    return [draft for draft in drafts if draft not in single or not tells(episode.body, claims[draft.body][0])]


def _claims(body: str) -> list[str]:
    """The sentences of a note without those that only comment on the one before."""
    return [one for at, one in enumerate(split_sentences(body)) if at == 0 or not _COMMENTS.match(one)]


def is_retold(episode: Draft, drafts: Sequence[Draft]) -> bool:
    """Whether the notes tell all of an episode but what the user came with."""
    return bool(drafts) and tells(" ".join(draft.body for draft in drafts), _OPENING.sub("", episode.body))


def tells(text: str, told: str) -> bool:
    """Whether most words and names of each sentence of `told` are in `text`."""
    words, names = stems(content_words(text)), names_in(text)
    for sentence in split_sentences(told):
        mine, named = stems(content_words(sentence)), names_in(sentence)
        if len(mine & words) < COVERED * len(mine) or len(named & names) < NAMED * len(named):
            return False
    return True


def _end_the_same(a: Draft, b: Draft) -> bool:
    """Whether two notes are told with one outcome, and what one tells before it is alike or known to everybody."""
    *mine, ending = split_sentences(a.body)
    *theirs, last = split_sentences(b.body)
    if not mine or not theirs or not (ending == last or _do_the_same(ending, last)):
        return False
    known = all(map(is_general, mine)) or all(map(is_general, theirs))
    mended = a.title.startswith(FIXED) and b.title.startswith(FIXED)
    if known or (mended and names_in(" ".join(mine)) & names_in(" ".join(theirs))):
        return True
    return overlap(stems(content_words(" ".join(mine))), stems(content_words(" ".join(theirs)))) >= SAME_CAUSE


def _do_the_same(a: str, b: str) -> bool:
    """Whether two sentences report one change in other words."""
    if not (_CHANGED.match(a) and _CHANGED.match(b) and names_in(a) & names_in(b)):
        return False
    return overlap(stems(content_words(a)), stems(content_words(b))) >= SAME_ENDING


def _claim_the_same(a: Draft, b: Draft) -> bool:
    """Whether two notes make one claim in nearly the same words of their titles, of one turn or of other turns."""
    mine, theirs = content_words(a.title), content_words(b.title)
    if min(len(mine), len(theirs)) < CLAIM_WORDS or overlap(mine, theirs) < SAME_CLAIM:
        return False
    bodies = stems(content_words(a.body)), stems(content_words(b.body))
    return bool(set(a.turns) & set(b.turns)) or overlap(*bodies) >= SAME_BODY

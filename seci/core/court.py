"""The candidate pairs of a plan while notes come and go, and what was judged of them.

Each pair is judged once for as long as its two notes stay what they are, so that a plan costs what its pairs cost.
Where nothing forbids that two notes are one or replace each other, both are read at once (`ports.PairReader`): a
hundred times as dear as the rules, so only then, and once for each two texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from seci.core.conflict import conflicts, in_order
from seci.core.neighbours import CandidatePair
from seci.core.note import Note, Status
from seci.core.opinion import Opinion
from seci.core.ports import PairReader
from seci.core.verdict import Relation, Verdict

NEAR = 0.8  # cosine from which on a pair that is kept apart is worth showing
Key = tuple[str, str]  # two ids in order
_Texts = tuple[str, str, str, str]  # titles and bodies, the older note's first
_READ_AT_ONCE = 512


def takes_part(note: Note) -> bool:
    """Superseded and archived notes take part in nothing."""
    return note.status in (Status.ACTIVE, Status.STALE)


class Court:
    """Judges pairs of notes by id. `touch`, `redirect` and `admit` say what became of notes in between. Without a
    `reader` the rules and the odds decide alone."""

    def __init__(self, pairs: Iterable[CandidatePair], reader: PairReader | None = None) -> None:
        self._reader = reader
        self._opinions: dict[_Texts, Opinion] = {}
        self._similar = {_key(pair.a, pair.b): pair.similarity for pair in pairs if pair.a != pair.b}
        self._verdicts: dict[Key, Verdict] = {}
        self._open: set[Key] | None = None  # to be judged; None: all of them
        self._partners: dict[str, list[str]] = defaultdict(list)
        for a, b in self._similar:
            self._partners[a].append(b)
            self._partners[b].append(a)

    def similarity(self, a: str, b: str, default: float = 1.0) -> float:
        return self._similar.get(_key(a, b), default)

    def judge(self, state: Mapping[str, Note]) -> list[Verdict]:
        """What is known of the pairs whose notes both take part, in order of their ids. Pairs that are kept apart are
        left out unless they are near."""
        pending = sorted(self._similar if self._open is None else self._open & self._similar.keys())
        self._open = set()
        for start in range(0, len(pending), _READ_AT_ONCE):
            keys = pending[start : start + _READ_AT_ONCE]
            cases = []
            for key in keys:
                first, second = (state.get(ident) for ident in key)
                self._verdicts.pop(key, None)
                if first is not None and second is not None and takes_part(first) and takes_part(second):
                    cases.append((key, first, second))
            compared = self.compare([(a, b, self._similar[key]) for key, a, b in cases])
            for (key, _, _), verdict in zip(cases, compared, strict=True):
                if verdict.relation is not Relation.KEEP or self._similar[key] >= NEAR:
                    self._verdicts[key] = verdict
        return [self._verdicts[key] for key in sorted(self._verdicts)]

    def compare(self, pairs: Sequence[tuple[Note, Note, float]]) -> list[Verdict]:
        """Judges notes, each pair with its likeness, whether they are candidates or not."""
        verdicts = [conflicts(a, b, similarity) for a, b, similarity in pairs]
        if self._reader is None:
            return verdicts
        asked = [at for at, verdict in enumerate(verdicts) if verdict.open]
        read = {at: in_order(*pairs[at][:2]) for at in asked}
        fresh = {_texts(*both): both for both in read.values() if _texts(*both) not in self._opinions}
        self._opinions.update(zip(fresh, self._reader.read(list(fresh.values())), strict=True))
        for at, both in read.items():
            verdicts[at] = conflicts(*pairs[at], self._opinions[_texts(*both)])
        return verdicts

    def touch(self, ident: str) -> None:
        """A note is not what it was: its pairs are judged again."""
        self._reopen(self._pairs_of(ident))

    def admit(self, a: str, b: str, similarity: float) -> None:
        """Adds a pair, or raises what is known of its likeness."""
        key = _key(a, b)
        known = self._similar.get(key)
        if known is None:
            self._partners[a].append(b)
            self._partners[b].append(a)
        if known is None or known < similarity:
            self._similar[key] = similarity
            self._reopen([key])

    def redirect(self, kept: str, lost: str) -> None:
        """Lets the pairs of a note that went name the one that took it in."""
        for key in self._pairs_of(lost):
            similarity = self._similar.pop(key)
            self._verdicts.pop(key, None)
            other = key[0] if key[1] == lost else key[1]
            if other != kept:
                self.admit(kept, other, similarity)
        self._partners.pop(lost, None)

    def _reopen(self, keys: Iterable[Key]) -> None:
        if self._open is not None:
            self._open.update(keys)

    def _pairs_of(self, ident: str) -> list[Key]:
        keys = {_key(ident, other) for other in self._partners.get(ident, ())}
        return [key for key in keys if key in self._similar]


def _key(a: str, b: str) -> Key:
    return (a, b) if a <= b else (b, a)


def _texts(older: Note, newer: Note) -> _Texts:
    return (older.title, older.body, newer.title, newer.body)

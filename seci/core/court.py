"""The candidate pairs of a plan while notes come and go, and what was judged of them.

Each pair is judged once for as long as its two notes stay what they are, so that a plan costs what its pairs cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from seci.core.conflict import Relation, Verdict, conflicts
from seci.core.neighbours import CandidatePair
from seci.core.note import Note, Status

NEAR = 0.8  # cosine from which on a pair that is kept apart is worth showing
Key = tuple[str, str]  # two ids in order


def takes_part(note: Note) -> bool:
    """Superseded and archived notes take part in nothing."""
    return note.status in (Status.ACTIVE, Status.STALE)


class Court:
    """Judges pairs of notes by id. `touch`, `redirect` and `admit` say what became of notes in between."""

    def __init__(self, pairs: Iterable[CandidatePair]) -> None:
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
        for key in pending:
            first, second = (state.get(ident) for ident in key)
            self._verdicts.pop(key, None)
            if first is None or second is None or not takes_part(first) or not takes_part(second):
                continue
            similarity = self._similar[key]
            verdict = conflicts(first, second, similarity)
            if verdict.relation is not Relation.KEEP or similarity >= NEAR:
                self._verdicts[key] = verdict
        return [self._verdicts[key] for key in sorted(self._verdicts)]

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

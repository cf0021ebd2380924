"""Is this note already there? Exact identity first, then the same words with the same numbers and negations."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from seci.core.conflict import conflicts
from seci.core.note import Note, Tier, normalise_title
from seci.core.verdict import Relation

SAME_WORDS = 0.9  # Jaccard index of the two notes' words from which on they say the same
_NEGATIONS = frozenset({"not", "no", "never", "none", "without", "don", "doesn", "isn", "aren", "won", "can", "cannot"})


@dataclass(slots=True)
class NoteIndex:
    """The notes of a vault by id, by normalised text and by word. Near-linear: only notes that share one of a note's
    rarest words are compared."""

    _ids: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _words: list[frozenset[str]] = field(default_factory=list)
    _notes: list[Note] = field(default_factory=list)
    _by_word: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _turns: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, note: Note) -> None:
        self._ids.add(note.id)
        self._texts.add(_text(note))
        for source in note.sources:
            self._turns[source.session].update(source.turns)
        words = _word_set(note)
        for word in words:
            self._by_word[word].append(len(self._words))
        self._words.append(words)
        self._notes.append(note)

    def has(self, note: Note) -> bool:
        """True where the same note stands there. An episode repeats only itself: two sessions may look alike."""
        if note.id in self._ids or _text(note) in self._texts:
            return True
        if note.tier is Tier.EPISODE:
            return False
        words = _word_set(note)
        rare = sorted(words, key=lambda w: (len(self._by_word.get(w, ())), w))[: max(1, len(words) // 5 + 1)]
        candidates = {i for word in rare for i in self._by_word.get(word, ())}
        alike = (self._notes[i] for i in candidates if _same(words, self._words[i]))
        # Equal words may say the opposite: "prefers tabs to spaces", "prefers spaces to tabs".
        return any(conflicts(known, note, 1.0).relation is Relation.MERGE for known in alike)

    def turns(self, session: str) -> frozenset[int]:
        """The turns of a session that notes cite."""
        return frozenset(self._turns.get(session, ()))


def _text(note: Note) -> str:
    return f"{normalise_title(note.title)}\n{normalise_title(note.body)}"


def _word_set(note: Note) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", f"{note.title} {note.body}".casefold()))


def _same(a: frozenset[str], b: frozenset[str]) -> bool:
    differing = a ^ b
    if any(any(c.isdigit() for c in word) for word in differing) or differing & _NEGATIONS:
        return False
    return len(a & b) / max(1, len(a | b)) >= SAME_WORDS

"""Which notes are worth comparing, by the vectors that the index holds; what it lacks is embedded.

notes -> chunks -> vectors (by digest) -> one vector a note -> candidate pairs
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from seci.core.apart import are_kept_apart
from seci.core.chunk import Kind, chunk_note, digest_passage, join_heading
from seci.core.conflict import conflicts
from seci.core.context import Candidate
from seci.core.court import takes_part
from seci.core.document import Record
from seci.core.neighbours import CandidatePair, content_words, select_pairs
from seci.core.note import Namespace, Note, NoteType, Status, Tier
from seci.core.ports import Embedder, Index, TokenCounter
from seci.core.verdict import Relation, Verdict
from seci.errors import VaultError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFLICT_FLOOR, CONFLICT_CEILING = 0.75, 0.92  # cosine between which candidates may conflict (context seed)
KEPT_VERDICTS, KEPT_WORDS = 10_000, 20_000
CONSIDERED = 100  # candidates that are compared, the most relevant first
LEAST_IN_COMMON = 0.35  # share of the shorter note's words that two must have in common to be read
JUDGED = 12  # pairs of candidates that one question reads, the most alike first: about 0.5 ms each when cold
EMBEDDED_AT_ONCE = 512


class NotePairs:
    """Finds the candidate pairs of one run: called again on the notes that are left, it embeds nothing twice."""

    def __init__(self, index: Index, embedder: Embedder, counter: TokenCounter) -> None:
        self._index = index
        self._embedder = embedder
        self._counter = counter
        self._row_of: dict[tuple[str, str], int] = {}
        self._matrix: NDArray[np.float32] | None = None

    def __call__(self, notes: Sequence[Note]) -> list[CandidatePair]:
        """Pairs among the notes that take part in consolidating: active and stale ones."""
        present = sorted((note for note in notes if takes_part(note)), key=lambda note: note.id)
        words = [content_words(f"{note.title} {note.body}") for note in present]
        return select_pairs([note.id for note in present], self.vectors(present), words)

    def vectors(self, notes: Sequence[Note]) -> NDArray[np.float32]:
        """(len(notes), dimensions), rows of length 1: the direction of the mean of a note's chunks."""
        import numpy as np

        fresh = {(note.title, note.body): note for note in notes if (note.title, note.body) not in self._row_of}
        known = np.zeros((0, self._embedder.dimensions), np.float32) if self._matrix is None else self._matrix
        if fresh:
            added = np.empty((len(fresh), self._embedder.dimensions), np.float32)
            pending = list(fresh.items())
            for start in range(0, len(pending), EMBEDDED_AT_ONCE):
                part = dict(pending[start : start + EMBEDDED_AT_ONCE])
                added[start : start + len(part)] = self._read(part.values())
            self._row_of.update({text: len(known) + i for i, text in enumerate(fresh)})
            known = self._matrix = np.concatenate([known, added]) if len(known) else added
        rows = [self._row_of[(note.title, note.body)] for note in notes]
        return known if rows == list(range(len(known))) else known[rows]

    def _read(self, notes: Collection[Note]) -> NDArray[np.float32]:
        import numpy as np

        window = self._embedder.window
        passages = [[chunk.passage for chunk in chunk_note(note, "", self._counter, window)] or [""] for note in notes]
        digests = {passage: digest_passage(passage) for parts in passages for passage in parts}
        held = self._index.known_vectors(set(digests.values()))
        missing = [passage for passage, digest in digests.items() if digest not in held]
        if missing:
            embedded = self._embedder.embed(missing)
            held = {**held, **{digests[p]: vector for p, vector in zip(missing, embedded, strict=True)}}
        return np.stack([_direction([held[digests[part]] for part in parts]) for parts in passages])


def _direction(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    import numpy as np

    mean = np.mean(np.stack(vectors), axis=0)
    length = float(np.linalg.norm(mean))
    unit: NDArray[np.float32] = (mean / length if length else mean).astype(np.float32)
    return unit


def find_outdated(
    candidates: Sequence[Candidate], index: Index, read: Callable[[str], Note] | None = None
) -> dict[str, str]:
    """The contradiction pass over candidates for a context: id of each that conflicts with a newer one, to the latest
    such. Where no time tells which is newer, both stay, and so do two that a person has kept apart: `read` gives the
    note of a path, and is asked for those that conflict only, since the index does not know what a person decided."""
    judged: list[tuple[datetime, str, str]] = []
    alike = _select_alike(candidates, index)
    records = index.records_at(c.path for a, b, _ in alike for c in (a, b))
    for a, b, similarity in alike:
        first, second = records.get(a.path), records.get(b.path)
        if first is None or second is None:
            continue
        verdict = _judge(first, second, similarity)
        times = {first.id: first.created, second.id: second.created}
        older, newer = times[verdict.older], times[verdict.newer]
        conflicting = verdict.relation in (Relation.SUPERSEDE, Relation.CONTRADICTION)
        if not conflicting or older is None or newer is None or older >= newer:
            continue
        if read is None or not _decided_apart(read, a.path, b.path):
            judged.append((newer, verdict.newer, verdict.older))
    return {older: newer for _, newer, older in sorted(judged)}


def _decided_apart(read: Callable[[str], Note], first: str, second: str) -> bool:
    try:
        return are_kept_apart(read(first), read(second))
    except VaultError:  # edited or gone since it was indexed: what a person decided about it is not known
        return False


@lru_cache(KEPT_VERDICTS)
def _judge(first: Record, second: Record, similarity: float) -> Verdict:
    """Kept, because the same notes come up in one context after another."""
    return conflicts(_note(first), _note(second), similarity)


def _note(record: Record) -> Note:
    return Note(
        id=record.id,
        title=record.title,
        body=record.body,
        namespace=record.namespace or Namespace.DOCS,
        tier=record.tier or Tier.MEMORY,
        type=record.type or NoteType.OTHER,
        project=record.project,
        created=record.created,
        valid_from=record.valid_from,
    )


def _select_alike(candidates: Sequence[Candidate], index: Index) -> list[tuple[Candidate, Candidate, float]]:
    """Pairs of notes whose cosine lies where conflicts are found.

    Only notes of one chunk, which need no second look at the model: a longer one tells a story, and in those the
    judge finds no conflict anyway.
    """
    import numpy as np

    live = [c for c in candidates if c.kind is Kind.DISTILLED and c.status in (Status.ACTIVE, Status.STALE)]
    live = sorted(live, key=lambda c: (-c.relevance, c.id))[:CONSIDERED]
    digests = {digest_passage(join_heading(" ".join(c.title.split()), c.text.strip(), Kind.DISTILLED)): c for c in live}
    held = index.known_vectors(digests)
    found = [(digests[digest], vector) for digest, vector in sorted(held.items())]
    if len(found) < 2:
        return []
    matrix = np.stack([vector for _, vector in found])
    cosines = np.triu(matrix @ matrix.T, 1)
    alike = (cosines >= CONFLICT_FLOOR) & (cosines <= CONFLICT_CEILING)
    if not alike.any():
        return []
    rows, columns = np.nonzero(alike & _share_words([_words(c.title, c.text) for c, _ in found]))
    likest = np.argsort(-cosines[rows, columns], kind="stable")[:JUDGED]
    chosen = zip(rows[likest].tolist(), columns[likest].tolist(), strict=True)
    return [(found[i][0], found[j][0], float(cosines[i, j])) for i, j in chosen]


def _share_words(words: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """(n, n) whether two notes have so many words in common that one may be about what the other is about: reading
    both takes a hundred times as long, and most notes of one project are alike without being about the same thing."""
    import numpy as np

    column = {word: number for number, word in enumerate(dict.fromkeys(word for own in words for word in own))}
    held = np.zeros((len(words), len(column)), np.float32)
    for number, own in enumerate(words):
        held[number, [column[word] for word in own]] = 1.0
    sizes = held.sum(axis=1)
    enough = np.maximum(2.0, LEAST_IN_COMMON * np.minimum(sizes[:, None], sizes))
    shared: NDArray[np.bool_] = held @ held.T >= enough
    return shared


@lru_cache(KEPT_WORDS)
def _words(title: str, text: str) -> tuple[str, ...]:
    return content_words(f"{title} {text}")

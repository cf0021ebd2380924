"""Reindex: make the index hold what the vault holds.

    what the vault holds, what the index holds -> difference -> load -> chunk -> embed -> apply

The difference is a pure merge-walk over paths and digests, so that only files that changed are read; a chunk that is
known by its digest is not embedded again, wherever it moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, chunk_note, chunk_session
from seci.core.document import Document, record_note, record_session
from seci.core.ports import Embedder, Holdings, Index, StoredNote, StoredSession, TokenCounter
from seci.core.session import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNKS_AT_ONCE = 512  # embedded and applied together: bounds memory, and what a crash costs


@dataclass(frozen=True, slots=True)
class Difference:
    """What must happen to the index, as vault paths in order. `renamed` maps new paths to old ones, which stand in
    `added` and `removed` as well."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """Files by what happened to them; `chunks` counts those embedded, `reused` those whose vector was known.
    `rebuilt` says why the index had been emptied, None where it was kept."""

    added: int = 0
    modified: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    chunks: int = 0
    reused: int = 0
    rebuilt: str | None = None
    failures: tuple[Failure, ...] = ()


def reindex(
    holdings: Holdings,
    index: Index,
    embedder: Embedder,
    counter: TokenCounter,
    progress: Callable[[int, int], None] = lambda steps, total: None,
) -> ReindexReport:
    """Applies the difference between vault and index. `progress` gets (files done since it was
    last called, files to do in all).

    A file that is neither note nor session is a failure of the report, leaves the index and the rest goes on. Raises
    IndexingError, ModelError.
    """
    rebuilt = index.emptied
    index.settle()
    change = plan_difference(holdings.listing(), index.listing())
    gone = {path for path in change.removed if path not in {old for _, old in change.renamed}}
    if gone:
        index.apply(removed=gone)
    work = _Work(index, embedder)
    failures: list[Failure] = []
    paths = sorted((*change.added, *change.modified))
    reported = 0
    old_of = dict(change.renamed)
    for done, path in enumerate(paths, start=1):
        loaded = holdings.load(path)
        if isinstance(loaded, Failure):
            failures.append(loaded)
        if loaded is None or isinstance(loaded, Failure):
            work.remove({path, old_of.get(path, path)})
        else:
            work.add(build_document(loaded, counter, embedder.window), old_of.get(path))
        if work.full or done == len(paths):
            work.apply()
            progress(done - reported, len(paths))
            reported = done
    index.emptied = None  # also where nothing could be applied: it now holds what the vault does
    return ReindexReport(
        added=len(change.added) - len(change.renamed),
        modified=len(change.modified),
        removed=len(gone),
        renamed=len(change.renamed),
        unchanged=change.unchanged,
        chunks=work.embedded,
        reused=work.reused,
        rebuilt=rebuilt,
        failures=tuple(failures),
    )


def check_index(holdings: Holdings, index: Index) -> list[str]:
    """How the index differs from what a rebuild would give, in words; empty when it does not."""
    change = plan_difference(holdings.listing(), index.listing())
    readable = [path for path in change.added if not isinstance(holdings.load(path), Failure)]
    return [
        *([f"rebuild needed: {index.emptied}"] if index.emptied else []),
        *(f"not indexed: {path}" for path in readable),
        *(f"changed since: {path}" for path in change.modified),
        *(f"no longer in the vault: {path}" for path in change.removed),
        *index.verify(),
    ]


def plan_difference(vault: Iterable[tuple[str, str]], indexed: Iterable[tuple[str, str]]) -> Difference:
    """A merge-walk over (path, digest) pairs of both sides. A file that went and one with the same digest that came
    are one that was renamed (by order of paths where several are alike)."""
    ours, theirs = sorted(vault), sorted(indexed)
    added: list[tuple[str, str]] = []
    removed: list[tuple[str, str]] = []
    modified: list[str] = []
    unchanged = here = there = 0
    while here < len(ours) or there < len(theirs):
        if there == len(theirs) or (here < len(ours) and ours[here][0] < theirs[there][0]):
            added.append(ours[here])
            here += 1
        elif here == len(ours) or theirs[there][0] < ours[here][0]:
            removed.append(theirs[there])
            there += 1
        else:
            if ours[here][1] == theirs[there][1]:
                unchanged += 1
            else:
                modified.append(ours[here][0])
            here += 1
            there += 1
    return Difference(
        added=tuple(path for path, _ in added),
        modified=tuple(modified),
        removed=tuple(path for path, _ in removed),
        unchanged=unchanged,
        renamed=tuple(_renames(added, removed)),
    )


def build_document(stored: StoredNote | StoredSession, counter: TokenCounter, window: int) -> Document:
    """The record and chunks of a file; no chunk is longer than `window` tokens."""
    if isinstance(stored, StoredNote):
        note = stored.note
        tokens = counter.count(f"{note.title}\n{note.body}")
        record = record_note(note, stored.path, stored.digest, tokens)
        return Document(record, tuple(chunk_note(note, stored.path, counter, window)))
    record = record_session(stored.session, stored.path, stored.digest)
    return Document(record, tuple(chunk_session(stored.session, stored.path, counter, window)))


class _Work:
    """Documents on their way into the index, embedded and applied together."""

    def __init__(self, index: Index, embedder: Embedder) -> None:
        self.embedded = self.reused = 0
        self._index = index
        self._embedder = embedder
        self._documents: list[Document] = []
        self._removed: set[str] = set()
        self._chunks = 0

    @property
    def full(self) -> bool:
        return self._chunks >= CHUNKS_AT_ONCE

    def add(self, document: Document, moved_from: str | None) -> None:
        self._documents.append(document)
        self._chunks += len(document.chunks)
        if moved_from:
            self._removed.add(moved_from)

    def remove(self, paths: Iterable[str]) -> None:
        self._removed.update(paths)

    def apply(self) -> None:
        vectors = self._vectors([chunk for document in self._documents for chunk in document.chunks])
        self._index.apply(list(zip(self._documents, _split(vectors, self._documents), strict=True)), self._removed)
        self._documents, self._removed, self._chunks = [], set(), 0

    def _vectors(self, chunks: Sequence[Chunk]) -> NDArray[np.float32]:
        """(len(chunks), dimensions): looked up by digest, embedded where the index has none."""
        import numpy as np

        known = self._index.known_vectors({chunk.digest for chunk in chunks})
        unknown = {chunk.digest: chunk.passage for chunk in chunks if chunk.digest not in known}
        if unknown:
            known.update(zip(unknown, self._embedder.embed(list(unknown.values())), strict=True))
        self.embedded += len(unknown)
        self.reused += len(chunks) - len(unknown)
        if not chunks:
            return np.zeros((0, self._embedder.dimensions), np.float32)
        return np.stack([known[chunk.digest] for chunk in chunks])


def _split(vectors: NDArray[np.float32], documents: Sequence[Document]) -> Iterator[NDArray[np.float32]]:
    start = 0
    for document in documents:
        yield vectors[start : start + len(document.chunks)]
        start += len(document.chunks)


def _renames(added: Sequence[tuple[str, str]], removed: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    lost: dict[str, list[str]] = {}
    for path, digest in removed:
        lost.setdefault(digest, []).append(path)
    for path, digest in added:
        if lost.get(digest):
            yield path, lost[digest].pop(0)

"""Generated sessions and notes, for scale: words after Zipf's law, and vectors in clusters, a session around one
centre, since evenly spread vectors would make every ranking easy."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from seci.core.chunk import Chunk, Kind, digest_passage
from seci.core.document import Document, Record
from seci.core.note import Namespace, NoteType, Provenance, Tier
from seci.core.session import Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Batch = list[tuple[Document, NDArray[np.float32]]]

CHUNKS_A_SESSION = 20
NOTE_SHARE = 10  # one document in so many is a note
WORDS_A_CHUNK = 45
VOCABULARY = 20_000
CLUSTERS = 64
SPREAD = 0.7  # noise against a centre of length 1
BATCH = 50  # documents that are written at once
_TIERS = (*[Tier.MEMORY] * 7, Tier.EPISODE, Tier.EPISODE, Tier.PROCEDURE)
_TYPES = (NoteType.FACT, NoteType.DECISION, NoteType.PREFERENCE)
_STEMS = [
    "hook",
    "session",
    "registry",
    "token",
    "branch",
    "commit",
    "index",
    "vector",
    "budget",
    "editor",
    "window",
    "server",
    "client",
    "format",
    "parser",
    "memory",
    "deploy",
    "release",
    "cache",
    "schema",
    "column",
    "report",
    "invoice",
    "travel",
    "garden",
    "recipe",
    "music",
    "doctor",
    "school",
    "market",
    "letter",
    "camera",
]
_ENDINGS = ("", "s", "ed", "ing", "er", "able", "ment", "less")


class Generator:
    """Sessions and notes that look like some, the same ones every time."""

    def __init__(self, dimensions: int) -> None:
        import numpy as np

        self._random = random.Random(7)
        self._numbers = np.random.default_rng(7)
        centres = self._numbers.normal(size=(CLUSTERS, dimensions))
        self._centres = centres / np.linalg.norm(centres, axis=1, keepdims=True)
        self._vocabulary = [
            f"{stem}{ending}{number or ''}"
            for number in range(VOCABULARY // (len(_STEMS) * len(_ENDINGS)) + 1)
            for stem in _STEMS
            for ending in _ENDINGS
        ]
        self._weights = [1 / rank for rank in range(1, len(self._vocabulary) + 1)]
        self._made = 0

    def question(self) -> str:
        """Six to twelve frequent words between question words."""
        words = self._random.choices(self._vocabulary[:250], k=self._random.randint(6, 12))
        return f"What did we decide about the {' '.join(words)}?"

    def documents(self, chunks: int) -> Iterator[Batch]:
        """Sessions and now and then a note, in batches that hold so many chunks in all."""
        return self._batches(chunks, CHUNKS_A_SESSION, lambda made: made % NOTE_SHARE == 0)

    def notes(self, count: int) -> Iterator[Batch]:
        """So many notes of one chunk each, in batches."""
        return self._batches(count, 1, lambda made: True)

    def sessions(self, chunks: int) -> Iterator[Batch]:
        """Sessions alone, in batches that hold so many chunks in all."""
        return self._batches(chunks, CHUNKS_A_SESSION, lambda made: False)

    def _batches(self, chunks: int, size: int, is_note: Callable[[int], bool]) -> Iterator[Batch]:
        batch: Batch = []
        while chunks > 0:
            count = min(size, chunks)
            self._made += 1
            batch.append(self._document(count, note=is_note(self._made)))
            chunks -= count
            if len(batch) == BATCH or chunks <= 0:
                yield batch
                batch = []

    def _document(self, count: int, *, note: bool) -> tuple[Document, NDArray[np.float32]]:
        import numpy as np

        kind = Kind.DISTILLED if note else Kind.RAW
        at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=self._made)
        key = f"note-{self._made}" if note else f"generated:{self._made}"
        path = f"{'docs' if note else 'sessions'}/{self._made}.md"
        chunks = tuple(self._chunk(kind, key, path, number, at) for number in range(count))
        record = Record(path, hashlib.sha256(path.encode()).hexdigest(), kind, key, key, f"number {self._made}")
        if note:
            record = replace(
                record,
                body=chunks[0].text,
                tokens=WORDS_A_CHUNK,
                created=at,
                updated=at,
                namespace=Namespace.DOCS,
                tier=_TIERS[self._made % len(_TIERS)],
                type=_TYPES[self._made % len(_TYPES)],
                importance=0.3 + 0.1 * (self._made % 7),
                sources=(Provenance(f"generated-{self._made % 97}", (self._made % 31,)),),
            )
        else:
            record = replace(record, created=at)
        centre = self._centres[self._made % CLUSTERS]
        vectors = centre + self._numbers.normal(size=(count, len(centre))) * (SPREAD / len(centre) ** 0.5)
        unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return Document(record, chunks), unit

    def _chunk(self, kind: Kind, key: str, path: str, number: int, at: datetime) -> Chunk:
        text = " ".join(self._random.choices(self._vocabulary, self._weights, k=WORDS_A_CHUNK))
        raw = kind is Kind.RAW
        return Chunk(
            id=f"{path}#{number}",
            kind=kind,
            parent=key,
            path=path,
            text=text,
            tokens=WORDS_A_CHUNK,
            digest=digest_passage(text),
            turns=(number,) if raw else (),
            role=(Role.USER, Role.ASSISTANT)[number % 2] if raw else None,
            at=at if raw else None,
        )

"""What a question costs as the index grows, in multiples of embedding the question alone.

Quality is measured on real sessions; for scale the index is filled with generated ones: words after Zipf's law, and
vectors in clusters, a session around one centre, since evenly spread vectors would make every ranking easy. The tables
are written without Chroma, which no question asks. Everything else is the warm process that a resident is.
"""

from __future__ import annotations

import hashlib
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.app import App
from seci.bench.hybrid import make_vault
from seci.bench.memo import read_clocks
from seci.bench.report import machine_shape, score_times
from seci.core.chunk import Chunk, Kind, digest_passage
from seci.core.document import Document, Record
from seci.core.note import Namespace, NoteType, Tier
from seci.core.ports import Embedder
from seci.core.ranking import Query
from seci.core.session import Role
from seci.index.keyword import KeywordTables, Stamp
from seci.index.tables import FOLDER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 200_000)
TARGETS = {10_000: 2.5, 100_000: 6.0}  # chunks -> most times the bare embedding, at the median
QUESTIONS = 100
WARMING = 5
CHUNKS_A_SESSION = 20
NOTE_SHARE = 10  # one document in so many is a note
WORDS_A_CHUNK = 45
VOCABULARY = 20_000
CLUSTERS = 64
SPREAD = 0.7  # noise against a centre of length 1
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


@dataclass(frozen=True, slots=True)
class Growth:
    """One size. Times in milliseconds, of a question and of its bare embedding, taken in turns; multiples are of the
    embedding's median, `cpu_multiple` of processor time, which a busy machine distorts less. `load_s` is the first
    question's, which loads the index; `memory_mb` the most that the process has taken so far."""

    chunks: int
    embed_ms: float
    p50_ms: float
    p95_ms: float
    p50_multiple: float
    p95_multiple: float
    cpu_multiple: float
    load_s: float
    memory_mb: float


def run_latency(
    environ: Mapping[str, str],
    embedder: Embedder,
    sizes: Sequence[int] = SIZES,
    questions: int = QUESTIONS,
    progress: Callable[[int, int | None], None] = lambda steps, total: None,
) -> list[Growth]:
    """Grows one index through the sizes and asks each the same questions. Needs about 2.5 GB of disk at 200,000."""
    generator = Generator(embedder.dimensions)
    asked = [generator.question() for _ in range(questions)]
    found = []
    with tempfile.TemporaryDirectory(prefix="seci-latency-") as folder:
        app = make_vault(Path(folder), environ, embedder)
        tables = _create_tables(app, embedder)
        written = 0
        for size in sorted(sizes):
            for batch in generator.documents(size - written):
                tables.replace((), batch)
                progress(sum(len(document.chunks) for document, _ in batch), max(sizes))
            written = size
            found.append(_measure(app, size, asked))
        tables.close()
    return found


def _measure(app: App, size: int, questions: Sequence[str]) -> Growth:
    with app.keeper.hold():
        began = read_clocks()
        app.search(Query(questions[0]))
        load = (read_clocks() - began).wall
        for question in questions[:WARMING]:
            app.search(Query(question))
        bare, whole = [], []
        for question in questions:
            began = read_clocks()
            app.embedder.embed_query(question)
            between = read_clocks()
            app.search(Query(question))
            bare.append(between - began)
            whole.append(read_clocks() - between)
    embedding, times = (score_times(1000 * spent.wall for spent in part) for part in (bare, whole))
    processor = [score_times(spent.cpu for spent in part)["p50"] for part in (bare, whole)]
    return Growth(
        chunks=size,
        embed_ms=round(embedding["p50"], 2),
        p50_ms=round(times["p50"], 2),
        p95_ms=round(times["p95"], 2),
        p50_multiple=round(times["p50"] / embedding["p50"], 2),
        p95_multiple=round(times["p95"] / embedding["p50"], 2),
        cpu_multiple=round(processor[1] / processor[0], 2),
        load_s=round(load, 2),
        memory_mb=round(peak_memory() / 1e6, 1),
    )


def latency_shape(growth: Sequence[Growth], questions: int, model: str) -> dict[str, Any]:
    return {
        "dataset": "latency",
        "questions": questions,
        "growth": [asdict(point) for point in growth],
        "targets": {str(size): most for size, most in TARGETS.items()},
        "model": model,
        "machine": machine_shape(),
    }


def peak_memory() -> int:
    """Bytes; the system counts in kilobytes, macOS in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def _create_tables(app: App, embedder: Embedder) -> KeywordTables:
    folder = app.state / FOLDER
    folder.mkdir(parents=True)
    tables = KeywordTables(folder)
    tables.create(Stamp(embedder.name, embedder.dimensions, embedder.window))
    return tables


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

    def documents(self, chunks: int) -> Iterator[list[tuple[Document, NDArray[np.float32]]]]:
        """Batches that hold so many chunks in all."""
        batch: list[tuple[Document, NDArray[np.float32]]] = []
        while chunks > 0:
            count = min(CHUNKS_A_SESSION, chunks)
            batch.append(self._document(count))
            chunks -= count
            if len(batch) == 50 or chunks <= 0:
                yield batch
                batch = []

    def _document(self, count: int) -> tuple[Document, NDArray[np.float32]]:
        import numpy as np

        self._made += 1
        note = self._made % NOTE_SHARE == 0
        kind = Kind.DISTILLED if note else Kind.RAW
        at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=self._made)
        key = f"note-{self._made}" if note else f"generated:{self._made}"
        path = f"{'docs' if note else 'sessions'}/{self._made}.md"
        record = Record(path, hashlib.sha256(path.encode()).hexdigest(), kind, key, key, f"number {self._made}")
        if note:
            record = Record(
                **{**asdict(record), "namespace": Namespace.DOCS, "tier": Tier.MEMORY, "type": NoteType.FACT}
            )
        chunks = tuple(self._chunk(kind, key, path, number, at) for number in range(count))
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

"""What a question and a context cost as the vault grows, in multiples of embedding the question alone.

Quality is measured on real sessions; for scale the index is filled with generated ones. The tables are written without
Chroma, which no question asks. Everything else is the warm process that a resident is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.app import App
from seci.bench.generated import Generator
from seci.bench.hybrid import make_vault
from seci.bench.memo import read_clocks
from seci.bench.memory import peak_memory
from seci.bench.report import machine_shape, score_times
from seci.core.ports import Embedder
from seci.core.ranking import Query
from seci.index.keyword import KeywordTables, Stamp
from seci.index.tables import FOLDER

if TYPE_CHECKING:
    from seci.bench.generated import Batch

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 200_000)
TARGETS = {10_000: 2.5, 100_000: 6.0}  # chunks -> most times the bare embedding, at the median
NOTES = (1_000, 10_000, 100_000)
ASSEMBLY_TARGETS = {10_000: 50.0, 100_000: 100.0}  # notes -> most milliseconds at the 95th percentile, idle machine
QUESTIONS = 100
WARMING = 5


@dataclass(frozen=True, slots=True)
class Growth:
    """One size. Times in milliseconds, of a question and of its bare embedding, taken in turns; multiples are of the
    embedding's median, `cpu_multiple` of processor time, which a busy machine distorts less. `load_s` is the first
    question's, which loads the index; `memory_mb` the most that the process has taken so far."""

    size: int
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
    """What a search costs in an index of so many chunks. Needs about 2.5 GB of disk at 200,000."""
    generator = Generator(embedder.dimensions)
    asked = [generator.question() for _ in range(questions)]
    return _grow(environ, embedder, sizes, generator.documents, lambda app: _measure(app, asked, search(app)), progress)


def run_assembly(
    environ: Mapping[str, str],
    embedder: Embedder,
    sizes: Sequence[int] = NOTES,
    questions: int = QUESTIONS,
    progress: Callable[[int, int | None], None] = lambda steps, total: None,
) -> list[Growth]:
    """What a context costs in a vault of so many notes and as many chunks of archived sessions."""
    generator = Generator(embedder.dimensions)
    asked = [generator.question() for _ in range(questions)]

    def documents(count: int) -> Iterable[Batch]:
        yield from generator.notes(count)
        yield from generator.sessions(count)

    return _grow(environ, embedder, sizes, documents, lambda app: _measure(app, asked, assemble(app)), progress)


def search(app: App) -> Callable[[str], object]:
    """Asks for the ranked list."""
    return lambda question: app.search(Query(question))


def assemble(app: App) -> Callable[[str], object]:
    """Asks for a context."""
    return lambda question: app.remember(Query(question), app.assembly_defaults())


def _grow(
    environ: Mapping[str, str],
    embedder: Embedder,
    sizes: Sequence[int],
    documents: Callable[[int], Iterable[Batch]],
    measure: Callable[[App], Growth],
    progress: Callable[[int, int | None], None],
) -> list[Growth]:
    """Grows one vault through the sizes and measures each."""
    found = []
    with tempfile.TemporaryDirectory(prefix="seci-latency-") as folder:
        app = make_vault(Path(folder), environ, embedder)
        with closing(_create_tables(app, embedder)) as tables:
            written = 0
            for size in sorted(sizes):
                for batch in documents(size - written):
                    tables.replace((), batch)
                    progress(sum(len(document.chunks) for document, _ in batch), None)
                written = size
                found.append(replace(measure(app), size=size))
    return found


def _measure(app: App, questions: Sequence[str], ask: Callable[[str], object]) -> Growth:
    with app.keeper.hold():
        began = read_clocks()
        ask(questions[0])
        load = (read_clocks() - began).wall
        for question in questions[:WARMING]:
            ask(question)
        bare, whole = [], []
        for question in questions:
            began = read_clocks()
            app.embedder.embed_query(question)
            between = read_clocks()
            ask(question)
            bare.append(between - began)
            whole.append(read_clocks() - between)
    embedding, times = (score_times(1000 * spent.wall for spent in part) for part in (bare, whole))
    processor = [score_times(spent.cpu for spent in part)["p50"] for part in (bare, whole)]
    return Growth(
        size=0,
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
    return _shape("latency", "chunks", growth, questions, model, TARGETS)


def assembly_shape(growth: Sequence[Growth], questions: int, model: str) -> dict[str, Any]:
    return _shape("assembly", "notes", growth, questions, model, ASSEMBLY_TARGETS)


def _shape(
    name: str, unit: str, growth: Sequence[Growth], questions: int, model: str, targets: Mapping[int, float]
) -> dict[str, Any]:
    points = [asdict(point) for point in growth]
    return {
        "dataset": name,
        "questions": questions,
        "growth": [{unit: point.pop("size"), **point} for point in points],
        "targets": {str(size): most for size, most in targets.items()},
        "model": model,
        "machine": machine_shape(),
    }


def _create_tables(app: App, embedder: Embedder) -> KeywordTables:
    folder = app.state / FOLDER
    folder.mkdir(parents=True)
    tables = KeywordTables(folder)
    tables.create(Stamp(embedder.name, embedder.dimensions, embedder.window))
    return tables

"""What planning a consolidation costs as the vault grows: `bench consolidate --growth`.

Each size is measured in a process of its own, whose memory is then its own: `python -m seci.bench.growth SIZE` prints
what it measured.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from seci.app import make_reader
from seci.bench.memory import peak_memory
from seci.bench.report import machine_shape
from seci.core.consolidation import plan_consolidation
from seci.core.neighbours import content_words, select_pairs
from seci.core.note import Namespace, Note, NoteType, Provenance, note_id
from seci.core.ports import PairReader
from seci.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
DIMENSIONS = 384  # as many as MiniLM has
BUDGET = {"notes": 10_000, "cpu_s": 60, "memory_mb": 600}  # what ten thousand notes may cost
REPEATED = 0.1  # share of the notes that say what another says
START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=400)
_SENTENCES = (
    "The {a} service listens on port {n}.",
    "{a} prefers {b} to {c}.",
    "The timeout of the {a} {b} is {n} seconds.",
    "The {a} moved from {b} to {c}.",
    "Never {a} the {b} without a {c}.",
    "When the {a} of the {b} fails, restart the {c} and wait {n} seconds. The {b} keeps its state.",
)


@dataclass(frozen=True, slots=True)
class PlanCost:
    """One size: processor seconds for finding pairs and for planning, megabytes at most (interpreter, notes and
    vectors included), and what came of it. Vectors are given, since a vault's index holds them."""

    notes: int
    pairs_s: float
    plan_s: float
    memory_mb: float
    pairs: int
    merged: int
    superseded: int


def run_growth(
    sizes: Sequence[int], progress: Callable[[int, int | None], None] = lambda steps, total: None
) -> list[PlanCost]:
    """Measures each size in a process of its own. Raises UserError naming the size whose process failed."""
    costs = []
    for size in sizes:
        done = subprocess.run([sys.executable, "-m", __name__, str(size)], capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise UserError(f"{size} notes could not be measured: {last}", subject="--notes")
        costs.append(PlanCost(**json.loads(done.stdout)))
        progress(1, len(sizes))
    return costs


def measure_plan(size: int, reader: PairReader | None = None) -> PlanCost:
    """Finds pairs and plans once, in this process."""
    notes = make_notes(size)
    words = [content_words(f"{note.title} {note.body}") for note in notes]
    vectors = make_vectors(words)
    began = time.process_time()
    pairs = select_pairs([note.id for note in notes], vectors, words)
    found = time.process_time()
    plan = plan_consolidation(notes, pairs, NOW, reader=reader)
    ended = time.process_time()
    return PlanCost(
        size,
        round(found - began, 2),
        round(ended - found, 2),
        round(peak_memory() / 1e6, 1),
        len(pairs),
        len(plan.successors),
        len(plan.supersedes),
    )


def make_notes(count: int) -> list[Note]:
    """Notes in invented words, a tenth of them said twice; the same for the same count."""
    chance = random.Random(5)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "ai")]
    words = ["".join(chance.choices(syllables, k=3)) for _ in range(count // 2 + 500)]
    notes: list[Note] = []
    for i in range(count):
        a, b, c = chance.choices(words, k=3)
        body = chance.choice(_SENTENCES).format(a=a, b=b, c=c, n=chance.randint(2, 9999))
        if notes and chance.random() < REPEATED:
            body = chance.choice(notes).body
        created, sources = START + timedelta(hours=i % 4000), (Provenance(f"x:{i // 8}", (i % 8,)),)
        ident = note_id(created, sources, body)
        notes.append(Note(ident, "", body, Namespace.DOCS, type=NoteType.FACT, created=created, sources=sources))
    return sorted(notes, key=lambda note: note.id)


def make_vectors(words: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """A direction a note: the sum of its words' own, so that notes of the same words are near."""
    import numpy as np

    directions: dict[str, NDArray[np.float32]] = {}
    vectors = np.zeros((len(words), DIMENSIONS), np.float32)
    for row, said in zip(vectors, words, strict=True):
        for word in said:
            if word not in directions:
                seed = zlib.crc32(word.encode())
                directions[word] = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
            row += directions[word]
        row /= np.linalg.norm(row) or 1.0
    return vectors


def growth_shape(costs: Sequence[PlanCost]) -> dict[str, Any]:
    return {
        "dataset": "consolidate",
        "budget": BUDGET,
        "growth": [asdict(cost) for cost in costs],
        "machine": machine_shape(),
    }


if __name__ == "__main__":
    print(json.dumps(asdict(measure_plan(int(sys.argv[1]), make_reader(os.environ)))))

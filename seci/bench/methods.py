"""What a retrieval method is to the benchmark, and the nine baselines by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from seci.bench.datasets import Case, Place
from seci.bench.plain import Bm25Unit, Bm25Window, DenseUnit, DenseWindow, Grep
from seci.bench.seed import SeedExtract, SeedHybrid, SeedRaw, SeedUser
from seci.core.ports import Embedder
from seci.core.ranking import Unit
from seci.core.session import Session

REFERENCE = "seed-hybrid"  # what the paired tests compare with
HYBRID = "hybrid"


def ablation_name(feature: str) -> str:
    """What `hybrid` without one kind of evidence is called."""
    return f"{HYBRID} -{feature}"


def is_ablation(name: str) -> bool:
    return name.startswith(ablation_name(""))


class Method(Protocol):
    """Indexes one haystack at a time."""

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        """Forgets what was indexed before. The units to rank are the sessions, or their turns."""

    def rank(self, case: Case, depth: int) -> list[Place]:
        """The first `depth` units for the question, best first, no unit twice."""

    def size(self) -> int:
        """Bytes that the index takes."""


BASELINES: dict[str, Callable[[Embedder], Method]] = {
    "seed-raw": SeedRaw,
    "seed-user": SeedUser,
    "seed-extract": SeedExtract,
    "seed-hybrid": SeedHybrid,
    "bm25-unit": Bm25Unit,
    "bm25-window": Bm25Window,
    "dense-unit": DenseUnit,
    "dense-window": DenseWindow,
    "grep": Grep,
}
METHODS = (*BASELINES, HYBRID)

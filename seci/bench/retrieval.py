"""One run of the retrieval benchmark: every method indexes every haystack and answers every question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from seci.bench.datasets import Case, Corpus, Place
from seci.bench.memo import MemoEmbedder, Spent, read_clocks
from seci.bench.methods import Method
from seci.bench.metrics import score_question
from seci.core.chunk import chunk_session
from seci.core.ranking import Unit
from seci.core.window import WindowAudit, audit_window

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Protocol:
    """How the questions are put. `depth` is how many units a method may return: 10 in the SECI seed's runs, 50 in
    MemPalace's; metrics beyond it are not taken."""

    dataset: str
    unit: Unit
    ks: tuple[int, ...]
    depth: int
    pooled: bool = False
    abstention: bool = False
    files: tuple[str, ...] = ()  # names, without their folders


@dataclass(frozen=True, slots=True)
class Answer:
    """What one method made of one question. `ranked` holds the first `depth` units."""

    case: Case
    ranked: tuple[Place, ...]
    scores: Mapping[str, float]
    query_ms: float


@dataclass(slots=True)
class MethodRun:
    """One method over all haystacks; times and bytes are sums over them."""

    name: str
    answers: list[Answer] = field(default_factory=list)
    indexing: Spent = Spent()
    index_bytes: int = 0


@dataclass(frozen=True, slots=True)
class BenchRun:
    """`haystacks`, `sessions` and `turns` count what was searched; `window` says what the model would not have seen of
    sessions embedded whole, and of our chunks."""

    protocol: Protocol
    model: str
    haystacks: int
    sessions: int
    turns: int
    window: WindowAudit
    methods: tuple[MethodRun, ...]


def run_bench(
    corpora: Iterable[Corpus],
    protocol: Protocol,
    methods: Mapping[str, Method],
    embedder: MemoEmbedder,
    progress: Progress = lambda steps, total: None,
) -> BenchRun:
    """Runs the methods by name. `progress` is called for each (method, question) that is done."""
    runs = {name: MethodRun(name) for name in methods}
    haystacks = sessions = turns = 0
    whole: list[int] = []
    chunks: list[int] = []
    for corpus in corpora:
        haystacks += 1
        sessions += len(corpus.sessions)
        turns += sum(len(session.turns) for session in corpus.sessions)
        for session in corpus.sessions:
            whole.append(embedder.counter.count("\n".join(turn.text for turn in session.turns)))
            chunks += [chunk.tokens for chunk in chunk_session(session, "", embedder.counter, embedder.window)]
        for name, method in methods.items():
            run_method(method, corpus, protocol, runs[name], embedder)
            progress(len(corpus.cases), None)
    audit = audit_window(embedder.window, whole, chunks)
    return BenchRun(protocol, embedder.name, haystacks, sessions, turns, audit, tuple(runs.values()))


def run_method(method: Method, corpus: Corpus, protocol: Protocol, run: MethodRun, embedder: MemoEmbedder) -> None:
    """Adds one haystack to a method's run. Remembered embeddings are charged what they took."""
    clock = Stopwatch(embedder)
    method.index(corpus.sessions, protocol.unit)
    run.indexing += clock.read()
    run.index_bytes += method.size()
    for case in corpus.cases:
        clock = Stopwatch(embedder)
        ranked = tuple(method.rank(case, protocol.depth))
        took = clock.read().wall
        scores = {**score_question(ranked, case.gold, protocol.ks), **_score_sessions(ranked, case, protocol)}
        run.answers.append(Answer(case, ranked, scores, 1000 * took))


def _score_sessions(ranked: Sequence[Place], case: Case, protocol: Protocol) -> dict[str, float]:
    """Where the units are turns of separate sessions: whether the right session is first, or among the first three.
    A session stands where its best turn does."""
    if protocol.dataset != "sessions":
        return {}
    order = list(dict.fromkeys(place.session for place in ranked))
    right = {place.session for place in case.gold}
    return {f"session@{k}": float(not right.isdisjoint(order[:k])) for k in (1, 3)}


class Stopwatch:
    """Time since it was made, what remembered embeddings spared included."""

    def __init__(self, embedder: MemoEmbedder) -> None:
        self._embedder = embedder
        self._began = read_clocks() + embedder.spared

    def read(self) -> Spent:
        return read_clocks() + self._embedder.spared - self._began

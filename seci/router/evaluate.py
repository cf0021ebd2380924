"""The figures of a router and of what it must beat, on streams that it was not trained on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from seci.core.session import Session
from seci.router.baselines import score_always, score_keywords, score_length, score_random
from seci.router.corpus import Stream
from seci.router.metrics import score_auc, score_confusion, score_interval, score_kept, select_budget
from seci.router.retrieval import Search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.router.inference import OnnxRouter

BUDGETS = (0.62, 0.45, 0.30)
"""Shares of turns stored: the paper's matched budget first."""

Scores = Mapping[str, "NDArray[np.float32]"]


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over streams. `f1` is that of the best-scored turns, as many of them as are ADD and those that tie with the
    last; `kept` is the share of evidence turns among the best-scored, by budget in percent; both NaN where there is no
    such label."""

    auc: float
    f1: float
    kept: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Decided:
    """Decisions at a threshold against the labels, all labelled turns together."""

    threshold: float
    precision: float
    recall: float
    f1: float
    admitted: float


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds for each turn. `embedding_ms` is what embedding the same turns alone took in a batch."""

    turns: int
    stream_p50_ms: float
    stream_p95_ms: float
    batch_ms: float
    embedding_ms: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `seci router eval` prints. Each method's figures come with a 95 percent interval over seeds where it has
    seeds: name -> figure -> (mean, low, high). `split`: what was left out together, in a cross-validation; the part
    after the one left out stopped the training."""

    streams: int
    turns: int
    add_share: float
    methods: Mapping[str, Mapping[str, tuple[float, float, float]]]
    decided: Decided | None = None
    retrieval: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    latency: Latency | None = None
    split: tuple[tuple[str, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def score_figures(streams: Sequence[Stream], scores: Scores) -> Figures:
    """Each stream is ranked by itself, as a budget is spent in each conversation."""
    aucs: list[float] = []
    f1s: list[float] = []
    kept: dict[int, list[float]] = {round(100 * budget): [] for budget in BUDGETS}
    for stream in streams:
        rows = stream.labelled
        truth, score = stream.truth[rows], scores[stream.name][rows]
        aucs.append(score_auc(truth, score))
        if truth.any():
            f1s.append(score_confusion(truth, score >= np.sort(score)[-int(truth.sum())]).f1)
        for budget in BUDGETS:
            share = score_kept(stream.evidence, select_budget(scores[stream.name], budget))
            kept[round(100 * budget)].append(share)
    return Figures(_mean(aucs), _mean(f1s), {budget: _mean(shares) for budget, shares in kept.items()})


def score_decisions(streams: Sequence[Stream], scores: Scores, threshold: float) -> Decided:
    truth = np.concatenate([stream.truth[stream.labelled] for stream in streams])
    decided = np.concatenate([scores[stream.name][stream.labelled] for stream in streams]) >= threshold
    counts = score_confusion(truth, decided)
    return Decided(threshold, counts.precision, counts.recall, counts.f1, float(decided.mean()))


def score_baselines(streams: Sequence[Stream], seeds: int) -> dict[str, list[Figures]]:
    """What needs no training; random once for each seed."""
    plain = {
        "always add": score_always,
        "length": score_length,
        "keywords": score_keywords,
    }
    figures = {name: [score_figures(streams, {s.name: score(s) for s in streams})] for name, score in plain.items()}
    figures["random"] = [
        score_figures(streams, {s.name: score_random(s, seed) for s in streams}) for seed in range(seeds)
    ]
    return figures


def summarise(runs: Sequence[Figures]) -> dict[str, tuple[float, float, float]]:
    """Figure -> (mean, low, high) over runs; figures that no label supports are left out."""
    rows: dict[str, list[float]] = {"auc": [run.auc for run in runs], "f1": [run.f1 for run in runs]}
    rows |= {f"kept@{budget}": [run.kept[budget] for run in runs] for budget in runs[0].kept}
    return {name: score_interval(values) for name, values in rows.items() if not np.isnan(values).any()}


def evaluate(
    streams: Sequence[Stream],
    runs: Mapping[str, Sequence[Scores]],
    *,
    threshold: float | None = None,
    seeds: int = 5,
    embedder: Embedder | None = None,
) -> Evaluation:
    """Figures of the baselines and of each named method's runs. The first method's first run gives the decisions at
    `threshold`, and its runs, with an `embedder` to ask questions with, retrieval over what is stored."""
    methods = {name: summarise(figures) for name, figures in score_baselines(streams, seeds).items()}
    methods |= {name: summarise([score_figures(streams, s) for s in scores]) for name, scores in runs.items()}
    chief = next(iter(runs.values()))
    labelled = np.concatenate([stream.truth[stream.labelled] for stream in streams])
    return Evaluation(
        len(streams),
        len(labelled),
        float(labelled.mean()),
        methods,
        None if threshold is None else score_decisions(streams, chief[0], threshold),
        {} if embedder is None else _retrieval(streams, chief, embedder),
    )


def _retrieval(
    streams: Sequence[Stream], runs: Sequence[Scores], embedder: Embedder
) -> dict[str, tuple[float, float, float]]:
    """Recall of evidence among 60 memories, by share stored: (mean, low, high) over runs."""
    asked = [stream for stream in streams if stream.questions]
    if not asked:
        return {}
    searches = [Search(stream, embedder) for stream in asked]
    everything = float(np.mean([search.score(np.ones(len(search.stream.turns), bool)) for search in searches]))
    found = {"all": (everything, everything, everything)}
    for budget in BUDGETS:
        means = [
            float(np.mean([search.score(select_budget(scores[search.stream.name], budget)) for search in searches]))
            for scores in runs
        ]
        found[str(round(100 * budget))] = score_interval(means)
    return found


def measure_latency(
    router: OnnxRouter, sessions: Sequence[Session], clock: Callable[[], float] = time.perf_counter
) -> Latency:
    """Streams the sessions turn by turn, then decides for each at once, then only embeds them."""
    from seci.router.vectors import embed_turns

    turns = []
    for session in sessions:
        stream = router.stream(session)
        for turn in session.turns:
            began = clock()
            stream.push(turn)
            turns.append(1000 * (clock() - began))
    began = clock()
    for session in sessions:
        router.decide(session)
    decided = clock()
    for session in sessions:
        embed_turns(session, router.embedder)
    embedded = clock()
    count = max(1, len(turns))
    return Latency(
        len(turns),
        float(np.percentile(turns, 50)) if turns else 0.0,
        float(np.percentile(turns, 95)) if turns else 0.0,
        1000 * (decided - began) / count,
        1000 * (embedded - decided) / count,
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")

"""How the weights of the ranking are found, and how far weights found on one data set carry to another.

Coordinate search (Powell's simplest form): one weight at a time takes the value that serves the questions best, until
no change helps. It starts from equal similarities and nothing else, so that a fit owes nothing to the weights that the
package ships. What is served is a mean of recall and NDCG, each set counting the same however many questions it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, Any

from seci.app import App
from seci.bench.datasets import Case, Corpus, Place
from seci.bench.hybrid import raw_query
from seci.bench.report import machine_shape
from seci.core.chunk import Kind
from seci.core.ranking import Unit
from seci.core.relevance import DENSE_FEATURES, FEATURES, LEXICAL_FEATURES, WEIGHTS, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SIMILARITIES = DENSE_FEATURES + LEXICAL_FEATURES
_FACTORS = (0.0, 0.5, 0.8, 0.9, 1.1, 1.25, 2.0)
_STEPS = (-0.1, -0.04, 0.04, 0.1)
_PASSES = 6
_LEAST_GAIN = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """One question: (T, F) evidence of the turns in reading order, where each unit starts, and which units answer.
    `sessions` is the same at the level of sessions, for sets that are also judged by session."""

    evidence: Floats
    starts: NDArray[np.int64] | None  # None: every turn is a unit
    gold: NDArray[np.int64]
    sessions: Pool | None = None


def read_pools(app: App, corpus: Corpus, unit: Unit, *, by_session: bool) -> list[Pool]:
    """The evidence that a search of this vault would weigh, question by question."""
    import numpy as np

    from seci.flows.search import Finder, read_evidence
    from seci.index.tables import question_terms

    pools = []
    with app.keeper.read() as index:
        finder = Finder(index, app.embedder.embed_query, question_terms)
        for case in corpus.cases:
            shelf, evidence = read_evidence(raw_query(case, unit, 10), finder, Kind.RAW)
            layout = shelf.layout
            size = np.zeros(layout.turns, np.float32)
            matrix = np.stack([evidence.get(name, size) for name in FEATURES], axis=1).astype(np.float32)
            first = layout.rows[layout.starts]
            keys = [record.key for record in shelf.records(first.tolist())]
            places = list(zip(keys, shelf.turn[first].tolist(), strict=True))
            in_session = Pool(matrix, layout.session_starts, _gold_sessions(case, keys, layout.session_starts))
            if unit is Unit.SESSION:
                pools.append(in_session)
                continue
            held = [number for number, place in enumerate(places) if Place(*place) in case.gold]
            gold = np.array(held, np.int64)
            pools.append(Pool(matrix, None, gold, in_session if by_session else None))
    return [pool for pool in pools if len(pool.gold)]


def _gold_sessions(case: Case, keys: Sequence[str], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    wanted = {place.session for place in case.gold}
    return np.array([number for number, start in enumerate(starts) if keys[start] in wanted], np.int64)


def fit_weights(sets: Sequence[Sequence[Pool]]) -> Weights:
    """Weights for all of the sets at once; the six similarities add up to 1."""
    import numpy as np

    weights = np.array([1 / len(SIMILARITIES) if name in SIMILARITIES else 0.0 for name in FEATURES], np.float32)
    best = _serve(sets, weights)
    for _ in range(_PASSES):
        before = best
        for place in range(len(FEATURES)):
            tried = {float(weights[place] * factor) for factor in _FACTORS}
            tried |= {float(weights[place] + step) for step in _STEPS}
            for value in sorted(tried - {float(weights[place])}):
                changed = weights.copy()
                changed[place] = value
                if (found := _serve(sets, changed)) > best + _LEAST_GAIN:
                    best, weights = found, changed
        if best - before < _LEAST_GAIN:
            break
    total = float(sum(weights[FEATURES.index(name)] for name in SIMILARITIES))
    scaled = weights / total if total > 0 else weights
    return Weights(**{name: round(float(value), 4) for name, value in zip(FEATURES, scaled, strict=True)})


def score_set(pools: Sequence[Pool], weights: Weights) -> dict[str, float]:
    """Mean metrics of a set, 0..1; `session_any@k` where it is judged by session too."""
    import numpy as np

    vector = np.array([getattr(weights, name) for name in FEATURES], np.float32)
    rows = [_metrics(pool, vector) for pool in pools]
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def transfer_shape(
    sets: Mapping[str, Sequence[Pool]], progress: Callable[[int, int | None], None] = lambda steps, total: None
) -> dict[str, Any]:
    """Weights fitted on every choice of sets, and the metrics of each set with them; the shipped weights last."""
    rows = []
    choices = [chosen for size in range(1, len(sets) + 1) for chosen in combinations(sets, size)]
    for chosen in choices:
        rows.append(_row("+".join(chosen), fit_weights([sets[name] for name in chosen]), sets, chosen))
        progress(1, len(choices))
    rows.append(_row("shipped", WEIGHTS, sets, tuple(sets)))
    return {
        "dataset": "fit",
        "questions": {name: len(pools) for name, pools in sets.items()},
        "fits": rows,
        "machine": machine_shape(),
    }


def _row(name: str, weights: Weights, sets: Mapping[str, Sequence[Pool]], seen: Iterable[str]) -> dict[str, Any]:
    return {
        "fitted_on": name,
        "weights": {feature: getattr(weights, feature) for feature in FEATURES},
        "seen": sorted(seen),
        "metrics": {
            one: {metric: round(value, 4) for metric, value in score_set(pools, weights).items()}
            for one, pools in sets.items()
        },
    }


def _serve(sets: Sequence[Sequence[Pool]], weights: Floats) -> float:
    total = 0.0
    for pools in sets:
        total += sum(_served(_metrics(pool, weights)) for pool in pools) / len(pools)
    return total / len(sets)


def _served(metrics: Mapping[str, float]) -> float:
    return sum(metrics.values()) / len(metrics)


def _metrics(pool: Pool, weights: Floats) -> dict[str, float]:
    scores = pool.evidence @ weights
    ranks = _ranks(pool, scores)
    ideal = sum(1 / log2(place + 1) for place in range(1, min(len(ranks), 10) + 1))
    metrics = {
        "recall@5": sum(rank <= 5 for rank in ranks) / len(ranks),
        "recall@10": sum(rank <= 10 for rank in ranks) / len(ranks),
        "ndcg@10": sum(1 / log2(rank + 1) for rank in ranks if rank <= 10) / ideal,
    }
    if pool.sessions is not None:
        best = min(ranks)
        first = min(_ranks(pool.sessions, scores))
        metrics |= {"recall_any@5": float(best <= 5), "recall_any@10": float(best <= 10)}
        metrics |= {"session_any@1": float(first <= 1), "session_any@3": float(first <= 3)}
    return metrics


def _ranks(pool: Pool, scores: Floats) -> list[int]:
    """The place of each unit that answers, from 1."""
    import numpy as np

    units = scores if pool.starts is None else np.maximum.reduceat(scores, pool.starts)
    own = units[pool.gold]
    ranks = [int(np.count_nonzero(units > value)) + 1 for value in own]
    # Units that answer with equal scores share a place; they cannot all have it.
    return [rank + ranks[:number].count(rank) for number, rank in enumerate(ranks)]

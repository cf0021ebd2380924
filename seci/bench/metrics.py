"""Retrieval metrics and how sure they are: pure functions of ranked units, the units that answer, and a seed.

Recall goes by three names in the literature, and mixing them up is worth several points: `recall` is the share of the
units that answer (what the SECI seed published as `recall_all`), `recall_any` asks for one of them (what MemPalace
publishes), `recall_all` asks for every one. NDCG is Jaervelin and Kekaelaeinen's (ACM TOIS 20, 2002) with gain 0 or 1
and the ideal over min(|gold|, k); intervals are Efron's percentile bootstrap over questions; the paired test flips the
signs of the differences at random (Fisher's randomisation test, as Smucker, Allan and Carterette advise, CIKM 2007).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 20260121
RESAMPLES = 2000
FLIPS = 10_000
_AT_ONCE = 500  # resamples held in memory together


@dataclass(frozen=True, slots=True)
class Comparison:
    """Mean difference of one method from another on the same questions, its 95 percent interval, and the probability
    of one at least as large if the two did not differ."""

    difference: float
    low: float
    high: float
    p: float


def score_recall(ranked: Sequence[Any], gold: frozenset[Any], k: int) -> float:
    """Share of `gold` among the first k."""
    return len(gold.intersection(ranked[:k])) / len(gold)


def score_recall_any(ranked: Sequence[Any], gold: frozenset[Any], k: int) -> float:
    """1 where at least one of `gold` is among the first k."""
    return float(not gold.isdisjoint(ranked[:k]))


def score_recall_all(ranked: Sequence[Any], gold: frozenset[Any], k: int) -> float:
    """1 where all of `gold` is among the first k."""
    return float(gold.issubset(ranked[:k]))


def score_ndcg(ranked: Sequence[Any], gold: frozenset[Any], k: int) -> float:
    """Discounted gain of the first k over the best possible one, min(|gold|, k) hits in front."""
    gain = sum(1 / log2(rank + 1) for rank, unit in enumerate(ranked[:k], start=1) if unit in gold)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
    return gain / ideal


def score_reciprocal_rank(ranked: Sequence[Any], gold: frozenset[Any]) -> float:
    """1 over the rank of the first hit, 0 where there is none."""
    return next((1 / rank for rank, unit in enumerate(ranked, start=1) if unit in gold), 0.0)


def score_question(ranked: Sequence[Any], gold: frozenset[Any], ks: Sequence[int]) -> dict[str, float]:
    """Every metric of one question, in the order in which they are printed. Raises ValueError without gold: a question
    that nothing answers has no recall."""
    if not gold:
        raise ValueError("a question without units that answer it cannot be scored")
    scores: dict[str, float] = {}
    for k in ks:
        scores[f"recall@{k}"] = score_recall(ranked, gold, k)
        scores[f"recall_any@{k}"] = score_recall_any(ranked, gold, k)
        scores[f"recall_all@{k}"] = score_recall_all(ranked, gold, k)
        scores[f"ndcg@{k}"] = score_ndcg(ranked, gold, k)
    scores["mrr"] = score_reciprocal_rank(ranked, gold)
    return scores


def score_means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric over questions; all rows have the same metrics."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def score_intervals(rows: Sequence[Mapping[str, float]], seed: int = SEED) -> dict[str, tuple[float, float]]:
    """The 95 percent percentile bootstrap interval of each metric's mean; the same rows give the same interval."""
    import numpy as np

    if not rows:
        return {}
    names = list(rows[0])
    means = _resampled_means(np.array([[row[name] for name in names] for row in rows]), seed)
    low, high = np.percentile(means, (2.5, 97.5), axis=0)
    return {name: (float(low[i]), float(high[i])) for i, name in enumerate(names)}


def score_difference(ours: Sequence[float], theirs: Sequence[float], seed: int = SEED) -> Comparison:
    """`ours` against `theirs`, question by question. Raises ValueError when they are not the same questions."""
    import numpy as np

    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"{len(ours)} and {len(theirs)} questions cannot be paired")
    differences = np.array(ours, float) - np.array(theirs, float)
    observed = float(differences.mean())
    low, high = np.percentile(_resampled_means(differences[:, None], seed), (2.5, 97.5))
    random = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, FLIPS, _AT_ONCE):
        signs = random.choice((-1.0, 1.0), (min(_AT_ONCE, FLIPS - start), len(differences)))
        extreme += int((np.abs(signs @ differences) / len(differences) >= abs(observed) - 1e-12).sum())
    return Comparison(observed, float(low), float(high), (extreme + 1) / (FLIPS + 1))


def _resampled_means(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """(RESAMPLES, metrics) means of `values`, shape (questions, metrics), over questions drawn with replacement."""
    import numpy as np

    random = np.random.default_rng(seed)
    count = len(values)
    parts = []
    for start in range(0, RESAMPLES, _AT_ONCE):
        draws = random.multinomial(count, np.full(count, 1 / count), size=min(_AT_ONCE, RESAMPLES - start))
        parts.append(draws @ values / count)
    return np.concatenate(parts)

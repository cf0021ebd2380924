"""How good decisions are: counts, ranks and budgets. Pure functions over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Confusion:
    """Decisions against labels; shares are 0 where they are undefined."""

    true_add: int
    false_add: int
    false_noop: int
    true_noop: int

    @property
    def precision(self) -> float:
        return self.true_add / max(1, self.true_add + self.false_add)

    @property
    def recall(self) -> float:
        return self.true_add / max(1, self.true_add + self.false_noop)

    @property
    def f1(self) -> float:
        return 2 * self.true_add / max(1, 2 * self.true_add + self.false_add + self.false_noop)


def score_confusion(truth: NDArray[np.bool_], decided: NDArray[np.bool_]) -> Confusion:
    return Confusion(
        int((truth & decided).sum()),
        int((~truth & decided).sum()),
        int((truth & ~decided).sum()),
        int((~truth & ~decided).sum()),
    )


def score_auc(truth: NDArray[np.bool_], score: NDArray[np.float32]) -> float:
    """Area under the ROC curve by ranks (Mann-Whitney), ties counted half; NaN when a class is missing."""
    positives = int(truth.sum())
    negatives = len(truth) - positives
    if not positives or not negatives:
        return float("nan")
    _, group, counts = np.unique(score, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = ends[group] - (counts[group] - 1) / 2
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def select_budget(score: NDArray[np.float32], share: float) -> NDArray[np.bool_]:
    """The highest-scored `share` of the turns, earlier turns first among equals."""
    kept = np.zeros(len(score), bool)
    kept[np.argsort(-score, kind="stable")[: round(share * len(score))]] = True
    return kept


def score_kept(evidence: NDArray[np.bool_], kept: NDArray[np.bool_]) -> float:
    """The share of evidence turns that are kept; NaN without evidence."""
    return float((evidence & kept).sum() / evidence.sum()) if evidence.any() else float("nan")


def score_kappa(first: Sequence[object], second: Sequence[object]) -> float:
    """Cohen's kappa of two passes over the same items (Cohen 1960); 1 when both say one thing throughout."""
    labels = sorted({*first, *second}, key=str)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    expected = sum((list(first).count(v) / len(first)) * (list(second).count(v) / len(second)) for v in labels)
    return 1.0 if expected == 1.0 else (observed - expected) / (1.0 - expected)


def score_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """(mean, low, high): Student's t interval at 95 percent over independent runs, for up to ten of them."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    critical = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
    half = critical.get(len(values), 1.96) * spread / max(1, len(values)) ** 0.5
    mean = float(np.mean(values))
    return mean, mean - half, mean + half

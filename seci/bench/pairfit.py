"""Fits the odds by which pairs of notes are judged (`seci.core.odds`) and measures them on pairs left out.

Ridge-penalised logistic regression, by Newton's method. Each pair counts by its weight; the figures are those of pairs
that a fit did not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seci.bench.consolidate import LabelledPair, measure_cosines
from seci.core.conflict import read_pair
from seci.core.odds import MERGED, REPLACED, Odds
from seci.core.ports import Embedder
from seci.core.weighing import LIKELY_REPLACED, LIKELY_SAME
from seci.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PENALTY = 20.0  # of the squared standardised weights
FOLDS = 6
STEPS = 60
DIGITS = 3
# Dates do not tell whether two notes are one: two people may say the same on one day or a year apart. What the rules
# find, they find on the pairs that they were written with more often than on others.
UNUSED = frozenset({"ordered", "settled", "rule_replaces", "rule_contradicts"})


@dataclass(frozen=True, slots=True)
class FitReport:
    """`odds` by relation, fitted on all pairs, and how each does on pairs left out: precision and recall."""

    odds: Mapping[str, Odds]
    precision: Mapping[str, float]
    recall: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {
            "odds": {name: {"bias": odds.bias, "weights": dict(odds.weights)} for name, odds in self.odds.items()},
            "precision": dict(self.precision),
            "recall": dict(self.recall),
        }


def fit_pairs(pairs: Sequence[LabelledPair], embedder: Embedder) -> FitReport:
    """Pairs that are decided before their traits count are left aside. Raises UserError where all of them are."""
    import numpy as np

    cosines = measure_cosines(pairs, embedder)
    read = [read_pair(pair.a, pair.b, cosine) for pair, cosine in zip(pairs, cosines, strict=True)]
    odds, precision, recall = {}, {}, {}
    for relation, least in ((MERGED, LIKELY_SAME), (REPLACED, LIKELY_REPLACED)):
        open_to = {i: reading.traits for i, reading in enumerate(read) if reading and reading.is_open(relation)}
        chosen, traits = list(open_to), list(open_to.values())
        if not traits or not 0 < sum(pairs[i].expect.value == relation for i in chosen) < len(chosen):
            raise UserError(f"no pairs to tell what is {relation} from what is not", subject="--fit")
        names = [name for name in traits[0] if relation == REPLACED or UNUSED.isdisjoint(name.split("*"))]
        table = np.array([[row[name] for name in names] for row in traits])
        truth = np.array([pairs[i].expect.value == relation for i in chosen], np.float64)
        weights = np.array([pairs[i].weight for i in chosen], np.float64)
        odds[relation] = _as_odds(_fit(table, truth, weights), names)
        sure = _left_out(table, truth, weights) >= least
        right = float(truth[sure].sum())
        precision[relation] = round(right / max(1, int(sure.sum())), 4)
        recall[relation] = round(right / max(1, sum(pair.expect.value == relation for pair in pairs)), 4)
    return FitReport(odds, precision, recall)


def _fit(table: Floats, truth: Floats, weights: Floats) -> Floats:
    """(1 + traits,) bias first, on the traits' own scale: each trait is penalised by how far it spreads."""
    import numpy as np

    spread = table.std(axis=0)
    spread[spread == 0.0] = 1.0
    inputs = np.column_stack([np.ones(len(table)), (table - table.mean(axis=0)) / spread])
    penalty = np.diag([0.0, *[PENALTY] * table.shape[1]])
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = _chance(inputs @ found)
        slope = inputs.T @ (weights * (truth - chance)) - penalty @ found
        curve = (inputs.T * (weights * chance * (1.0 - chance))) @ inputs + penalty
        step = np.linalg.solve(curve, slope)
        found = found + step
        if float(np.abs(step).max()) < 1e-8:
            break
    slopes = found[1:] / spread
    return np.concatenate([[found[0] - float(slopes @ table.mean(axis=0))], slopes])


def _left_out(table: Floats, truth: Floats, weights: Floats) -> Floats:
    """The probability of each pair by a fit that did not see it."""
    import numpy as np

    fold = np.random.default_rng(0).permutation(len(table)) % FOLDS
    chance = np.zeros(len(table))
    for number in range(FOLDS):
        inside = fold != number
        found = _fit(table[inside], truth[inside], weights[inside])
        chance[~inside] = _chance(found[0] + table[~inside] @ found[1:])
    return chance


def _chance(sums: Floats) -> Floats:
    """As `Odds.probability`, of many."""
    import numpy as np

    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
    return chance


def _as_odds(found: Floats, names: Sequence[str]) -> Odds:
    weights = {name: round(float(w), DIGITS) for name, w in zip(names, found[1:], strict=True)}
    return Odds(round(float(found[0]), DIGITS), {name: weight for name, weight in weights.items() if weight})

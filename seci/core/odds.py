"""How likely it is that two notes say the same, or that the newer replaces the older: two logistic regressions.

The weights were fitted (`seci bench consolidate PAIRS --fit`) on pairs of notes that were written for it, so that the
vocabulary of the rules, which grew with other pairs, does not count for more than it is worth on new ones. They stand
in `odds.json` on the scale of the traits, so that a weight is read as what one unit of its trait is worth.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log

MERGED, REPLACED = "merge", "supersede"
OWN, OTHER = 0.2, 1.0  # what the odds and the opinion of who has read both notes count, in log-odds
_LEAST = 0.001  # probability below which an opinion says no more


@dataclass(frozen=True, slots=True)
class Odds:
    """A bias and a weight for each trait; what has no weight does not count."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, traits: Mapping[str, float]) -> float:
        """0..1, by the logistic function of the weighted sum."""
        total = self.bias + sum(weight * traits.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


@cache
def known_odds(relation: str) -> Odds:
    """The fitted odds of `MERGED` or `REPLACED`."""
    row = json.loads(files("seci.core").joinpath("odds.json").read_text(encoding="utf-8"))[relation]
    return Odds(row["bias"], row["weights"])


def blend(own: float, other: float) -> float:
    """Two probabilities as one: the weighted sum of their log-odds."""
    total = OWN * _log_odds(own) + OTHER * _log_odds(other)
    return 1.0 / (1.0 + exp(-total))


def _log_odds(probability: float) -> float:
    bounded = min(1.0 - _LEAST, max(_LEAST, probability))
    return log(bounded / (1.0 - bounded))

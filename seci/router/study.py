"""The research run: every variant of the router and every regression, on conversations that it was not trained on.

Runs are kept one by one, so that a study that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seci.errors import ModelError
from seci.router.baselines import REGRESSIONS, score_regression
from seci.router.corpus import Stream
from seci.router.evaluate import Scores
from seci.router.experiment import cross_validate, decide_apart
from seci.router.metrics import score_confusion, score_interval
from seci.router.settings import RouterSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_APART: Mapping[str, Mapping[str, Any]] = {
    "no history": {"history": False},
    "no transformer": {"transformer": False},
    "no MLP": {"projector": False},
}
_PAPER: Mapping[str, Any] = {"features": False, "learning_rate": 1e-3, "epochs": 12, "patience": 2}
ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    **_APART,
    "no features": _PAPER,
    **{f"no features, {name}": {**_PAPER, **changes} for name, changes in _APART.items()},
}
"""What is taken away, by name. Without features (and the linear layer, which is theirs) nothing but embeddings enters:
the paper's form. It does not start from a regression, so it learns faster and longer."""


@dataclass(frozen=True, slots=True)
class Study:
    """`folds` are left out in turn; `always` is trained on every time. Ablations get their own number of seeds. `kept`
    is the folder for finished runs."""

    folds: Sequence[Sequence[Stream]]
    encoder: Path
    always: Sequence[Stream] = ()
    kept: Path | None = None

    def count(self, seeds: int, ablation_seeds: int) -> int:
        """The steps that `run` reports."""
        return len(self.folds) * (seeds + ablation_seeds * len(ABLATIONS))

    def run(
        self, settings: RouterSettings, seeds: int, ablation_seeds: int, on_fold: Callable[[], None] = lambda: None
    ) -> dict[str, list[Scores]]:
        """Method -> scores by stream for each seed; the regressions have one run, they need no seed."""
        runs: dict[str, list[Scores]] = {"router": [self._one("router", settings, s, on_fold) for s in range(seeds)]}
        for seed in range(ablation_seeds):
            for name, changes in ABLATIONS.items():
                runs.setdefault(name, []).append(self._one(name, settings.but(**changes), seed, on_fold))
        return runs | {name: [self._regress(name)] for name in REGRESSIONS}

    def _one(self, name: str, settings: RouterSettings, seed: int, on_fold: Callable[[], None]) -> Scores:
        chosen = settings.but(seed=seed)
        file = self.kept / f"{name.replace(', ', '-').replace(' ', '-')}-{seed}.json" if self.kept else None
        if file is not None and file.is_file():
            for _ in self.folds:
                on_fold()
            return self._read(file, chosen)
        scores = cross_validate(self.folds, chosen, self.encoder, always=self.always, on_fold=lambda fold: on_fold())
        if file is not None:
            value = {"settings": chosen.to_json(), "scores": {k: np.round(v, 5).tolist() for k, v in scores.items()}}
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_suffix(".new")
            fresh.write_text(json.dumps(value, default=float), encoding="utf-8")
            fresh.replace(file)
        return scores

    def _read(self, file: Path, settings: RouterSettings) -> Scores:
        """Raises ModelError for a run of other settings or other conversations."""
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
            scores = {name: np.asarray(row, np.float32) for name, row in value["scores"].items()}
            known = value["settings"]
        except (OSError, ValueError, KeyError, AttributeError) as error:
            raise ModelError(f"is not a run of a study: {error!r}", subject=str(file)) from error
        turns = {stream.name: len(stream.turns) for fold in self.folds for stream in fold}
        if known != settings.to_json() or {name: len(row) for name, row in scores.items()} != turns:
            raise ModelError("is a run with other settings or on other conversations", subject=str(file))
        return scores

    def _regress(self, name: str) -> Scores:
        scores: dict[str, NDArray[np.float32]] = {}
        for number, held in enumerate(self.folds):
            others = [stream for place, fold in enumerate(self.folds) if place != number for stream in fold]
            scores |= {stream.name: score_regression(name, [*others, *self.always], stream) for stream in held}
        return scores


def score_apart(
    folds: Sequence[Sequence[Stream]], runs: Sequence[Scores], recall: float
) -> dict[str, tuple[float, float, float]]:
    """Precision and recall, (mean, low, high) over runs, at thresholds that the other folds chose."""
    counts = [score_confusion(*decide_apart(folds, scores, recall)) for scores in runs]
    return {
        "precision": score_interval([count.precision for count in counts]),
        "recall": score_interval([count.recall for count in counts]),
    }


def average_runs(runs: Sequence[Scores]) -> Scores:
    """The mean of each turn's probability over runs: what several routers say together."""
    return {name: np.mean([run[name] for run in runs], axis=0, dtype=np.float32) for name in runs[0]}

"""Training a router from streams, and measuring it on streams it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seci.errors import ModelError
from seci.router.corpus import Stream
from seci.router.examples import Examples, join_examples
from seci.router.features import feature_names
from seci.router.model import RouterModel, load_backbone
from seci.router.settings import RouterSettings
from seci.router.train import Epoch, TrainReport, fit, fit_epochs, predict

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import nn

OnEpoch = Callable[[Epoch], None]


@dataclass(frozen=True, slots=True)
class Trained:
    model: RouterModel
    report: TrainReport


def train_router(
    train: Sequence[Stream],
    validation: Sequence[Stream],
    settings: RouterSettings,
    encoder: Path,
    *,
    backbone: nn.Module | None = None,
    checkpoint: Path | None = None,
    on_epoch: OnEpoch = lambda epoch: None,
) -> Trained:
    """Finds the number of epochs by early stopping on `validation`, then, with `settings.refit`, trains once more on
    both for that long: conversations are few, and none should only serve to stop."""
    frozen = backbone or load_backbone(settings, encoder)
    learning, holding = _examples(train, settings), _examples(validation, settings)
    model = _fresh(settings, learning, frozen)
    report = fit(model, learning, holding, checkpoint=checkpoint, on_epoch=on_epoch)
    if settings.refit:
        everything = join_examples([learning, holding])
        model = _fresh(settings, everything, frozen)
        fit_epochs(model, everything, report.best + 1)
    return Trained(model, report)


def score_stream(model: RouterModel, stream: Stream) -> NDArray[np.float32]:
    """(turns,) probability of ADD for every turn, labelled or not."""
    everything = Stream(
        stream.name,
        stream.turns,
        stream.vectors,
        stream.features,
        (0.0,) * len(stream.turns),
        (None,) * len(stream.turns),
        stream.truth,
        stream.evidence,
    )
    return predict(model, everything.examples(model.settings))[0]


def cross_validate(
    folds: Sequence[Sequence[Stream]],
    settings: RouterSettings,
    encoder: Path,
    *,
    always: Sequence[Stream] = (),
    on_fold: Callable[[int], None] = lambda fold: None,
) -> dict[str, NDArray[np.float32]]:
    """Stream name -> scores by a router that saw neither it nor its fold. The next fold validates; `always` is added to
    what each router is trained on. Raises ModelError with fewer than three folds."""
    if len(folds) < 3:
        raise ModelError("leaving one out needs three conversations: one to test, one to validate, one to train on")
    frozen = load_backbone(settings, encoder)
    scores: dict[str, NDArray[np.float32]] = {}
    for number, held in enumerate(folds):
        after = (number + 1) % len(folds)
        rest = [s for place, fold in enumerate(folds) if place not in (number, after) for s in fold]
        trained = train_router([*rest, *always], folds[after], settings, encoder, backbone=frozen)
        for stream in held:
            scores[stream.name] = score_stream(trained.model, stream)
        on_fold(number)
    return scores


def select_threshold(truth: NDArray[np.bool_], score: NDArray[np.float32], recall: float) -> float:
    """The highest threshold, to two decimals, that still admits `recall` of what is ADD."""
    ordered = np.sort(score[truth])[::-1]
    if not len(ordered):
        raise ModelError("a threshold needs turns that are ADD")
    needed = int(np.ceil(recall * len(ordered)))
    return float(np.floor(float(ordered[max(0, needed - 1)]) * 100) / 100)


def decide_apart(
    folds: Sequence[Sequence[Stream]], scores: Mapping[str, NDArray[np.float32]], recall: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(truth, decided) of all labelled turns, fold after fold, each fold at the threshold that the other folds chose:
    what a threshold is worth on conversations that had no say in it."""
    truths, decided = [], []
    for number, fold in enumerate(folds):
        others = [stream for place, part in enumerate(folds) if place != number for stream in part]
        threshold = select_threshold(*_pool(others, scores), recall)
        truth, score = _pool(fold, scores)
        truths.append(truth)
        decided.append(score >= threshold)
    return np.concatenate(truths), np.concatenate(decided)


def _pool(
    streams: Sequence[Stream], scores: Mapping[str, NDArray[np.float32]]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    return (
        np.concatenate([stream.truth[stream.labelled] for stream in streams]),
        np.concatenate([scores[stream.name][stream.labelled] for stream in streams]),
    )


def split_folds(streams: Sequence[Stream], folds: int) -> list[list[Stream]]:
    """Streams dealt by turn count, the longest first to the fold that has the fewest, so that folds are of one size."""
    dealt: list[list[Stream]] = [[] for _ in range(min(folds, len(streams)))]
    for stream in sorted(streams, key=lambda s: (-len(s.turns), s.name)):
        min(dealt, key=lambda fold: sum(len(s.turns) for s in fold)).append(stream)
    return dealt


def _examples(streams: Sequence[Stream], settings: RouterSettings) -> Examples:
    if not streams:
        raise ModelError("there are no labelled turns")
    return join_examples([stream.examples(settings) for stream in streams])


def _fresh(settings: RouterSettings, examples: Examples, backbone: nn.Module | None) -> RouterModel:
    import torch

    torch.manual_seed(settings.seed)
    return RouterModel(settings, examples.sequences.shape[-1], len(feature_names()), backbone)

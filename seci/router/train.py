"""Trains the router's heads: AdamW, early stopping on sessions held out, fixed seeds, resumable."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from seci.errors import ModelError
from seci.router.examples import Examples
from seci.router.metrics import score_auc
from seci.router.model import RouterModel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training turns. `auc` is on the validation turns, NaN when they hold one class only."""

    number: int
    train_loss: float
    validation_loss: float
    auc: float


@dataclass(frozen=True, slots=True)
class TrainReport:
    """What a training run did; `best` is the number of the epoch whose weights were kept."""

    epochs: tuple[Epoch, ...]
    best: int
    train_turns: int
    validation_turns: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Progress:
    epochs: list[Epoch]
    best: int = 0
    best_loss: float = math.inf
    best_state: dict[str, torch.Tensor] | None = None


def fit(
    model: RouterModel,
    train: Examples,
    validation: Examples,
    *,
    checkpoint: Path | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> TrainReport:
    """Trains the model in place and leaves it with the weights of its best epoch.

    Best means the lowest operation loss on `validation`; `patience` epochs without a better one end the run. With a
    `checkpoint` a run that was stopped goes on after its last whole epoch and ends with the same weights as one that
    was not. Raises ModelError when there is nothing to learn from or the checkpoint is of another run.
    """
    if not len(train) or not len(validation):
        raise ModelError("a router needs labelled turns to train on and others to validate on")
    settings = model.settings
    torch.manual_seed(settings.seed)
    _start_linear(model, train)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=settings.learning_rate, weight_decay=settings.weight_decay)
    progress = _Progress([])
    if checkpoint and checkpoint.exists():
        _resume(checkpoint, model, optimiser, progress)
    while len(progress.epochs) < settings.epochs and not _patience_lost(progress, settings.patience):
        number = len(progress.epochs)
        train_loss = _epoch_by_number(model, train, optimiser, number)
        loss, auc = _validate(model, validation)
        progress.epochs.append(Epoch(number, train_loss, loss, auc))
        if loss < progress.best_loss:
            progress.best, progress.best_loss = number, loss
            progress.best_state = {k: v.clone() for k, v in model.trained_state().items()}
        if checkpoint:
            _save(checkpoint, model, optimiser, progress)
        on_epoch(progress.epochs[-1])
    if progress.best_state is not None:
        model.load_trained(progress.best_state)
    model.eval()
    return TrainReport(tuple(progress.epochs), progress.best, len(train), len(validation))


def fit_epochs(model: RouterModel, train: Examples, epochs: int) -> None:
    """Trains for so many epochs, with nothing held out."""
    settings = model.settings
    torch.manual_seed(settings.seed)
    _start_linear(model, train)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=settings.learning_rate, weight_decay=settings.weight_decay)
    for number in range(epochs):
        _epoch_by_number(model, train, optimiser, number)
    model.eval()


def predict(model: RouterModel, examples: Examples, batch: int = 256) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """((n,) probability of ADD, (n,) index of the content type)."""
    model.eval()
    probabilities, types = [], []
    with torch.no_grad():
        for at in range(0, len(examples), batch):
            operation, kind = model(*_tensors(examples, slice(at, at + batch)))
            probabilities.append(operation.softmax(-1)[:, 1].numpy())
            types.append(kind.argmax(-1).numpy())
    if not probabilities:
        return np.zeros(0, np.float32), np.zeros(0, np.int64)
    return np.concatenate(probabilities), np.concatenate(types)


def _patience_lost(progress: _Progress, patience: int) -> bool:
    return bool(progress.epochs) and len(progress.epochs) - 1 - progress.best >= patience


def _tensors(examples: Examples, rows: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return (
        torch.from_numpy(examples.sequences[rows]),
        torch.from_numpy(examples.mask[rows]),
        torch.from_numpy(examples.features[rows]),
    )


def _start_linear(model: RouterModel, train: Examples) -> None:
    """Measures the features' mean and deviation, and fits the linear layer alone by L-BFGS: a convex problem that the
    stochastic steps of the whole network need not find again."""
    model.feature_mean.copy_(torch.from_numpy(train.features.mean(axis=0)))
    model.feature_scale.copy_(torch.from_numpy(train.features.std(axis=0) + np.float32(1e-3)))
    if not model.settings.features:
        return
    with torch.no_grad():
        scaled = model.scale_features(torch.from_numpy(train.features))
        seen = model.join_turn(scaled, torch.from_numpy(train.sequences))
    target, weight = _targets(model, train, slice(None))
    bias = torch.zeros(2, requires_grad=True)
    matrix = model.linear.weight
    torch.nn.init.zeros_(matrix)
    solver = torch.optim.LBFGS([matrix, bias], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        solver.zero_grad()
        losses = -(target * (seen @ matrix.T + bias).log_softmax(-1)).sum(1) * weight
        total = losses.sum() + model.settings.feature_penalty * matrix.square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    solver.step(closure)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        model.operation.weight.mul_(0.1)
        model.operation.bias.copy_(bias)


def _targets(model: RouterModel, examples: Examples, rows: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """((n, 2) weighted targets of NOOP and ADD, (n,) weights of the rows)."""
    add = torch.from_numpy(examples.add[rows])
    target = torch.stack([1.0 - add, add * model.settings.add_weight], dim=1)
    return target, torch.from_numpy(examples.weight[rows])


def _loss(model: RouterModel, examples: Examples, rows: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """(operation loss, type loss), each the weighted mean over the rows."""
    operation, kind = model(*_tensors(examples, rows))
    target, weight = _targets(model, examples, rows)
    losses = -(target * operation.log_softmax(-1)).sum(1)
    known = torch.from_numpy(examples.types[rows])
    types = functional.cross_entropy(kind, known, ignore_index=-1, reduction="sum") / max(1, int((known >= 0).sum()))
    return (losses * weight).sum() / weight.sum(), types


def _epoch_by_number(model: RouterModel, train: Examples, optimiser: torch.optim.Optimizer, number: int) -> float:
    """The mean loss of one epoch. Its order, dropout and learning rate (half a cosine) follow from its number, so that
    a resumed run repeats nothing."""
    settings = model.settings
    torch.manual_seed(settings.seed * 10_007 + number)
    rate = 0.5 * (1.0 + math.cos(math.pi * number / settings.epochs))
    for group in optimiser.param_groups:
        group["lr"] = settings.learning_rate * max(0.05, rate)
    return _one_epoch(model, train, optimiser)


def _one_epoch(model: RouterModel, train: Examples, optimiser: torch.optim.Optimizer) -> float:
    model.train()
    order = torch.randperm(len(train)).numpy()
    total = 0.0
    for at in range(0, len(order), model.settings.batch):
        rows = order[at : at + model.settings.batch]
        operation, types = _loss(model, train, rows)
        optimiser.zero_grad()
        (operation + model.settings.type_weight * types).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimiser.step()
        total += float(operation.detach()) * len(rows)
    return total / len(order)


def _validate(model: RouterModel, validation: Examples) -> tuple[float, float]:
    model.eval()
    with torch.no_grad():
        loss, _ = _loss(model, validation, slice(None))
    probability, _ = predict(model, validation)
    return float(loss), score_auc(validation.add >= 0.5, probability)


def _save(path: Path, model: RouterModel, optimiser: torch.optim.Optimizer, progress: _Progress) -> None:
    state = {
        "settings": model.settings.to_json(),
        "model": model.trained_state(),
        "optimiser": optimiser.state_dict(),
        "epochs": [asdict(epoch) for epoch in progress.epochs],
        "best": (progress.best, progress.best_loss, progress.best_state),
    }
    fresh = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(state, fresh)
    fresh.replace(path)


def _resume(path: Path, model: RouterModel, optimiser: torch.optim.Optimizer, progress: _Progress) -> None:
    state = torch.load(path, weights_only=True)
    if state["settings"] != model.settings.to_json():
        raise ModelError(f"{path} is the checkpoint of a run with other settings")
    model.load_trained(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    progress.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
    progress.best, progress.best_loss, progress.best_state = state["best"]

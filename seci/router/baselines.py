"""What a router must beat: decisions that need no training, and a logistic regression. Scores, higher means ADD."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from seci.core.session import Role
from seci.router.features import feature_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from seci.router.corpus import Stream

_KEYWORDS = ("cue_cause", "cue_discover", "cue_lasting", "cue_standing", "cue_decide", "cue_plan", "cue_when", "cue_me")

_CLIP, _TURN_SCALE, _FEATURE_PENALTY = 4.0, 8.0, 50.0


def score_always(stream: Stream) -> NDArray[np.float32]:
    return np.ones(len(stream.turns), np.float32)


def score_random(stream: Stream, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random(len(stream.turns)).astype(np.float32)


def score_length(stream: Stream) -> NDArray[np.float32]:
    return np.array([len(turn.text) for turn in stream.turns], np.float32)


def score_keywords(stream: Stream) -> NDArray[np.float32]:
    """Cue words for causes, problems, wishes, decisions, plans, times and oneself; questions and narration count
    against; the assistant's word less than a person's."""
    column = {name: place for place, name in enumerate(feature_names())}
    features = stream.features
    score = features[:, [column[name] for name in _KEYWORDS]].sum(axis=1)
    score -= features[:, column["cue_narrate"]] + features[:, column["ends_asking"]]
    score -= 0.5 * np.array([turn.role is Role.ASSISTANT for turn in stream.turns], np.float32)
    return np.asarray(score, np.float32)


def context_vectors(stream: Stream, before: int = 2) -> NDArray[np.float32]:
    """The turn's vector and those of the `before` turns ahead of it, side by side."""
    count, width = stream.vectors.shape
    parts = [stream.vectors]
    for back in range(1, before + 1):
        shifted = np.zeros((count, width), np.float32)
        shifted[back:] = stream.vectors[:-back]
        parts.append(shifted)
    return np.concatenate(parts, axis=1)


def fit_regression(
    inputs: NDArray[np.float32], targets: NDArray[np.float32], penalty: float = 0.5
) -> tuple[NDArray[np.float32], float]:
    """(weights, bias) of a logistic regression: mean log loss with targets in 0..1 plus `penalty / n` times the squared
    weights, by L-BFGS."""
    import torch

    x, y = torch.from_numpy(np.ascontiguousarray(inputs)), torch.from_numpy(targets)
    weights = torch.zeros(x.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    solver = torch.optim.LBFGS([weights, bias], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        solver.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights + bias, y)
        total = loss + penalty / len(y) * weights.square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    solver.step(closure)  # type: ignore[no-untyped-call]
    return weights.detach().numpy(), float(bias.detach())


def score_regression(name: str, train: Sequence[Stream], test: Stream) -> NDArray[np.float32]:
    """A logistic regression of `REGRESSIONS`, by name. Features are scaled as the router scales them."""
    regression = REGRESSIONS[name]
    inputs = np.concatenate([regression.see(stream)[stream.labelled] for stream in train])
    targets = np.concatenate([[stream.add[row] for row in stream.labelled] for stream in train]).astype(np.float32)
    mean, scale = np.zeros(inputs.shape[1], np.float32), np.ones(inputs.shape[1], np.float32)
    mean[: regression.scaled] = inputs[:, : regression.scaled].mean(axis=0)
    scale[: regression.scaled] = inputs[:, : regression.scaled].std(axis=0) + 1e-3
    weights, bias = fit_regression(np.clip((inputs - mean) / scale, -_CLIP, _CLIP), targets, regression.penalty)
    return np.asarray(np.clip((regression.see(test) - mean) / scale, -_CLIP, _CLIP) @ weights + bias, np.float32)


@dataclass(frozen=True, slots=True)
class Regression:
    """`see` gives a row for each turn, of which the first `scaled` columns are features."""

    see: Callable[[Stream], NDArray[np.float32]]
    penalty: float
    scaled: int = 0


def _features_and_turn(stream: Stream) -> NDArray[np.float32]:
    return np.concatenate([stream.features, _TURN_SCALE * stream.vectors], axis=1)


REGRESSIONS: Mapping[str, Regression] = {
    "regression on embeddings": Regression(context_vectors, 0.5),
    "regression on features": Regression(lambda stream: stream.features, _FEATURE_PENALTY, len(feature_names())),
    "regression on features and turn": Regression(_features_and_turn, _FEATURE_PENALTY, len(feature_names())),
}
"""On the embeddings of the turn and the two before it; on the plain features; on these and the turn's embedding, the
layer that the router's training starts from."""

"""The router's network, after MemRouter (arXiv 2605.00356): a small trained part around a frozen transformer.

    sentence embeddings of history chunks and of the turn  -> two-layer MLP (LayerNorm, GELU) into the hidden size
    -> the transformer's `inputs_embeds`, one forward pass -> state of the last position
    -> two heads: operation (NOOP, ADD) and content type

Beyond the paper, the heads may see plain features of the turn through a small tower of their own, and a linear layer
may see the features and the turn's own embedding past everything else: a logistic regression, from which training
starts and which the rest of the network corrects.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import nn

from seci.router.settings import TYPES, RouterSettings

if TYPE_CHECKING:
    from torch import Tensor


TURN_SCALE = 8.0
"""A turn's unit vector is stretched to this length beside the scaled features, whose penalty it shares."""


class Projector(nn.Module):
    """(..., d) sentence embeddings to (..., hidden) input embeddings."""

    def __init__(self, width: int, middle: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.Linear(width, middle)
        self.norm = nn.LayerNorm(middle)
        self.second = nn.Linear(middle, hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, vectors: Tensor) -> Tensor:
        inner = torch.nn.functional.gelu(self.norm(self.first(self.drop(vectors))))
        projected: Tensor = self.second(self.drop(inner))
        return projected


class RouterModel(nn.Module):
    """`forward(sequences, mask, features)` gives operation logits (n, 2) and type logits (n, len(TYPES)).

    Shapes: sequences (n, chunks + 1, d), mask (n, chunks + 1) with 1 for what counts, features (n, f) as they come
    from `score_features`; their mean and deviation are kept with the weights.
    """

    feature_mean: Tensor
    feature_scale: Tensor

    def __init__(self, settings: RouterSettings, width: int, features: int, backbone: nn.Module | None) -> None:
        super().__init__()
        self.settings = settings
        hidden = int(backbone.config.hidden_size) if backbone is not None else width  # type: ignore[union-attr, arg-type]
        self.project: nn.Module
        if settings.projector:
            self.project = Projector(width, settings.projector_hidden, hidden, settings.dropout)
        else:
            self.project = nn.Identity() if hidden == width else nn.Linear(width, hidden, bias=False)
        self.backbone = backbone
        if backbone is not None:
            backbone.requires_grad_(False)
        state = hidden
        self.register_buffer("feature_mean", torch.zeros(features))
        self.register_buffer("feature_scale", torch.ones(features))
        if settings.features:
            self.feature_tower = nn.Sequential(nn.Linear(features, settings.feature_hidden), nn.GELU())
            self.linear = nn.Linear(features + width, 2, bias=False)
            state += settings.feature_hidden
        self.norm = nn.LayerNorm(hidden)
        self.drop = nn.Dropout(settings.dropout)
        self.operation = nn.Linear(state, 2)
        self.content_type = nn.Linear(state, len(TYPES))

    def train(self, mode: bool = True) -> RouterModel:
        """Training mode for the trained part; the frozen transformer never drops out."""
        super().train(mode)
        if self.backbone is not None:
            self.backbone.eval()
        return self

    def forward(self, sequences: Tensor, mask: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        projected = self.project(sequences)
        if self.backbone is not None:
            states = self.backbone(inputs_embeds=projected, attention_mask=mask).last_hidden_state
            state = states[:, -1]
        else:
            weight = mask.unsqueeze(-1).to(projected.dtype)
            state = projected[:, -1] + (projected * weight).sum(1) / weight.sum(1)
        state = self.norm(state)
        if not self.settings.features:
            state = self.drop(state)
            return self.operation(state), self.content_type(state)
        scaled = self.scale_features(features)
        state = self.drop(torch.cat([state, self.feature_tower(scaled)], dim=-1))
        return self.operation(state) + self.linear(self.join_turn(scaled, sequences)), self.content_type(state)

    def scale_features(self, features: Tensor) -> Tensor:
        return ((features - self.feature_mean) / self.feature_scale).clamp(-4.0, 4.0)

    @staticmethod
    def join_turn(scaled: Tensor, sequences: Tensor) -> Tensor:
        """(n, f + d): what the linear layer sees, the scaled features and the current turn's embedding."""
        return torch.cat([scaled, TURN_SCALE * sequences[:, -1]], dim=-1)

    def trained_state(self) -> dict[str, Tensor]:
        """What is learned or measured on the training data: all but the frozen transformer."""
        return {k: v.contiguous() for k, v in self.state_dict().items() if not k.startswith("backbone.")}

    def load_trained(self, state: dict[str, Tensor]) -> None:
        own = self.trained_state()
        if own.keys() != state.keys():
            odd = sorted(own.keys() ^ state.keys())[0]
            raise ValueError(f"the weights do not fit the settings: {odd}")
        self.load_state_dict(state, strict=False)


def load_backbone(settings: RouterSettings, encoder: Path) -> nn.Module | None:
    """The frozen transformer: the encoder's own, or any Hugging Face model that takes `inputs_embeds`."""
    if not settings.transformer:
        return None
    from transformers import AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]

    place = settings.backbone or str(encoder)
    model: nn.Module = AutoModel.from_pretrained(place, attn_implementation="eager")
    return model.float().eval()

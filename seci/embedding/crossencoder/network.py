"""The network: all-MiniLM-L6-v2 reads both notes at once, with low-rank adapters in every linear layer (needs torch).

[CLS] older [SEP] newer [SEP] -> frozen transformer + adapters (LoRA, arXiv 2106.09685)
-> state of [CLS], |a - b| and a * b of the means over the tokens of each note -> logits of the four relations
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from seci.embedding.crossencoder.weights import ADAPTERS, RELATIONS, PairCard, read_card
from seci.errors import ModelError

if TYPE_CHECKING:
    from torch import Tensor

DROPOUT = 0.1
LENGTH = 8.0  # of the mean states, so that they weigh about as much as the state of [CLS]
_ATTENTION = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
_LINEARS = (*_ATTENTION, "intermediate.dense", "output.dense")


class Adapted(nn.Module):
    """A frozen linear layer plus the product of two narrow ones, of which the second starts at zero."""

    def __init__(self, base: nn.Linear, rank: int, scale: float) -> None:
        super().__init__()
        self.base = base
        self.scale = scale
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        added: Tensor = self.base(states) + self.scale * ((states @ self.down.T) @ self.up.T)
        return added


class PairNetwork(nn.Module):
    """`forward(input_ids, attention_mask, token_type_ids)`, each (n, length), gives logits (n, 4)."""

    def __init__(self, transformer: Any, card: PairCard) -> None:
        super().__init__()
        self.transformer = transformer.requires_grad_(False)
        for layer in transformer.encoder.layer:
            for name in _LINEARS:
                parent, _, leaf = name.rpartition(".")
                owner = layer.get_submodule(parent)
                setattr(owner, leaf, Adapted(getattr(owner, leaf), card.rank, card.scale))
        transformer.embeddings.token_type_embeddings.requires_grad_(True)
        self.drop = nn.Dropout(DROPOUT)
        self.head = nn.Linear(3 * transformer.config.hidden_size, len(RELATIONS))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        states = self.transformer(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        older = _mean(states, attention_mask * (1 - token_type_ids))
        newer = _mean(states, attention_mask * token_type_ids)
        joined = torch.cat([states[:, 0], (older - newer).abs(), older * newer], dim=1)
        logits: Tensor = self.head(self.drop(joined))
        return logits

    def merge(self) -> None:
        """Multiplies the adapters out into the transformer's own weights, for good."""
        for module in list(self.transformer.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, Adapted):
                    with torch.no_grad():
                        child.base.weight += child.scale * (child.up @ child.down)
                    setattr(module, name, child.base)

    def adapters(self) -> dict[str, Tensor]:
        """What is trained: all but the transformer's own weights."""
        learned = {name for name, parameter in self.named_parameters() if parameter.requires_grad}
        return {name: value.contiguous() for name, value in self.state_dict().items() if name in learned}

    def load_adapters(self, adapters: dict[str, Tensor]) -> None:
        """Raises ValueError where they are of other layers."""
        if adapters.keys() != self.adapters().keys():
            raise ValueError("other layers than the network's")
        self.load_state_dict(adapters, strict=False)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weight = mask.unsqueeze(-1).to(states.dtype)
    mean = (states * weight).sum(1) / weight.sum(1).clamp(min=1.0)
    return LENGTH * nn.functional.normalize(mean, dim=-1)


def build_network(encoder: Path, card: PairCard) -> PairNetwork:
    """The network before any training, around the transformer in the folder `encoder`."""
    from transformers import AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    return PairNetwork(AutoModel.from_pretrained(str(encoder), attn_implementation="eager").float(), card)


def save_network(network: PairNetwork, folder: Path) -> None:
    """Half precision: the adapters' own noise is far larger."""
    from safetensors.torch import save_file

    save_file({name: value.half() for name, value in network.adapters().items()}, folder / ADAPTERS)


def load_network(folder: Path, encoder: Path) -> PairNetwork:
    """Raises ModelError when the adapters do not fit their card."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    network = build_network(encoder, read_card(folder))
    try:
        adapters = {name: value.float() for name, value in load_file(folder / ADAPTERS).items()}
        network.load_adapters(adapters)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"the adapters cannot be used: {error}", subject=str(folder / ADAPTERS)) from error
    return network.eval()

"""Writing and reading the trained part of a network (needs torch)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seci.errors import ModelError
from seci.router.model import RouterModel, load_backbone
from seci.router.weights import WEIGHTS, RouterCard, read_card, write_card

if TYPE_CHECKING:
    from torch import nn


def save_model(folder: Path, model: RouterModel, card: RouterCard) -> None:
    """`router.safetensors` and `router.json` in `folder`; the frozen transformer is not part of them."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.trained_state(), folder / WEIGHTS)
    write_card(folder, card)


def load_model(folder: Path, encoder: Path, backbone: nn.Module | None = None) -> RouterModel:
    """The network of a trained folder around its frozen transformer. Raises ModelError when they do not fit."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    card = read_card(folder)
    frozen = backbone or load_backbone(card.settings, encoder)
    model = RouterModel(card.settings, card.width, len(card.features), frozen)
    try:
        model.load_trained(load_file(folder / WEIGHTS))
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"the weights cannot be used: {error}", subject=str(folder / WEIGHTS)) from error
    model.eval()
    return model

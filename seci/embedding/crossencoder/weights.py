"""Trained adapters on disk: `pairs.safetensors` and, beside it, `pairs.json` with shape, figures and training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from seci.core.opinion import Opinion
from seci.errors import ModelError

ADAPTERS = "pairs.safetensors"
CARD = "pairs.json"
FORMAT = 1
RELATIONS = Opinion.__match_args__  # in the order of the classes


@dataclass(frozen=True, slots=True)
class PairCard:
    """What `pairs.json` says: the rank of the adapters, what their product is multiplied by, and their training."""

    rank: int
    scale: float
    training: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "rank": self.rank, "scale": self.scale, "training": dict(self.training)}


def shipped_adapters() -> Path:
    """The folder of the adapters that come with the package."""
    return Path(str(resources.files("seci.embedding.crossencoder").joinpath("data")))


def read_card(folder: Path) -> PairCard:
    """Raises ModelError when it is missing or damaged."""
    path = folder / CARD
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["format"] != FORMAT:
            raise ModelError(f"has format {value['format']}, this version reads {FORMAT}", subject=str(path))
        return PairCard(int(value["rank"]), float(value["scale"]), value["training"])
    except OSError as error:
        raise ModelError(f"there is no trained cross-encoder: {error.strerror}", subject=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"is not the card of a cross-encoder: {error!r}", subject=str(path)) from error


def adapters_digest(folder: Path) -> str:
    """Names what was trained: sha256 over the adapters. Raises ModelError when there are none."""
    try:
        return hashlib.sha256((folder / ADAPTERS).read_bytes()).hexdigest()
    except OSError as error:
        raise ModelError("there are no trained adapters", subject=str(folder)) from error

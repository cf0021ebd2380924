"""A trained router on disk: `router.safetensors` and, beside it, `router.json` with settings, figures and history."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from seci.errors import ModelError
from seci.router.features import feature_names
from seci.router.settings import RouterSettings

WEIGHTS = "router.safetensors"
CARD = "router.json"
FORMAT = 2


@dataclass(frozen=True, slots=True)
class RouterCard:
    """What `router.json` says. `width` is the encoder's dimension; a turn is ADD from `threshold` on. Between `lenient`
    and `threshold` the router is unsure: its decision is NOOP, and distilling admits a person's turn all the same."""

    settings: RouterSettings
    width: int
    threshold: float
    lenient: float
    figures: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "threshold": self.threshold,
            "lenient": self.lenient,
            "width": self.width,
            "settings": self.settings.to_json(),
            "figures": dict(self.figures),
            "training": dict(self.training),
            "features": list(self.features),
        }


def shipped_weights() -> Path:
    """The folder of the router that comes with the package."""
    return Path(str(resources.files("seci.router").joinpath("data")))


def read_card(folder: Path) -> RouterCard:
    """Raises ModelError when it is missing, damaged, or of features that this version computes otherwise."""
    path = folder / CARD
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["format"] != FORMAT:
            raise ModelError(f"has format {value['format']}, this version reads {FORMAT}", subject=str(path))
        card = RouterCard(
            RouterSettings.from_json(value["settings"]),
            int(value["width"]),
            float(value["threshold"]),
            float(value["lenient"]),
            value["figures"],
            value["training"],
            tuple(value["features"]),
        )
    except OSError as error:
        raise ModelError(f"there is no trained router: {error.strerror}", subject=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"is not the card of a router: {error!r}", subject=str(path)) from error
    if card.features != feature_names():
        raise ModelError(
            "was trained on other plain features", subject=str(path), hint="seci router train makes a new one"
        )
    return card


def write_card(folder: Path, card: RouterCard) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(json.dumps(card.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def graph_of(trained: Path, cache: Path) -> Path:
    """Where the export of a trained router lies, whether it is there or not."""
    return cache / f"router-{weights_digest(trained)[:16]}.onnx"


def weights_digest(folder: Path) -> str:
    """Names what was trained: sha256 over weights and settings. Raises ModelError when there are none."""
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        data = (folder / WEIGHTS).read_bytes()
    except (OSError, ValueError) as error:
        raise ModelError("there are no trained weights", subject=str(folder)) from error
    settings = json.dumps(card.get("settings"), sort_keys=True).encode()
    return hashlib.sha256(settings + data).hexdigest()

"""The settings of a router: its shape and how it is trained. All of them stand in the JSON beside the weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from seci.core.note import NoteType
from seci.errors import ModelError

TYPES: tuple[NoteType, ...] = tuple(NoteType)
"""The content types in the order of the type head's outputs."""

RECALL = 0.915
"""The share of ADD turns that a router's threshold admits."""
LENIENT_RECALL = 0.96
"""Distilling takes a person's turn from the probability on that keeps this share of the ADD turns."""


@dataclass(frozen=True, slots=True)
class RouterSettings:
    """`backbone` None is the sentence encoder's own transformer; else a Hugging Face name or folder.

    History reaches back `chunks` chunks of `chunk_turns` turns. `history`, `projector`, `transformer` and `features`
    take a part of the model away when False (the ablations of docs/ROUTER.md).
    """

    encoder: str = "all-MiniLM-L6-v2"
    backbone: str | None = None
    chunk_turns: int = 5
    chunks: int = 2
    projector_hidden: int = 384
    feature_hidden: int = 32
    dropout: float = 0.5
    history: bool = True
    projector: bool = True
    transformer: bool = True
    features: bool = True

    learning_rate: float = 3e-4
    feature_penalty: float = 100.0
    """The linear layer starts from a logistic regression with this L2 penalty on each logit (summed loss)."""
    weight_decay: float = 0.05
    batch: int = 64
    epochs: int = 4
    patience: int = 1
    refit: bool = True
    """Train once more on training and validation turns together, for the number of epochs that was best."""
    add_weight: float = 1.0
    """Weight of ADD against NOOP in the operation's cross-entropy."""
    type_weight: float = 0.2
    written_weight: float = 0.5
    """Weight of a turn of the conversations that were written for the router against one of a real session."""
    evidence_share: float = 0.6
    """LoCoMo only: the say of the questions' evidence in a turn's target; the observations have the rest."""
    seed: int = 0

    def but(self, **changes: Any) -> RouterSettings:
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> RouterSettings:
        """Raises ModelError on a setting that this version does not know."""
        known = {f.name for f in fields(RouterSettings)}
        if unknown := sorted(set(value) - known):
            raise ModelError(f"the router's settings hold an unknown key {unknown[0]!r}")
        return RouterSettings(**value)

"""Trains the cross-encoder that reads two notes at once: `bench consolidate PAIRS --train FOLDER`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from seci.bench.consolidate import LabelledPair
from seci.core.conflict import in_order


def train_reader(
    pairs: Sequence[LabelledPair],
    folder: Path,
    epochs: int,
    say: Callable[[str], None],
    start: Path | None = None,
) -> None:
    """Writes the adapters and their card into `folder`, with `start` going on from the adapters there. An epoch over
    four thousand pairs takes about ten CPU minutes. Raises ModelError where the transformer's weights or `start` cannot
    be used."""
    from seci.embedding.cache import packaged_weights
    from seci.embedding.crossencoder.network import save_network
    from seci.embedding.crossencoder.training import Lesson, train_pairs
    from seci.embedding.crossencoder.weights import CARD, RELATIONS

    lessons = [Lesson(*in_order(pair.a, pair.b), RELATIONS.index(pair.expect.value), pair.weight) for pair in pairs]
    network, card = train_pairs(
        lessons, packaged_weights(), epochs, lambda epoch, loss: say(f"epoch {epoch}: loss {loss:.3f}"), start
    )
    folder.mkdir(parents=True, exist_ok=True)
    save_network(network, folder)
    (folder / CARD).write_text(json.dumps(card.to_json(), indent=2) + "\n", encoding="utf-8")

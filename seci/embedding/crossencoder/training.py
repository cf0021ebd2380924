"""Trains the cross-encoder's adapters on labelled pairs: AdamW, a fixed seed, no early stopping (needs torch)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from seci.core.note import Note
from seci.embedding.crossencoder.inputs import TokenPair, count_tokens, lay_out, read_tokens
from seci.embedding.crossencoder.network import PairNetwork, build_network, load_network
from seci.embedding.crossencoder.weights import RELATIONS, PairCard, read_card
from seci.embedding.export import TOKENIZER_FILE
from seci.embedding.onnx import load_tokenizer

if TYPE_CHECKING:
    from torch import Tensor

RANK, SCALE = 16, 2.0
RATE, DECAY, WARM = 1e-3, 0.01, 0.1  # of AdamW; the share of the steps in which the rate rises
BATCH, SORTED = 16, 20  # pairs of a step; batches that are sorted by length together
SMOOTHING = 0.05  # of the labels
MOST_WEIGHT = 2.0
ONE_WAY = RELATIONS.index("supersede")  # the other relations hold with the notes turned round
SEED = 1


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair, older note first, and the place of its relation in RELATIONS; `weight` is what it counts."""

    older: Note
    newer: Note
    relation: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class _Row:
    tokens: TokenPair
    relation: int
    weight: float

    def turned(self) -> _Row:
        """With the notes the other way round, where the relation holds both ways."""
        return self if self.relation == ONE_WAY else replace(self, tokens=self.tokens[::-1])


def train_pairs(
    lessons: Sequence[Lesson],
    encoder: Path,
    epochs: int,
    report: Callable[[int, float], None],
    start: Path | None = None,
) -> tuple[PairNetwork, PairCard]:
    """The trained network and its card. `report` is told each epoch's number, from 1, and its mean loss. With `start`
    the training goes on from the adapters in that folder. Raises ModelError where they cannot be used."""
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    done = {"pairs": len(lessons), "epochs": epochs}
    if start is None:
        card = PairCard(RANK, SCALE, done)
        network = build_network(encoder, card).train()
    else:
        known = read_card(start)
        card = PairCard(known.rank, known.scale, {**done, "after": dict(known.training)})
        network = load_network(start, encoder).train()
    rows = _rows(lessons, encoder)
    steps = epochs * -(-len(rows) // BATCH)
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM * steps), max(0.0, 1 - step / steps))
    )
    for epoch in range(1, epochs + 1):
        total = 0.0
        for batch in _batches(rows, chance):
            inputs, relations, weights = _tensors(batch)
            losses = functional.cross_entropy(network(*inputs), relations, reduction="none", label_smoothing=SMOOTHING)
            loss = (losses * weights).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(batch)
        report(epoch, total / len(rows))
    return network.eval(), card


def _rows(lessons: Sequence[Lesson], encoder: Path) -> list[_Row]:
    """Each pair as token ids."""
    tokenizer = load_tokenizer(encoder / TOKENIZER_FILE)
    return [
        _Row(read_tokens(tokenizer, lesson.older, lesson.newer), lesson.relation, min(lesson.weight, MOST_WEIGHT))
        for lesson in lessons
    ]


def _batches(rows: Sequence[_Row], chance: random.Random) -> Iterator[Sequence[_Row]]:
    """All rows once, half of them turned, in batches of like length, in an order of their own."""
    mixed = [row if chance.random() < 0.5 else row.turned() for row in chance.sample(rows, len(rows))]
    batches = []
    for start in range(0, len(mixed), BATCH * SORTED):
        part = sorted(mixed[start : start + BATCH * SORTED], key=lambda row: count_tokens(row.tokens))
        batches += [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
    yield from chance.sample(batches, len(batches))


def _tensors(batch: Sequence[_Row]) -> tuple[list[Tensor], Tensor, Tensor]:
    """What the network is given, the relations and the weights."""
    inputs = [torch.from_numpy(part) for part in lay_out([row.tokens for row in batch])]
    return inputs, torch.tensor([row.relation for row in batch]), torch.tensor([row.weight for row in batch])

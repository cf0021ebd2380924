"""The router at work: onnxruntime, no torch. Implements `core.ports.Router`, and the same turn by turn."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seci.core.note import NoteType
from seci.core.ports import Decision
from seci.core.session import Role, Session, Turn
from seci.errors import ModelError
from seci.router.features import FeatureStream
from seci.router.inputs import read_inputs
from seci.router.sequences import assemble_sequences, recent_chunks
from seci.router.settings import TYPES
from seci.router.vectors import embed_turns
from seci.router.weights import RouterCard, graph_of, read_card, shipped_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder

EXPORT_SECONDS = 600
_DIGITS = 4  # of a probability: what arithmetic in another order may change lies far below
_BATCH = 64


def open_router(
    embedder: Embedder,
    encoder: Path,
    cache: Path,
    *,
    trained: Path | None = None,
    threshold: float | None = None,
    may_export: bool = True,
) -> OnnxRouter:
    """The shipped router, or the one in the folder `trained`, exported into `cache` first where that is missing.

    `encoder` holds the weights of the embedding model, whose transformer is the default backbone. Raises ModelError
    when the router was trained on another embedding model, or has to be exported and may not be.
    """
    folder = trained or shipped_weights()
    card = read_card(folder)
    if embedder.dimensions != card.width or not embedder.name.startswith(card.settings.encoder):
        raise ModelError(
            f"the router was trained on {card.settings.encoder}, not on {embedder.name}",
            subject=str(folder),
            hint="train one for this model with seci router train, or distill with --no-router",
        )
    graph = graph_of(folder, cache)
    if not graph.is_file():
        if not may_export:
            raise ModelError("the router is not prepared yet", subject=str(graph), hint="run any seci distill once")
        prepare_graph(folder, encoder, graph)
    return OnnxRouter(graph, card, embedder, threshold)


def prepare_graph(trained: Path, encoder: Path, graph: Path) -> None:
    """Exports in a child process, behind a lock, by atomic rename. Raises ModelError."""
    from filelock import FileLock, Timeout

    package = str(Path(__file__).parents[2])  # the child must find seci even where it is not installed
    paths = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    fresh = graph.with_suffix(f".{os.getpid()}")
    command = [sys.executable, "-m", "seci.router.export", str(trained), str(encoder), str(fresh)]
    try:
        graph.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{graph}.lock", timeout=EXPORT_SECONDS):
            if graph.is_file():
                return
            environ = {**os.environ, "PYTHONPATH": paths, "HF_HUB_OFFLINE": "1"}
            done = subprocess.run(
                command, env=environ, capture_output=True, text=True, timeout=EXPORT_SECONDS, check=False
            )
            if done.returncode != 0:
                last = (done.stderr.strip().splitlines() or ["no message"])[-1]
                raise ModelError(f"the router cannot be exported: {last}", subject=str(trained))
            fresh.replace(graph)
    except (OSError, Timeout, subprocess.TimeoutExpired) as error:
        raise ModelError(f"the router cannot be prepared: {error}", subject=str(graph)) from error
    finally:
        fresh.unlink(missing_ok=True)


class OnnxRouter:
    """Decides for a session at once (`decide`) or turn by turn (`stream`), with identical answers."""

    def __init__(self, graph: Path, card: RouterCard, embedder: Embedder, threshold: float | None = None) -> None:
        """A turn is admitted when the probability of ADD reaches `threshold` (None: the one it was trained for)."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1  # a pass over a handful of positions gains nothing from more
        options.log_severity_level = 3
        try:
            self._session = ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises classes of its own for a damaged file
            raise ModelError(f"the exported router cannot be loaded: {error}", subject=str(graph)) from error
        self._inputs = {item.name for item in self._session.get_inputs()}
        self.card = card
        self.embedder = embedder
        self.threshold = card.threshold if threshold is None else threshold

    @property
    def chunks(self) -> int:
        return self.card.settings.chunks if self.card.settings.history else 0

    def decide(self, session: Session) -> list[Decision]:
        """One decision for each turn, in turn order."""
        if not session.turns:
            return []
        inputs = read_inputs([session], self.embedder)
        sequences, mask = assemble_sequences(inputs.vectors, self.chunks, self.card.settings.chunk_turns)
        return self.judge(session.turns, sequences, mask, inputs.features)

    def admit(self, session: Session) -> list[Decision]:
        """What distilling takes: what is ADD, and of a person's turns all that it is not sure about. People say in few
        words what matters most, and a turn of theirs that is let in costs little."""
        return [
            replace(decision, add=decision.add or self.is_unsure(turn, decision))
            for turn, decision in zip(session.turns, self.decide(session), strict=True)
        ]

    def is_unsure(self, turn: Turn, decision: Decision) -> bool:
        """Whether a person's turn is NOOP with a probability that leaves room for doubt."""
        return turn.role is not Role.ASSISTANT and not decision.add and decision.probability >= self.card.lenient

    def stream(self, session: Session) -> RouterStream:
        """Decides for turns as they come; `session` says whose they are, its own turns are not looked at."""
        return RouterStream(self, session)

    def judge(
        self,
        turns: tuple[Turn, ...],
        sequences: NDArray[np.float32],
        mask: NDArray[np.int64],
        features: NDArray[np.float32],
    ) -> list[Decision]:
        """Decisions from the network's inputs, see `assemble_sequences` and `score_features`."""
        decisions = []
        for at in range(0, len(turns), _BATCH):
            rows = slice(at, at + _BATCH)
            given: dict[str, Any] = {"sequences": sequences[rows], "mask": mask[rows], "features": features[rows]}
            given = {name: value for name, value in given.items() if name in self._inputs}
            probabilities, types = self._session.run(["probability", "type"], given)
            for turn, value, kind in zip(turns[rows], probabilities, types, strict=True):
                probability = round(float(value), _DIGITS)
                add = probability >= self.threshold
                decisions.append(Decision(turn.index, add, probability, TYPES[int(kind)] if add else NoteType.OTHER))
        return decisions


@dataclass(slots=True)
class RouterStream:
    """One conversation in progress."""

    router: OnnxRouter
    session: Session
    _vectors: list[NDArray[np.float32]] = field(default_factory=list)
    _features: FeatureStream = field(default_factory=FeatureStream)

    def push(self, turn: Turn) -> Decision:
        """The decision for the next turn."""
        vector = embed_turns(replace(self.session, turns=(turn,)), self.router.embedder)[0]
        chunks = self.router.chunks
        sequence = np.zeros((1, chunks + 1, len(vector)), np.float32)
        mask = np.zeros((1, chunks + 1), np.int64)
        sequence[0, -1], mask[0, -1] = vector, 1
        recent = recent_chunks(self._vectors, chunks, self.router.card.settings.chunk_turns)
        for place, chunk in enumerate(recent, start=chunks - len(recent)):
            sequence[0, place], mask[0, place] = chunk, 1
        self._vectors.append(vector)
        row = np.asarray([self._features.push(turn)], np.float32)
        return self.router.judge((turn,), sequence, mask, row)[0]

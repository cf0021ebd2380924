"""From sessions and labels to the arrays that training and evaluation read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from seci.core.note import NoteType
from seci.core.session import Session, Turn
from seci.router.examples import Examples, assemble_examples
from seci.router.inputs import read_inputs
from seci.router.labels import Annotations, SessionLabels
from seci.router.settings import RouterSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder


@dataclass(frozen=True, slots=True)
class Stream:
    """One conversation as the router meets it, turn after turn, with what is known of each turn.

    `add` is the teacher's target (None: unlabelled), `truth` the label that decisions are judged by, `evidence` marks
    turns that answer a question and `questions` lists the rows that answer each (both empty where nobody asked).
    """

    name: str
    turns: tuple[Turn, ...]
    vectors: NDArray[np.float32]
    features: NDArray[np.float32]
    add: tuple[float | None, ...]
    types: tuple[NoteType | None, ...]
    truth: NDArray[np.bool_]
    evidence: NDArray[np.bool_]
    questions: tuple[tuple[str, tuple[int, ...]], ...] = ()
    weight: float = 1.0

    @property
    def labelled(self) -> list[int]:
        return [row for row, target in enumerate(self.add) if target is not None]

    def examples(self, settings: RouterSettings) -> Examples:
        return assemble_examples(settings, self.vectors, self.features, self.add, self.types, self.weight)


def labelled_streams(
    sessions: Iterable[Session],
    labels: Mapping[str, SessionLabels],
    embedder: Embedder,
    *,
    weight: float = 1.0,
    progress: Callable[[], None] = lambda: None,
) -> list[Stream]:
    """The sessions that have labels. A NOOP turn has no content type to learn from."""
    streams = []
    for session in sessions:
        label = labels.get(session.key)
        if label is None:
            continue
        add = tuple(label.target(turn.index) for turn in session.turns)
        types = tuple(label.add.get(turn.index) for turn in session.turns)
        streams.append(_stream(session.key, [session], embedder, add, types, weight=weight))
        progress()
    return streams


def annotated_streams(
    sessions: Sequence[Session],
    annotations: Mapping[str, Annotations],
    embedder: Embedder,
    *,
    evidence_share: float,
    progress: Callable[[], None] = lambda: None,
) -> list[Stream]:
    """LoCoMo: all sessions of a conversation as one stream. The truth is what the observations cite."""
    streams = []
    for name, group in groupby(sessions, key=lambda session: session.id.partition("/")[0]):
        known = annotations.get(name)
        if known is None:
            continue
        members = list(group)
        ids = [turn.message_id for session in members for turn in session.turns]
        rows = {name: row for row, name in enumerate(ids)}
        streams.append(
            _stream(
                name,
                members,
                embedder,
                tuple(known.target(turn, evidence_share) for turn in ids),
                (None,) * len(ids),
                truth=np.array([turn in known.observed for turn in ids]),
                evidence=np.array([turn in known.evidence for turn in ids]),
                questions=tuple(
                    (text, tuple(rows[turn] for turn in sorted(turns) if turn in rows))
                    for text, turns in known.questions
                ),
            )
        )
        progress()
    return streams


def _stream(
    name: str,
    sessions: Sequence[Session],
    embedder: Embedder,
    add: tuple[float | None, ...],
    types: tuple[NoteType | None, ...],
    *,
    truth: NDArray[np.bool_] | None = None,
    evidence: NDArray[np.bool_] | None = None,
    questions: tuple[tuple[str, tuple[int, ...]], ...] = (),
    weight: float = 1.0,
) -> Stream:
    turns = tuple(turn for session in sessions for turn in session.turns)
    inputs = read_inputs(sessions, embedder)
    known = np.array([target is not None and target >= 0.5 for target in add]) if truth is None else truth
    nothing = np.zeros(len(turns), bool)
    return Stream(
        name,
        turns,
        inputs.vectors,
        inputs.features,
        add,
        types,
        known,
        nothing if evidence is None else evidence,
        questions,
        weight,
    )

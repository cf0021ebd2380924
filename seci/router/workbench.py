"""What the commands of `seci router` do, as functions of sessions, labels and settings that return frozen results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from seci.core.session import Session
from seci.errors import ModelError, UserError
from seci.router.corpus import Stream, annotated_streams, labelled_streams
from seci.router.evaluate import Evaluation, Scores, evaluate, measure_latency
from seci.router.features import feature_names
from seci.router.inference import OnnxRouter, open_router
from seci.router.labels import Annotations, SessionLabels, read_annotations, read_labels
from seci.router.settings import RouterSettings
from seci.router.weights import RouterCard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.router.train import TrainReport


class Advance(Protocol):
    """Called once for each finished step, with the total where it has become known."""

    def __call__(self, steps: int = 1, total: int | None = None) -> None: ...


def _silent(steps: int = 1, total: int | None = None) -> None:
    return None


ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "router": {},
    "without features": {"features": False},
    "without history": {"history": False},
    "without transformer": {"transformer": False},
    "without MLP": {"projector": False},
}
VALIDATION_FOLDS = 6
"""A router that is trained on everything leaves a sixth of the conversations out while it looks for its epochs."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """`encoder` is the folder with the embedding model's weights, `cache` where exported routers are kept."""

    embedder: Embedder
    encoder: Path
    cache: Path

    def open(self, weights: Path | None = None, threshold: float | None = None) -> OnnxRouter:
        return open_router(self.embedder, self.encoder, self.cache, trained=weights, threshold=threshold)

    def streams(
        self,
        sessions: Sequence[Session],
        files: Sequence[Path],
        labels: Path | None,
        *,
        evidence_share: float,
        progress: Advance = _silent,
    ) -> list[Stream]:
        """LoCoMo's conversations with the labels of its annotators; other sessions with the labels of the file, or with
        the package's own. Raises UserError when no turn is labelled."""
        annotations: dict[str, Annotations] = {}
        for file in files:
            if file.suffix == ".json":
                annotations |= read_annotations(file)
        found = annotated_streams(
            sessions, annotations, self.embedder, evidence_share=evidence_share, progress=progress
        )
        known = read_labels(labels) if labels else shipped_labels()
        found += labelled_streams(sessions, known, self.embedder, progress=progress)
        if not found:
            raise UserError(
                "none of these sessions is labelled", subject=str(files[0]), hint="seci router label makes labels"
            )
        return found

    def train(
        self,
        streams: Sequence[Stream],
        settings: RouterSettings,
        out: Path,
        *,
        written: bool = False,
        recall: float = 0.9,
        progress: Advance = _silent,
    ) -> TrainReport:
        """Trains on all streams, and writes weights and card into `out`. The threshold admits `recall` of the ADD turns
        when each is judged by a router that was not trained on it."""
        from seci.router.experiment import (
            cross_validate,
            select_threshold,
            split_folds,
            train_router,
        )
        from seci.router.persist import save_model

        extra = self.written_streams(settings.written_weight) if written else []
        folds = split_folds(streams, VALIDATION_FOLDS)
        if len(folds) < 3:
            raise UserError(f"a router needs three conversations to learn from, not {len(folds)}", subject="DATA")
        progress(0, total=len(folds) + settings.epochs)
        scores = cross_validate(folds, settings, self.encoder, always=extra, on_fold=lambda fold: progress())
        truth = np.concatenate([stream.truth[stream.labelled] for stream in streams])
        judged = np.concatenate([scores[stream.name][stream.labelled] for stream in streams])
        threshold = select_threshold(truth, judged, recall)
        trained = train_router(
            [*(s for fold in folds[1:] for s in fold), *extra],
            folds[0],
            settings,
            self.encoder,
            checkpoint=out / "checkpoint.pt",
            on_epoch=lambda epoch: progress(),
        )
        figures = evaluate(streams, {"router": [scores]}, threshold=threshold, seeds=1)
        save_model(
            out,
            trained.model,
            RouterCard(
                settings,
                self.embedder.dimensions,
                threshold,
                {"cross-validated": _figures(figures)},
                {
                    **trained.report.to_json(),
                    "conversations": len(streams) + len(extra),
                    "turns": sum(len(s.labelled) for s in [*streams, *extra]),
                },
                feature_names(),
            ),
        )
        (out / "checkpoint.pt").unlink(missing_ok=True)
        return trained.report

    def evaluate(self, streams: Sequence[Stream], weights: Path | None = None, *, seeds: int = 5) -> Evaluation:
        """A trained router's figures, beside those of what needs no training."""
        router = self.open(weights)
        scores = {stream.name: _score(router, stream) for stream in streams}
        result = evaluate(
            streams, {"router": [scores]}, threshold=router.threshold, seeds=seeds, embedder=self.embedder
        )
        sessions = [Session("measured", stream.name, _renumbered(stream)) for stream in streams]
        return replace(result, latency=measure_latency(router, sessions))

    def cross_validate(
        self,
        streams: Sequence[Stream],
        settings: RouterSettings,
        *,
        folds: int = 6,
        seeds: int = 5,
        ablation: bool = False,
        written: bool = False,
        progress: Advance = _silent,
    ) -> Evaluation:
        """Every stream judged by routers that were trained on others: one conversation of LoCoMo left out at a time, of
        other sessions one of `folds` parts. The regression baseline is trained on the same turns."""
        from seci.router.baselines import score_regression
        from seci.router.experiment import cross_validate, split_folds

        annotated = all(len(stream.questions) for stream in streams)
        parts = [[stream] for stream in streams] if annotated else split_folds(streams, folds)
        if len(parts) < 3:
            raise UserError(f"leaving one out needs three conversations, not {len(parts)}", subject="DATA")
        extra = self.written_streams(settings.written_weight) if written else []
        variants = ABLATIONS if ablation else {"router": {}}
        progress(0, total=len(variants) * seeds * len(parts))
        runs: dict[str, list[Scores]] = {}
        for name, changes in variants.items():
            runs[name] = [
                cross_validate(
                    parts,
                    settings.but(seed=seed, **changes),
                    self.encoder,
                    always=extra,
                    on_fold=lambda fold: progress(),
                )
                for seed in range(seeds)
            ]
        regression: dict[str, NDArray[np.float32]] = {}
        for number, held in enumerate(parts):
            others = [s for place, part in enumerate(parts) if place != number for s in part]
            regression |= {stream.name: score_regression([*others, *extra], stream) for stream in held}
        runs["regression"] = [regression]
        return evaluate(streams, runs, threshold=0.5, seeds=seeds, embedder=self.embedder if annotated else None)

    def written_streams(self, weight: float = 1.0) -> list[Stream]:
        from seci.router.conversations import written_conversations

        written = written_conversations()
        labels = {item.session.key: item.labels for item in written}
        return labelled_streams([item.session for item in written], labels, self.embedder, weight=weight)


def shipped_labels() -> dict[str, SessionLabels]:
    """The labels of real coding sessions that come with the package; the sessions themselves do not."""
    with resources.as_file(resources.files("seci.router").joinpath("data/labels.json")) as path:
        return read_labels(path)


def _score(router: OnnxRouter, stream: Stream) -> NDArray[np.float32]:
    from seci.router.sequences import assemble_sequences

    sequences, mask = assemble_sequences(stream.vectors, router.chunks, router.card.settings.chunk_turns)
    decisions = router.judge(stream.turns, sequences, mask, stream.features)
    return np.array([decision.probability for decision in decisions], np.float32)


def _renumbered(stream: Stream) -> tuple[Any, ...]:
    """Turns of several sessions as one: their numbers repeat, and a session's must not."""
    return tuple(replace(turn, index=number) for number, turn in enumerate(stream.turns))


def _figures(result: Evaluation) -> dict[str, Any]:
    means = {name: round(values[0], 4) for name, values in result.methods["router"].items()}
    if result.decided is None:
        raise ModelError("an evaluation for the card needs a threshold")
    decided = {name: round(value, 4) for name, value in asdict(result.decided).items()}
    return {**means, **decided}

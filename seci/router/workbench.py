"""What the commands of `seci router` do, as functions of sessions, labels and settings that return frozen results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from seci.core.session import Session
from seci.errors import UserError
from seci.router.corpus import Stream, annotated_streams, labelled_streams
from seci.router.evaluate import Evaluation, evaluate, measure_latency, score_figures, summarise
from seci.router.features import feature_names
from seci.router.inference import OnnxRouter, open_router
from seci.router.labels import Annotations, SessionLabels, read_annotations, read_labels
from seci.router.metrics import score_confusion
from seci.router.settings import LENIENT_RECALL, RECALL, RouterSettings
from seci.router.weights import RouterCard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seci.core.ports import Embedder
    from seci.router.answering import AnswerReport
    from seci.router.questions import Question
    from seci.router.teacher import Complete
    from seci.router.train import TrainReport


class Advance(Protocol):
    """Called once for each finished step, with the total where it has become known."""

    def __call__(self, steps: int = 1, total: int | None = None) -> None: ...


def _silent(steps: int = 1, total: int | None = None) -> None:
    return None


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
        recall: float = RECALL,
        progress: Advance = _silent,
    ) -> TrainReport:
        """Trains on all streams, and writes weights and card into `out`. The threshold admits `recall` of the ADD turns
        when each is judged by a router that was not trained on it; precision and recall on the card are those of
        thresholds that other conversations chose."""
        from seci.router.conversations import written_conversations
        from seci.router.experiment import (
            cross_validate,
            decide_apart,
            select_threshold,
            split_folds,
            train_router,
        )
        from seci.router.inputs import digest_inputs
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
        lenient = min(threshold, select_threshold(truth, judged, LENIENT_RECALL))
        trained = train_router(
            [*(s for fold in folds[1:] for s in fold), *extra],
            folds[0],
            settings,
            self.encoder,
            checkpoint=out / "checkpoint.pt",
            on_epoch=lambda epoch: progress(),
        )
        figures = summarise([score_figures(streams, scores)])
        apart = score_confusion(*decide_apart(folds, scores, recall))
        known = [item.session for item in written_conversations()]
        save_model(
            out,
            trained.model,
            RouterCard(
                settings,
                self.embedder.dimensions,
                threshold,
                lenient,
                {
                    "cross-validated": {
                        **{name: round(values[0], 4) for name, values in figures.items()},
                        "precision": round(apart.precision, 4),
                        "recall": round(apart.recall, 4),
                    }
                },
                {
                    **trained.report.to_json(),
                    "conversations": len(streams) + len(extra),
                    "turns": sum(len(s.labelled) for s in [*streams, *extra]),
                    "inputs": digest_inputs(known, self.embedder),
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
        ablation_seeds: int = 0,
        written: bool = False,
        kept: Path | None = None,
        recall: float = RECALL,
        progress: Advance = _silent,
    ) -> Evaluation:
        """Every stream judged by routers that were trained on others: one conversation of LoCoMo left out at a time, of
        other sessions one of `folds` parts. Regressions are trained on the same turns. `kept` is a folder for finished
        runs, which are not made again. Without questions, precision and recall are those of thresholds that admit
        `recall` of the other parts' ADD turns."""
        from seci.router.experiment import split_folds
        from seci.router.study import Study, average_runs, score_apart

        annotated = all(len(stream.questions) for stream in streams)
        parts = [[stream] for stream in streams] if annotated else split_folds(streams, folds)
        if len(parts) < 3:
            raise UserError(f"leaving one out needs three conversations, not {len(parts)}", subject="DATA")
        study = Study(parts, self.encoder, self.written_streams(settings.written_weight) if written else (), kept)
        progress(0, total=study.count(seeds, ablation_seeds))
        runs = study.run(settings, seeds, ablation_seeds, progress)
        runs["mean of the seeds"] = [average_runs(runs["router"])]
        result = evaluate(streams, runs, seeds=seeds, embedder=self.embedder if annotated else None)
        split = tuple(tuple(stream.name for stream in part) for part in parts)
        if annotated:
            return replace(result, split=split)
        apart = {name: score_apart(parts, found, recall) for name, found in runs.items()}
        methods = {name: {**figures, **apart.get(name, {})} for name, figures in result.methods.items()}
        return replace(result, split=split, methods=methods)

    def answer(
        self,
        streams: Sequence[Stream],
        questions: Mapping[str, Sequence[Question]],
        complete: Complete,
        *,
        weights: Path | None = None,
        budget: float | None = None,
        hints: bool = True,
        progress: Advance = _silent,
    ) -> AnswerReport:
        """Answers questions from what a router stores: the turns from its threshold on, or the best `budget` of them;
        a budget of 1 stores everything. Raises UserError when no conversation has questions."""
        from seci.router.answering import answer_questions
        from seci.router.metrics import select_budget
        from seci.router.retrieval import Search

        asked = [stream for stream in streams if questions.get(stream.name)]
        if not asked:
            raise UserError("none of these conversations has questions", subject="DATA")
        router = self.open(weights)
        kept = {}
        for stream in asked:
            score = _score(router, stream)
            kept[stream.name] = score >= router.threshold if budget is None else select_budget(score, budget)
        progress(0, total=sum(len(questions[stream.name]) for stream in asked))
        searches = [Search(stream, self.embedder) for stream in asked]
        return answer_questions(searches, questions, kept, complete, hints=hints, progress=progress)

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

"""Training: it learns, repeats itself, goes on where it stopped, and leaves the transformer alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seci.errors import ModelError
from seci.router.corpus import Stream
from seci.router.evaluate import score_figures
from seci.router.experiment import cross_validate, score_stream, select_threshold, split_folds, train_router
from seci.router.features import feature_names
from seci.router.persist import load_model, save_model
from seci.router.settings import RouterSettings
from seci.router.train import fit
from seci.router.weights import RouterCard, read_card

from .conftest import WIDTH

torch = pytest.importorskip("torch")


def train(streams: list[Stream], settings: RouterSettings, encoder: Path, checkpoint: Path | None = None):
    return train_router(streams[:4], streams[4:5], settings, encoder, checkpoint=checkpoint)


def test_it_learns_what_separates_the_turns(streams: list[Stream], settings: RouterSettings, encoder: Path) -> None:
    trained = train(streams, settings, encoder)
    figures = score_figures(streams[5:], {streams[5].name: score_stream(trained.model, streams[5])})
    assert figures.auc > 0.95
    assert len(trained.report.epochs) <= settings.epochs


@pytest.mark.parametrize("part", ["history", "projector", "transformer", "features"])
def test_each_part_can_be_taken_away(part: str, streams: list[Stream], settings: RouterSettings, encoder: Path) -> None:
    trained = train(streams, settings.but(epochs=2, **{part: False}), encoder)
    assert np.isfinite(score_stream(trained.model, streams[5])).all()


def test_the_same_seed_gives_the_same_weights(streams: list[Stream], settings: RouterSettings, encoder: Path) -> None:
    first, second = (train(streams, settings.but(epochs=2), encoder) for _ in range(2))
    assert np.array_equal(score_stream(first.model, streams[5]), score_stream(second.model, streams[5]))
    other = train(streams, settings.but(epochs=2, seed=1), encoder)
    assert not np.array_equal(score_stream(first.model, streams[5]), score_stream(other.model, streams[5]))


def test_the_transformer_stays_frozen_and_is_not_saved(
    streams: list[Stream], settings: RouterSettings, encoder: Path
) -> None:
    from seci.router.model import load_backbone

    before = load_backbone(settings, encoder)
    trained = train(streams, settings.but(epochs=2), encoder)
    after = trained.model.backbone
    assert all(torch.equal(a, b) for a, b in zip(before.parameters(), after.parameters(), strict=True))
    assert not any(name.startswith("backbone") for name in trained.model.trained_state())


def test_a_stopped_run_goes_on_to_the_same_weights(
    streams: list[Stream], settings: RouterSettings, encoder: Path, tmp_path: Path
) -> None:
    class StopError(Exception):
        pass

    def stop_after_two(epoch: object) -> None:
        if epoch.number == 1:  # type: ignore[attr-defined]
            raise StopError

    whole = train(streams, settings, encoder)
    checkpoint = tmp_path / "checkpoint.pt"
    with pytest.raises(StopError):
        train_router(streams[:4], streams[4:5], settings, encoder, checkpoint=checkpoint, on_epoch=stop_after_two)
    resumed = train(streams, settings, encoder, checkpoint)
    assert resumed.report == whole.report
    assert np.array_equal(score_stream(whole.model, streams[5]), score_stream(resumed.model, streams[5]))
    with pytest.raises(ModelError, match="other settings"):
        train(streams, settings.but(dropout=0.2), encoder, checkpoint)


def test_early_stopping_keeps_the_best_epoch(streams: list[Stream], settings: RouterSettings, encoder: Path) -> None:
    report = train(streams, settings.but(epochs=12, patience=1, learning_rate=0.05, refit=False), encoder).report
    losses = [epoch.validation_loss for epoch in report.epochs]
    assert losses[report.best] == min(losses)
    assert len(losses) <= report.best + 2


def test_weights_and_card_come_back_as_they_were(
    streams: list[Stream], settings: RouterSettings, encoder: Path, tmp_path: Path
) -> None:
    trained = train(streams, settings.but(epochs=2), encoder)
    card = RouterCard(settings.but(epochs=2), WIDTH, 0.42, 0.1, {"auc": 0.9}, {}, feature_names())
    save_model(tmp_path, trained.model, card)
    assert read_card(tmp_path) == card
    again = load_model(tmp_path, encoder)
    assert np.array_equal(score_stream(trained.model, streams[5]), score_stream(again, streams[5]))
    (tmp_path / "router.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match=r"router\.safetensors"):
        load_model(tmp_path, encoder)


def test_no_stream_is_judged_by_a_router_that_saw_it(
    streams: list[Stream], settings: RouterSettings, encoder: Path
) -> None:
    folds = split_folds(streams, 3)
    assert sorted(stream.name for fold in folds for stream in fold) == sorted(stream.name for stream in streams)
    scores = cross_validate(folds, settings.but(epochs=1, transformer=False), encoder)
    assert scores.keys() == {stream.name for stream in streams}
    with pytest.raises(ModelError, match="three conversations"):
        cross_validate(folds[:2], settings, encoder)


def test_nothing_to_learn_from_is_an_error(streams: list[Stream], settings: RouterSettings, encoder: Path) -> None:
    trained = train(streams, settings.but(epochs=1), encoder)
    empty = streams[0].examples(settings).take(slice(0, 0))
    with pytest.raises(ModelError, match="labelled turns"):
        fit(trained.model, empty, streams[1].examples(settings))


def test_the_threshold_admits_the_share_that_was_asked_for() -> None:
    truth = np.array([True] * 10 + [False] * 10)
    score = np.linspace(0.95, 0.05, 20).astype(np.float32)
    threshold = select_threshold(truth, score, 0.9)
    assert (score[truth] >= threshold).mean() >= 0.9
    assert threshold > 0.5

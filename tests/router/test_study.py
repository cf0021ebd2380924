"""The research run: every method on every conversation, nothing done twice, nothing judged by what it taught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seci.errors import ModelError
from seci.router.baselines import REGRESSIONS
from seci.router.corpus import Stream
from seci.router.evaluate import evaluate
from seci.router.experiment import decide_apart, split_folds
from seci.router.settings import RouterSettings
from seci.router.study import ABLATIONS, Study, average_runs

pytest.importorskip("torch")


@pytest.fixture
def study(streams: list[Stream], encoder: Path, tmp_path: Path) -> Study:
    return Study(split_folds(streams, 3), encoder, kept=tmp_path / "runs")


@pytest.fixture
def quick(settings: RouterSettings) -> RouterSettings:
    return settings.but(epochs=1, refit=False)


def test_all_variants_are_judged_on_all_conversations(
    study: Study, quick: RouterSettings, streams: list[Stream]
) -> None:
    steps: list[int] = []
    runs = study.run(quick, 2, 1, lambda: steps.append(1))
    assert set(runs) == {"router", *ABLATIONS, *REGRESSIONS}
    assert len(steps) == study.count(2, 1)
    assert {name: len(found) for name, found in runs.items()} == dict.fromkeys(runs, 1) | {"router": 2}
    assert all(scores.keys() == {stream.name for stream in streams} for found in runs.values() for scores in found)
    result = evaluate(streams, runs)
    assert result.methods["always add"]["f1"][0] == pytest.approx(
        np.mean([2 * s.truth.mean() / (1 + s.truth.mean()) for s in streams])
    )
    mean, low, high = result.methods["router"]["auc"]
    assert low <= mean <= high


def test_a_stopped_study_makes_no_run_twice(study: Study, quick: RouterSettings) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    first = study.run(quick, 1, 0)
    kept = study.kept
    assert kept is not None
    (file,) = kept.iterdir()
    written = file.stat().st_mtime_ns
    with pytest.raises(StopError):
        study.run(quick, 2, 0, stop)
    again = study.run(quick, 1, 0)
    assert file.stat().st_mtime_ns == written
    for name, row in first["router"][0].items():
        assert np.allclose(row, again["router"][0][name], atol=1e-4)
    with pytest.raises(ModelError, match="other settings"):
        study.run(quick.but(dropout=0.3), 1, 0)


def test_the_mean_of_runs_is_what_several_routers_say() -> None:
    mean = average_runs([{"a": np.array([0.0, 1.0], np.float32)}, {"a": np.array([1.0, 1.0], np.float32)}])
    assert mean["a"].tolist() == [0.5, 1.0]


def test_a_threshold_is_judged_where_it_had_no_say(streams: list[Stream]) -> None:
    """Scores that are right but lie elsewhere in one part: its own threshold would be perfect, that of the others is
    not."""
    folds = split_folds(streams, 3)
    scores = {stream.name: np.where(stream.truth, 0.6, 0.4).astype(np.float32) for stream in streams}
    truth, decided = decide_apart(folds, scores, 1.0)
    assert np.array_equal(truth, decided)
    for stream in folds[0]:
        scores[stream.name] -= np.float32(0.3)
    truth, decided = decide_apart(folds, scores, 1.0)
    first = sum(len(stream.turns) for stream in folds[0])
    assert not decided[:first].any()
    assert truth[:first].any()

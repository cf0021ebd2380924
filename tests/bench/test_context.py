"""Whether a context holds a turn that answers, and how two mixes of signals are told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from seci.bench.context import MixRun, context_shape
from seci.core.scoring import SignalWeights
from tests.bench.files import write_labelled
from tests.conftest import Result

Seci = Callable[..., Result]


def test_the_answer_reaches_the_context(seci: Seci, tmp_path: Path) -> None:
    gold, transcripts = write_labelled(tmp_path)
    told = seci("bench", "context", gold, "--transcripts", transcripts, "--out", tmp_path / "out", "--json")
    assert told.code == 0, told.err
    shape = json.loads(told.out)
    assert shape["context_recall"] == {"600": 1.0, "1000": 1.0, "4000": 1.0}
    assert shape["questions"] == 2
    assert all(0 < tokens <= int(budget) for budget, tokens in shape["tokens"].items())
    assert json.loads((tmp_path / "out" / "context.json").read_text()) == shape


def test_two_mixes_on_the_same_questions(seci: Seci, tmp_path: Path) -> None:
    gold, transcripts = write_labelled(tmp_path)
    mixes = ("--weights", "relevance=0.5", "--weights", "relevance=0.2,recency=0.5")
    said = seci("bench", "context", gold, "--transcripts", transcripts, "--distiller", "none", *mixes)
    assert said.code == 0, said.err
    assert "2 questions" in said.out and "recency 0.5" in " ".join(said.out.split())
    wrong = seci("bench", "context", gold, "--transcripts", transcripts, "--weights", "nearness=1")
    assert wrong.code == 2 and "nearness" in wrong.err


def test_the_difference_is_paired_and_from_the_first() -> None:
    first = MixRun(SignalWeights(), {600: (True, False) * 20}, {600: (500, 600) * 20})
    better = MixRun(SignalWeights().override(relevance=0.8), {600: (True, True) * 20}, {600: (500, 600) * 20})
    shape = context_shape([first, better], 0.75)
    assert shape["context_recall"] == {"600": 0.5} and shape["tokens"] == {"600": 550.0}
    second = shape["mixes"][1]
    assert second["weights"]["relevance"] == 0.8
    assert second["versus_first"]["600"]["difference"] == pytest.approx(0.5)
    assert second["versus_first"]["600"]["p"] < 0.001

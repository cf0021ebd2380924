"""What a plan costs is measured in processes of their own, and drawn."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from seci.bench.growth import growth_shape, make_notes, make_vectors, measure_plan, run_growth
from seci.bench.page import render_page
from seci.bench.plots import draw_plans
from seci.core.neighbours import content_words
from seci.errors import UserError
from tests.conftest import Result


def test_generated_notes_repeat_and_their_vectors_are_near() -> None:
    notes = make_notes(300)
    assert make_notes(300) == notes
    twice = {note.body: note for note in notes}
    assert 20 < len(notes) - len(twice) < 50
    same = [[note for note in notes if note.body == body] for body in twice]
    first, second = next(pair for pair in same if len(pair) == 2)
    rows = make_vectors([content_words(note.body) for note in (first, second)])
    assert rows[0] @ rows[1] == pytest.approx(1.0, abs=1e-5)


def test_a_plan_finds_what_was_said_twice() -> None:
    cost = measure_plan(400)
    bodies = [note.body for note in make_notes(400)]
    assert cost.merged >= len(bodies) - len(set(bodies))
    assert cost.pairs < 400 * 40 and cost.memory_mb > 10


@pytest.mark.model
def test_each_size_runs_in_its_own_process_and_is_published(
    tmp_path: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECI_CACHE", str(model_cache))
    told: list[int] = []
    shape = json.loads(json.dumps(growth_shape(run_growth((60, 240), lambda steps, total: told.append(steps)))))
    assert [point["notes"] for point in shape["growth"]] == [60, 240] and told == [1, 1]
    page = render_page("{{plans}}", [("consolidate", shape)])
    assert "| 240 |" in page and "consolidate-growth.svg" in page
    assert {path.name for path in draw_plans(shape, tmp_path)} == {"consolidate-growth.png", "consolidate-growth.svg"}


def test_a_size_that_cannot_be_measured_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(UserError, match="70 notes could not be measured: exit code 1"):
        run_growth((70,))


def test_the_command_asks_for_pairs_or_growth(seci: object, tmp_path: Path) -> None:
    assert callable(seci)
    wrong: Result = seci("bench", "consolidate")
    assert wrong.code == 2 and "--growth" in wrong.err
    done: Result = seci("bench", "consolidate", "--growth", "--notes", "50", "--json", "--out", tmp_path)
    assert json.loads(done.out) == json.loads((tmp_path / "consolidate.json").read_text())

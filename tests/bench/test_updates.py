"""Whether the current fact stands first is judged by the time of the two places, wherever both are found."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seci.bench.datasets import Case, Corpus, Place
from seci.bench.hybrid import TemporaryVault
from seci.bench.page import render_page
from seci.bench.updates import list_order, newer_first, run_updates, split_gold, updates_shape
from seci.core.ranking import Unit
from seci.core.session import Role, Session, Turn
from seci.embedding.cache import open_embedder
from tests.conftest import Result

OLD, NEW = Place("chat:late-in-file", 0), Place("chat:first-in-file", 0)


def talk(name: str, month: int, *texts: str) -> Session:
    at = datetime(2026, month, 1, tzinfo=UTC)
    turns = tuple(Turn(i, Role.USER, text, at) for i, text in enumerate(texts))
    return Session("chat", name, turns)


SESSIONS = (
    talk("first-in-file", 3, "We switched the deploys of the shop from Jenkins to Drone last week."),
    talk("late-in-file", 1, "We use Jenkins for the deploys of the shop.", "The logo of the shop is blue."),
)
CHANGE = Case("q1", "What runs the deploys of the shop?", "knowledge_update", frozenset({OLD, NEW}))
PLAIN = Case("q2", "Which colour has the logo?", "factual", frozenset({Place("chat:late-in-file", 1)}))


def test_the_current_place_is_the_latest_in_time_not_in_the_file() -> None:
    assert split_gold(CHANGE, list_order(SESSIONS)) == (frozenset({OLD}), NEW)
    assert split_gold(PLAIN, list_order(SESSIONS)) is None


@pytest.mark.parametrize(
    ("ranked", "first"), [([NEW, OLD], True), ([OLD, NEW], False), ([NEW], None), ([OLD], None), ([], None)]
)
def test_an_order_is_judged_only_where_both_are_found(ranked: list[Place], first: bool | None) -> None:
    assert newer_first(ranked, frozenset({OLD}), NEW) is first


def test_questions_are_asked_before_and_after_consolidating(model_cache: Path) -> None:
    vault = TemporaryVault({**os.environ, "SECI_CACHE": str(model_cache)}, open_embedder(model_cache))
    try:
        run = run_updates(vault, [Corpus("one", SESSIONS, (CHANGE, PLAIN))], Unit.TURN, "rules")
    finally:
        vault.close()
    assert len(run.before) == len(run.after) == 2
    assert all(asked.found and asked.recalled for asked in run.after)
    assert run.after[0].hits_newer_first is not None and run.after[1].hits_newer_first is None
    shape = updates_shape(run, "beam")
    assert shape["questions"] == 2 and shape["about_changes"] == 1
    assert shape["after"]["recall_any@10"] == 1.0 and shape["after"]["hits"]["both_found"] == 1
    page = render_page("{{updates}}", [("updates-beam", json.loads(json.dumps(shape)))])
    assert "2 questions, 1 about changes" in page and " of 1 |" in page


def test_the_command_names_what_it_cannot_read(seci: object, tmp_path: Path) -> None:
    assert callable(seci)
    wrong: Result = seci("bench", "updates", "locomo", tmp_path / "x.json")
    assert wrong.code == 2 and "not beam or longmemeval" in wrong.err

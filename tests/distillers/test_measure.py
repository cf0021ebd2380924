"""The measure of `bench distill`: precision, coverage and how turns are lined up."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from seci.bench.distill import (
    GoldNote,
    align_turns,
    parse_gold,
    run_distill_bench,
    score_coverage,
    score_precision,
    score_rows,
)
from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.errors import SourceError
from tests.distillers.sessions import START, session_of


def draft(title: str, *turns: int, tier: Tier = Tier.MEMORY) -> Draft:
    return Draft(title, "body", Namespace.DOCS, tier, NoteType.FACT, turns)


def gold_file(notes: Sequence[tuple[str, float, list[int]]], adds: Sequence[bool]) -> str:
    turns = [
        {
            "index": i,
            "role": "user" if i % 2 == 0 else "assistant",
            "at": (START + timedelta(minutes=i)).isoformat(),
            "decision": "ADD" if add else "NOOP",
            "type": "fact",
        }
        for i, add in enumerate(adds)
    ]
    return json.dumps(
        {
            "session": "s1",
            "turns": turns,
            "notes": [{"title": t, "body": "body", "importance": w, "turns": ts} for t, w, ts in notes],
        }
    )


class OneHot:
    """Equal texts have cosine 1, others 0."""

    name = "one-hot"
    dimensions = 64
    window = 256

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[row, sum(map(ord, text)) % self.dimensions] = 1
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self.embed([text])[0]
        return row


def fixed(*drafts: Draft) -> Callable[[Session], list[Draft]]:
    return lambda session: list(drafts)


def test_precision_wants_an_add_and_at_most_half_noop() -> None:
    mapping = {i: i for i in range(4)}
    notes = [draft("a", 0), draft("b", 0, 1), draft("c", 1), draft("d", 0, 1, 2), draft("e", 1, tier=Tier.EPISODE)]
    assert score_precision(notes, frozenset({0}), mapping) == (2, 4)


def test_coverage_is_one_to_one_and_optimal() -> None:
    wanted = [GoldNote("x", 0.5, frozenset({0})), GoldNote("y", 0.5, frozenset({0}))]
    cosine = np.array([[0.9, 0.7], [0.8, 0.1]], dtype=np.float32)
    both = [draft("a", 0), draft("b", 0)]
    assert score_coverage(both, wanted, {0: 0}, cosine) == 2, "greedy would spend a on x"
    assert score_coverage([draft("a", 1), draft("b", 0)], wanted, {0: 0, 1: 1}, cosine) == 1, "a shares no turn"


def test_split_answers_line_up_with_the_run_they_belong_to() -> None:
    gold = parse_gold(gold_file([], [True, True]))
    session = session_of(("user", "q"), ("assistant", "one"), ("assistant", "two"))
    assert align_turns(session.turns, gold.turns) == {0: 0, 1: 1, 2: 1}


def test_bench_pairs_by_stem_and_counts(tmp_path: Path) -> None:
    gold, transcripts = tmp_path / "gold", tmp_path / "transcripts"
    gold.mkdir()
    transcripts.mkdir()
    (gold / "a.json").write_text(gold_file([("t", 0.5, [1]), ("minor", 0.3, [1])], [False, True]))
    (gold / "alone.json").write_text(gold_file([], [True]))
    (transcripts / "a.jsonl").write_text("")
    session = session_of(("user", "q"), ("assistant", "a"))
    report = run_distill_bench(gold, transcripts, fixed(draft("t", 1), draft("u", 0)), OneHot(), lambda path: [session])
    assert (report.sessions, report.precision, report.coverage, report.notes_per_session) == (1, 0.5, 1.0, 2.0)
    assert report.as_json()["rows"][0]["matched"] == 1


def test_a_broken_gold_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    (tmp_path / "bad.jsonl").write_text("")
    with pytest.raises(SourceError, match=r"bad\.json"):
        run_distill_bench(tmp_path, tmp_path, fixed(), OneHot(), lambda path: [])


def test_nothing_to_judge_is_zero_not_an_error() -> None:
    assert score_rows([]).precision == 0.0

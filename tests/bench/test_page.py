"""The page says what the JSON says, and nothing stands on it that was not measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seci.bench.datasets import Case, Place
from seci.bench.memo import Spent
from seci.bench.metrics import score_question
from seci.bench.page import SECTIONS, main, read_runs, render_page
from seci.bench.report import bench_shape, csv_rows, run_name, score_times, write_report
from seci.bench.retrieval import Answer, BenchRun, MethodRun, Protocol
from seci.core.ranking import Unit
from seci.core.window import WindowAudit
from seci.errors import UserError
from tests.conftest import REPOSITORY

A, B, C = (Place(f"t:{name}") for name in "abc")
CASES = tuple(Case(f"q{n}", "?", kind, frozenset({A})) for n, kind in enumerate(("one", "one", "two")))


def method(name: str, *rankings: tuple[Place, ...]) -> MethodRun:
    answers = [
        Answer(case, ranked, score_question(ranked, case.gold, (1, 2)), 10.0 * n)
        for n, (case, ranked) in enumerate(zip(CASES, rankings, strict=True), 1)
    ]
    return MethodRun(name, answers, Spent(2.0, 1.5), 1000)


def run(*, pooled: bool = False) -> BenchRun:
    methods = (
        method("seed-hybrid", (A, B), (B, C), (B, A)),
        method("hybrid", (A, B), (A, B), (B, A)),
        method("hybrid -date", (A, B), (B, C), (B, C)),
    )
    protocol = Protocol("locomo", Unit.SESSION, (1, 2), 50, pooled=pooled, files=("talk.json",))
    return BenchRun(protocol, "words", 1, 3, 9, WindowAudit(254, 3, 1000, 2, 600, 0), methods)


def test_the_shape_says_means_intervals_types_and_differences() -> None:
    shape = bench_shape(run())
    ours = shape["methods"]["hybrid"]
    assert (shape["questions"], ours["recall@1"], ours["recall@2"]) == (3, 0.6667, 1.0)
    assert ours["by_type"]["one"] == {"questions": 2, **{k: 1.0 for k in ours["by_type"]["one"] if k != "questions"}}
    assert ours["query_ms"] == {"p50": 20.0, "p95": 30.0}
    assert (ours["index_s"], ours["index_cpu_s"], ours["index_bytes"]) == (2.0, 1.5, 1000)
    assert ours["versus"]["seed-hybrid"]["recall@1"]["difference"] == 0.3333
    assert "versus" not in shape["methods"]["seed-hybrid"]
    assert shape["window"]["hidden_whole"] == 0.6
    assert shape["machine"]["cores"] >= 1


def test_times_are_taken_by_nearest_rank() -> None:
    assert score_times(range(1, 101)) == {"p50": 50, "p95": 95}
    assert score_times([7.0]) == {"p50": 7.0, "p95": 7.0}
    assert score_times([]) == {"p50": 0.0, "p95": 0.0}


def test_what_is_written_beside_the_json(tmp_path: Path) -> None:
    write_report(run(pooled=True), tmp_path)
    assert run_name(run(pooled=True)) == "locomo-talk-pooled"
    rows = [json.loads(line) for line in (tmp_path / "locomo-talk-pooled-questions.jsonl").read_text().splitlines()]
    assert len(rows) == 6, "none for what an ablation leaves out"
    assert rows[1]["retrieved_ids"] == ["t:b", "t:c"] and rows[1]["gold_ids"] == ["t:a"]
    assert "?" not in json.dumps(rows), "no text of a question leaves the file"
    table = list(csv_rows(bench_shape(run())))
    assert len(table) == 1 + 3 * 3 and all(len(row) == len(table[0]) for row in table)


def test_every_figure_of_a_run_is_on_the_page(tmp_path: Path) -> None:
    write_report(run(), tmp_path)
    template = "\n".join(f"{{{{{name}}}}}" for name in SECTIONS)
    page = render_page(template, read_runs(tmp_path))
    assert "| **`hybrid`** | 66.7 | 66.7 | 100.0 [100.0, 100.0] | 100.0 |" in page
    assert "| two | 1 |" in page and "| without `date` | -66.7 |" in page
    assert "60.0 % | 0.0 %" in page
    assert "`grep`" in page and "Indexes nothing" in page
    assert page.count("Not measured in this run.") == 7, "neither context nor costs nor fits nor consolidating were"
    with pytest.raises(UserError, match="wonders"):
        render_page("{{wonders}}", [])


def test_costs_are_on_the_page(tmp_path: Path) -> None:
    point = {"embed_ms": 8.0, "p50_ms": 16.0, "p95_ms": 24.0, "p50_multiple": 2.0, "p95_multiple": 3.0}
    point |= {"cpu_multiple": 1.9, "load_s": 0.5, "memory_mb": 200.0}
    runs = [
        ("assembly", {"dataset": "assembly", "questions": 100, "growth": [{"notes": 10_000, **point}]}),
        (
            "processes",
            {
                "dataset": "processes",
                "notes": 200,
                "rounds": 40,
                "commands": [{"command": "hook, warm", "p50_ms": 30.0, "p95_ms": 40.0, "p50_multiple": 2.1,
                              "p95_multiple": 2.6, "cpu_multiple": 2.2}],
                "resident": {"memory_mb": 240.2, "peak_mb": 251.0, "cpu_share": 0.001},
            },
        ),
    ]  # fmt: skip
    page = render_page("{{assembly}}\n{{processes}}\n{{latency}}", runs)
    assert "| 10,000 | 8.0 | 16.0 | 24.0 | 2.00 | 1.90 | 0.5 | 200 |" in page
    assert "| hook, warm | 30.0 | 40.0 | 2.1 | 2.6 | 2.2 |" in page
    assert "240 MB" in page and "0.1 percent" in page
    assert page.count("Not measured in this run.") == 1


def test_a_page_that_is_out_of_date_is_said_to_be(tmp_path: Path) -> None:
    write_report(run(), tmp_path)
    (tmp_path / "page.md").write_text("# Figures\n\n{{results}}\n")
    page = tmp_path / "PAGE.md"
    assert main([str(tmp_path), str(page), "--check"]) == 1
    assert main([str(tmp_path), str(page)]) == 0
    assert main([str(tmp_path), str(page), "--check"]) == 0
    page.write_text("altered")
    assert main([str(tmp_path), str(page), "--check"]) == 1


def test_the_projects_own_page_is_up_to_date() -> None:
    docs = REPOSITORY / "docs"
    assert main([str(docs / "benchmarks"), str(docs / "BENCHMARKS.md"), "--check"]) == 0

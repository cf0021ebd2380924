"""`seci bench` as somebody types it: the shape that other programs rely on, and that hybrid is `seci search`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seci.bench.methods import METHODS
from seci.core.relevance import FEATURES
from tests.bench.files import write_beam, write_labelled, write_locomo, write_longmemeval
from tests.conftest import Result

Seci = Callable[..., Result]
METRICS = ("recall", "recall_any", "recall_all", "ndcg")


def shape(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.err
    assert result.out.count("\n") == 1, "one JSON object and nothing else"
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def test_all_methods_and_the_shape(seci: Seci, tmp_path: Path) -> None:
    told = shape(seci("bench", "locomo", write_locomo(tmp_path), "-k", "1,2", "--json"))
    assert (told["dataset"], told["unit"], told["questions"]) == ("locomo", "session", 4)
    assert set(told["methods"]) == set(METHODS)
    for name, figures in told["methods"].items():
        assert {f"{metric}@{k}" for metric in ("recall", "recall_any", "recall_all", "ndcg") for k in (1, 2)} <= set(
            figures
        )
        assert 0 <= figures["ci95"]["recall@1"][0] <= figures["recall@1"] <= figures["ci95"]["recall@1"][1] <= 1
        assert sum(kind["questions"] for kind in figures["by_type"].values()) == 4
        assert figures["query_ms"]["p95"] >= figures["query_ms"]["p50"] > 0
        assert figures["index_s"] >= 0 and isinstance(figures["mrr"], float)
        assert ("versus" in figures) == (name != "seed-hybrid")
    assert told["window"]["hidden_chunks"] == 0
    assert told["methods"]["hybrid"]["recall_any@1"] == 1


@pytest.mark.parametrize("unit", ["session", "turn"])
def test_hybrid_ranks_as_seci_search_does(seci: Seci, tmp_path: Path, unit: str) -> None:
    """The same sessions distilled into a vault by hand, notes and all, and the same questions: the same ranking."""
    if unit == "session":
        call = ("locomo", write_locomo(tmp_path), "--pooled")
        items = [item for sample in json.loads(call[1].read_text()) for item in sample["qa"]]
        texts = [items[0]["question"], items[1]["question"], items[4]["question"]]
    else:
        call = ("beam", write_beam(tmp_path))
        texts = [query["question"] for query in json.loads(call[1].read_text())["queries"][:2]]
    shape(seci("bench", *call, "--methods", "hybrid", "--out", tmp_path / "out", "--json"))
    rows = [json.loads(line) for line in next((tmp_path / "out").glob("*.jsonl")).read_text().splitlines()]
    vault = tmp_path / "vault"
    assert seci("init", vault).code == 0
    assert seci("distill", call[1], "--vault", vault).code == 0
    for row, text in zip(rows, texts, strict=True):
        asked = ("search", text, "--in", "raw", "--unit", unit, "-k", 50, "--vault", vault, "--json")
        hits = shape(seci(*asked))["hits"]
        found = [hit["session"] + (f"#{hit['turns'][0]}" if unit == "turn" else "") for hit in hits]
        assert row["retrieved_ids"] == found
        assert len(found) == (5 if unit == "session" else 6)


def test_coding_sessions_have_turns_and_sessions(seci: Seci, tmp_path: Path) -> None:
    gold, transcripts = write_labelled(tmp_path)
    told = shape(seci("bench", "sessions", gold, "--transcripts", transcripts, "--methods", "hybrid,grep", "--json"))
    assert (told["unit"], told["questions"]) == ("turn", 2)
    assert told["methods"]["hybrid"]["session@1"] == told["methods"]["hybrid"]["session@3"] == 1


def test_pooled_abstention_depth_and_the_notes_of_a_distiller(seci: Seci, tmp_path: Path) -> None:
    pooled = shape(seci("bench", "locomo", write_locomo(tmp_path), "--pooled", "--methods", "grep", "--json"))
    assert (pooled["questions"], pooled["protocol"]["haystacks"]) == (3, 1)
    file = write_longmemeval(tmp_path)
    counted = shape(seci("bench", "longmemeval", file, "--abstention", "--methods", "grep", "--json", "--depth", "10"))
    assert (counted["questions"], counted["protocol"]["k"]) == (3, [5, 10])
    noted = shape(seci("bench", "longmemeval", file, "--methods", "hybrid", "--distiller", "rules", "--json"))
    assert noted["methods"]["hybrid"]["recall_any@5"] == 1


def test_the_ablation_leaves_out_each_kind_of_evidence(seci: Seci, tmp_path: Path) -> None:
    told = shape(seci("bench", "beam", write_beam(tmp_path), "--methods", "grep", "--ablation", "--json"))
    assert set(told["methods"]) == {"grep", "hybrid", *(f"hybrid -{feature}" for feature in FEATURES)}


def test_what_is_written_and_that_a_second_run_embeds_nothing(seci: Seci, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    call = ("bench", "beam", write_beam(tmp_path), "--methods", "hybrid,seed-hybrid", "--cache", tmp_path / "cache")
    first = seci(*call, "--out", tmp_path / "out")
    assert first.code == 0, first.err
    assert "hybrid" in first.out and "seed-hybrid" in first.out and "hides" in first.out
    written = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {f"beam-beam-{kind}.{ending}" for kind in ("recall", "types", "latency") for ending in ("png", "svg")}
    assert written == {"beam-beam.json", "beam-beam.csv", "beam-beam-questions.jsonl"} | pictures
    table = list(csv.DictReader((tmp_path / "out" / "beam-beam.csv").open()))
    assert [(row["method"], row["type"]) for row in table[:2]] == [
        ("hybrid", "all"),
        ("hybrid", "information_extraction"),
    ]
    again = shape(seci(*call, "--json"))
    told = json.loads((tmp_path / "out" / "beam-beam.json").read_text())
    assert again["methods"]["hybrid"]["ndcg@5"] == told["methods"]["hybrid"]["ndcg@5"] == float(table[0]["ndcg@5"])


@pytest.mark.model
def test_any_sentence_transformers_model(seci: Seci, tmp_path: Path) -> None:
    from tests.embedding.test_sentence_transformer import make_model

    folder = make_model(tmp_path / "tiny")
    call = ("bench", "beam", write_beam(tmp_path), "--model", folder, "--methods", "dense-window,hybrid", "--json")
    told = shape(seci(*call))
    assert "tiny@" in told["protocol"]["model"]
    assert told["window"]["tokens"] == 22 and told["window"]["hidden_chunks"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--methods", "magic"], 2, "seed-raw"),
        (["-k", "5,x"], 2, "-k"),
        (["-k", "60"], 2, "depth of 50"),
        (["--distiller", "magic"], 2, "--distiller"),
        (["--model", "/nowhere/model"], 6, "/nowhere/model"),
    ],
)
def test_wrong_calls(seci: Seci, tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    result = seci("bench", "beam", write_beam(tmp_path), *arguments)
    assert (result.code, said in result.err) == (code, True), result.err


def test_a_file_that_is_no_such_set(seci: Seci, tmp_path: Path) -> None:
    wrong = seci("bench", "locomo", tmp_path / "nothing.json", "--methods", "grep")
    assert wrong.code == 4 and "nothing.json" in wrong.err
    (tmp_path / "empty.json").write_text("[]")
    empty = seci("bench", "locomo", tmp_path / "empty.json", "--methods", "grep")
    assert empty.code == 2 and "no question" in empty.err

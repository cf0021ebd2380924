"""What a run says: JSON for programs and for the page, CSV for spreadsheets, one line a question for looking closer."""

from __future__ import annotations

import csv
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from seci.bench.methods import REFERENCE, is_ablation
from seci.bench.metrics import score_difference, score_intervals, score_means
from seci.bench.retrieval import BenchRun, MethodRun

DIGITS = 4
_PACKAGES = ("seci", "numpy", "onnxruntime", "chromadb", "tokenizers")


def bench_shape(run: BenchRun) -> dict[str, Any]:
    """The JSON of a run. Shares are 0..1; `ci95` holds [low, high] of each mean, `versus` the paired difference from
    `seed-hybrid` where that was run too."""
    protocol, audit = run.protocol, run.window
    reference = next((method for method in run.methods if method.name == REFERENCE), None)
    return {
        "dataset": protocol.dataset,
        "unit": protocol.unit.value,
        "questions": len(run.methods[0].answers) if run.methods else 0,
        "methods": {method.name: method_shape(method, reference) for method in run.methods},
        "protocol": {
            "files": list(protocol.files),
            "k": list(protocol.ks),
            "depth": protocol.depth,
            "pooled": protocol.pooled,
            "abstention": protocol.abstention,
            "haystacks": run.haystacks,
            "sessions": run.sessions,
            "turns": run.turns,
            "model": run.model,
        },
        "window": {
            "tokens": audit.window,
            "sessions": audit.texts,
            "sessions_longer": audit.longer,
            "hidden_whole": round(audit.share_whole, DIGITS),
            "hidden_chunks": round(audit.share_chunks, DIGITS),
        },
        "machine": machine_shape(),
    }


def method_shape(run: MethodRun, reference: MethodRun | None) -> dict[str, Any]:
    rows = [answer.scores for answer in run.answers]
    by_type: dict[str, list[Mapping[str, float]]] = {}
    for answer in run.answers:
        by_type.setdefault(answer.case.type, []).append(answer.scores)
    shape: dict[str, Any] = dict(_rounded(score_means(rows)))
    shape["ci95"] = {name: [round(end, DIGITS) for end in ends] for name, ends in score_intervals(rows).items()}
    shape["by_type"] = {
        kind: {"questions": len(scores), **_rounded(score_means(scores))} for kind, scores in sorted(by_type.items())
    }
    shape["query_ms"] = {name: round(value, 2) for name, value in score_times(a.query_ms for a in run.answers).items()}
    shape["index_s"] = round(run.indexing.wall, 3)
    shape["index_cpu_s"] = round(run.indexing.cpu, 3)
    shape["index_bytes"] = run.index_bytes
    if reference is not None and reference is not run:
        shape["versus"] = {REFERENCE: compare_runs(run, reference)}
    return shape


def compare_runs(run: MethodRun, reference: MethodRun) -> dict[str, Any]:
    """The paired difference of each metric."""
    found = {}
    for metric in run.answers[0].scores if run.answers else ():
        ours, theirs = ([answer.scores[metric] for answer in one.answers] for one in (run, reference))
        compared = score_difference(ours, theirs)
        found[metric] = {
            "difference": round(compared.difference, DIGITS),
            "ci95": [round(compared.low, DIGITS), round(compared.high, DIGITS)],
            "p": round(compared.p, 5),
        }
    return found


def score_times(milliseconds: Iterable[float]) -> dict[str, float]:
    """The median and the 95th percentile, by nearest rank; 0 of nothing."""
    ordered = sorted(milliseconds)
    if not ordered:
        return {"p50": 0.0, "p95": 0.0}
    return {f"p{share}": ordered[max(0, -(-len(ordered) * share // 100) - 1)] for share in (50, 95)}


def machine_shape() -> dict[str, Any]:
    """What times depend on, as far as it can be asked."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
    }


def question_rows(run: BenchRun) -> Iterable[dict[str, Any]]:
    """One row for each whole method and question: what was retrieved, what answers, no text of either."""
    for method in run.methods:
        if is_ablation(method.name):
            continue
        for answer in method.answers:
            yield {
                "method": method.name,
                "question_id": answer.case.id,
                "question_type": answer.case.type,
                "metrics": _rounded(answer.scores),
                "query_ms": round(answer.query_ms, 2),
                "retrieved_ids": [str(place) for place in answer.ranked],
                "gold_ids": sorted(map(str, answer.case.gold)),
            }


def write_report(run: BenchRun, folder: Path) -> list[Path]:
    """`<name>.json`, `.csv`, `-questions.jsonl` and the plots into the folder, which is made; returns what was
    written."""
    folder.mkdir(parents=True, exist_ok=True)
    name = run_name(run)
    shape = bench_shape(run)
    paths = [folder / f"{name}.json", folder / f"{name}.csv", folder / f"{name}-questions.jsonl"]
    paths[0].write_text(json.dumps(shape, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    with paths[1].open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(csv_rows(shape))
    with paths[2].open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in question_rows(run))
    return paths


def run_name(run: BenchRun) -> str:
    """What a run's files are called: dataset and protocol, and the files' own name where it says which part."""
    protocol = run.protocol
    parts = [protocol.dataset, *sorted({Path(file).name.split(".")[0] for file in protocol.files})]
    if protocol.pooled:
        parts.append("pooled")
    if protocol.abstention:
        parts.append("abstention")
    if protocol.depth != max((50, *protocol.ks)):
        parts.append(f"depth{protocol.depth}")
    return "-".join(parts)


def csv_rows(shape: Mapping[str, Any]) -> Iterable[Sequence[object]]:
    """A header, then one row for each method and question type, `all` first."""
    header: list[str] = []
    for method, figures in shape["methods"].items():
        metrics = [
            name for name, value in figures.items() if isinstance(value, float) and not name.startswith("index_")
        ]
        if not header:
            header = ["dataset", "method", "type", "questions", *metrics, "query_p50_ms", "query_p95_ms", "index_s"]
            yield header
        times = (figures["query_ms"]["p50"], figures["query_ms"]["p95"], figures["index_s"])
        yield (shape["dataset"], method, "all", shape["questions"], *(figures[name] for name in metrics), *times)
        for kind, part in figures["by_type"].items():
            yield (shape["dataset"], method, kind, part["questions"], *(part[name] for name in metrics), "", "", "")


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(float(value), DIGITS) for name, value in scores.items()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None

"""What questions, contexts, commands and plans cost, as sections of the page."""

from __future__ import annotations

from seci.bench.markdown import Runs, render_count, render_table


def render_latency(runs: Runs) -> str:
    said = (
        "questions in a warm process, against embedding the same questions alone, in turns. Texts and vectors are "
        "generated, the vectors in clusters; the search is the real one."
    )
    table = _render_growth(runs, "latency", "chunks", said)
    return table and f"{table}\n\n![growth](benchmarks/latency-growth.svg)"


def render_assembly(runs: Runs) -> str:
    said = (
        "questions, each answered with a context at default budgets, in a warm process. Beside the notes the vault has "
        "as many chunks of archived sessions, all generated. Search, contradiction pass, scores, budgets and the count "
        "of uses are the real ones."
    )
    return _render_growth(runs, "assembly", "notes", said)


def render_processes(runs: Runs) -> str:
    shape = next((shape for _, shape in runs if shape.get("dataset") == "processes"), None)
    if shape is None:
        return ""
    names = ("command", "p50_ms", "p95_ms", "p50_multiple", "p95_multiple", "cpu_multiple")
    rows = [tuple(str(command[name]) for name in names) for command in shape["commands"]]
    heads = ("command", "p50, ms", "p95, ms", "times p50", "times p95", "times CPU")
    idle = shape["resident"]
    return (
        f"`seci bench processes --notes {shape['notes']}`: {shape['rounds']} rounds of whole commands, interpreter "
        f"included, in turns.\n\n{render_table(heads, rows)}\n\nThe resident process then holds "
        f"{idle['memory_mb']:.0f} MB (at most {idle['peak_mb']:.0f}) and, with nobody asking, takes "
        f"{100 * idle['cpu_share']:.1f} percent of a processor."
    )


def _render_growth(runs: Runs, name: str, unit: str, said: str) -> str:
    shape = next((shape for _, shape in runs if shape.get("dataset") == name), None)
    if shape is None:
        return ""
    rows = [
        (
            render_count(point[unit]),
            f"{point['embed_ms']:.1f}",
            f"{point['p50_ms']:.1f}",
            f"{point['p95_ms']:.1f}",
            f"{point['p50_multiple']:.2f}",
            f"{point['cpu_multiple']:.2f}",
            f"{point['load_s']:.1f}",
            f"{point['memory_mb']:.0f}",
        )
        for point in shape["growth"]
    ]
    heads = (unit, "embedding, ms", "p50, ms", "p95, ms", "times p50", "times CPU", "loading, s", "peak MB")
    return f"`seci bench {name}`: {shape['questions']} {said}\n\n{render_table(heads, rows)}"


def render_plans(runs: Runs) -> str:
    shape = next((shape for _, shape in runs if shape.get("dataset") == "consolidate"), None)
    if shape is None:
        return ""
    rows = [
        (
            render_count(point["notes"]),
            f"{point['pairs_s']:.1f}",
            f"{point['plan_s']:.1f}",
            f"{point['memory_mb']:.0f}",
            render_count(point["pairs"]),
            render_count(point["merged"]),
            render_count(point["superseded"]),
        )
        for point in shape["growth"]
    ]
    heads = ("notes", "finding pairs, CPU s", "planning, CPU s", "peak MB", "pairs judged", "merged", "superseded")
    return (
        "`seci bench consolidate --growth`: generated notes, a tenth of them said twice, each size in a process of its "
        f"own. Vectors are given, as an index holds them.\n\n{render_table(heads, rows)}\n\n"
        "![growth](benchmarks/consolidate-growth.svg)"
    )

"""`docs/BENCHMARKS.md` from the JSON of published runs: `python -m seci.bench.page FOLDER PAGE [--check]`.

The folder holds the runs and `page.md`, the page's own words with `{{name}}` where figures go.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from seci.bench.costs import render_assembly, render_latency, render_plans, render_processes
from seci.bench.hybrid import Hybrid
from seci.bench.markdown import Runs, render_count, render_table
from seci.bench.methods import BASELINES, HYBRID, REFERENCE, ablation_name, is_ablation
from seci.bench.plots import headline, whole_methods
from seci.errors import UserError

DATASETS = ("locomo", "longmemeval", "beam", "sessions")
_PLACE = re.compile(r"^\{\{(\w+)\}\}$", re.MULTILINE)
_TITLES = {
    "locomo": "LoCoMo: the session that answers, in a long chat between two people",
    "longmemeval": "LongMemEval: the session that answers, among sessions with an assistant",
    "beam": "BEAM: the messages that answer, in a long conversation with an assistant",
    "sessions": "Coding sessions: the turn that answers, among all sessions of one repository",
}


def render_page(template: str, runs: Runs) -> str:
    """The template with every place filled. Raises UserError for a place of another name."""
    return _PLACE.sub(lambda match: _section(match[1], runs), template).rstrip() + "\n"


def _section(name: str, runs: Runs) -> str:
    if name not in SECTIONS:
        raise UserError(f"the page has no {name!r}", subject="page.md")
    return SECTIONS[name](runs) or "Not measured in this run."


def render_machine(runs: Runs) -> str:
    """What the first run says of its machine; runs of one page come from one."""
    if not runs:
        return ""
    machine, model = runs[0][1]["machine"], runs[0][1].get("protocol", runs[0][1]).get("model", "")
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    return (
        f"On {machine['cores']} cores ({machine['processor']}, {machine['system']}), Python {machine['python']}, "
        f"{packages}. Embedding model: {model}. The machine did other work at the same time: trust processor time and "
        "multiples more than milliseconds."
    )


def render_data(runs: Runs) -> str:
    rows = [
        (_name(shape), f"`{', '.join(protocol['files'])}`", _protocol(shape), *map(render_count, counted))
        for _, shape in _retrieval(runs)
        for protocol in (shape["protocol"],)
        for counted in ([protocol["haystacks"], protocol["sessions"], protocol["turns"], shape["questions"]],)
    ]
    return render_table(("set", "files", "protocol", "haystacks", "sessions", "turns", "questions"), rows)


def render_methods(runs: Runs) -> str:
    makers: dict[str, type] = {**BASELINES, HYBRID: Hybrid}  # type: ignore[dict-item]
    return "\n".join(f"| `{name}` | {' '.join((maker.__doc__ or '').split())} |" for name, maker in makers.items())


def render_results(runs: Runs) -> str:
    return "\n\n".join(_result(stem, shape) for stem, shape in _retrieval(runs))


def _result(stem: str, shape: Mapping[str, Any]) -> str:
    methods = whole_methods(shape)
    metric = headline(shape)
    ordered = sorted(methods, key=lambda name: -methods[name][metric])
    ks = [k for k in shape["protocol"]["k"] if k in (5, 10)] or shape["protocol"]["k"][:2]
    columns = {f"{head}@{k}": f"{key}@{k}" for k in ks for head, key in (("R", "recall"), ("any", "recall_any"))}
    columns |= {f"NDCG@{ks[-1]}": f"ndcg@{ks[-1]}", "MRR": "mrr"}
    if shape["dataset"] == "sessions":
        columns |= {"session@1": "session@1", "session@3": "session@3"}
    rows = []
    for name in ordered:
        figures = methods[name]
        cells = [_share(figures[key], figures["ci95"][key] if key == metric else None) for key in columns.values()]
        times = (f"{figures['query_ms']['p50']:.1f}", f"{figures['index_cpu_s']:.1f}")
        label = f"**`{name}`**" if name == HYBRID else f"`{name}`"
        rows.append((label, *cells, *times, _versus(figures, metric)))
    picture = f"![{_name(shape)}](benchmarks/{stem}-recall.svg)"
    table = render_table(("method", *columns, "ms", "CPU s", f"against {REFERENCE}"), rows)
    return "\n\n".join(
        part
        for part in (f"### {_heading(shape)}", _protocol(shape) + ".", table, picture, _types(methods, metric))
        if part
    )


def _types(methods: Mapping[str, Any], metric: str) -> str:
    """Ours and the best baseline by question type."""
    baselines = [name for name in methods if name != HYBRID]
    if HYBRID not in methods or not baselines or len(methods[HYBRID]["by_type"]) < 2:
        return ""
    best = max(baselines, key=lambda name: methods[name][metric])
    rows = []
    for kind, figures in methods[HYBRID]["by_type"].items():
        top = max(baselines, key=lambda name: methods[name]["by_type"][kind][metric])
        rows.append(
            (
                kind,
                render_count(figures["questions"]),
                _share(figures[metric]),
                _share(methods[best]["by_type"][kind][metric]),
                f"{_share(methods[top]['by_type'][kind][metric])} (`{top}`)",
            )
        )
    return render_table(
        (f"{metric} by type", "questions", f"`{HYBRID}`", f"`{best}`", "best baseline of the type"), rows
    )


def render_ablation(runs: Runs) -> str:
    """A table a set: the headline metric and NDCG with everything, then the difference without each step."""
    parts = []
    for _, shape in _retrieval(runs):
        methods = shape["methods"]
        left_out = [name for name in methods if is_ablation(name)]
        if not left_out:
            continue
        ks = shape["protocol"]["k"]
        k = 10 if 10 in ks else ks[-1]
        metrics = [f"recall@{k}", f"recall_any@{ks[0]}", f"ndcg@{k}", "mrr"]
        rows = [("everything", *(_share(methods[HYBRID][metric]) for metric in metrics))]
        for name in left_out:
            moved = (100 * (methods[name][metric] - methods[HYBRID][metric]) for metric in metrics)
            rows.append((f"without `{name.removeprefix(ablation_name(''))}`", *(f"{points:+.1f}" for points in moved)))
        parts.append(f"**{_name(shape)}**\n\n{render_table(('', *metrics), rows)}")
    return "\n\n".join(parts)


def render_window(runs: Runs) -> str:
    rows = [
        (
            _name(shape),
            render_count(audit["sessions"]),
            render_count(audit["sessions_longer"]),
            f"{100 * audit['hidden_whole']:.1f} %",
            f"{100 * audit['hidden_chunks']:.1f} %",
        )
        for _, shape in _retrieval(runs)
        for audit in (shape["window"],)
        if not shape["protocol"]["pooled"]
    ]
    return render_table(
        ("set", "sessions", "longer than the window", "hidden, embedded whole", "hidden, as seci"), rows
    )


def render_context(runs: Runs) -> str:
    shape = next((shape for _, shape in runs if "context_recall" in shape), None)
    if shape is None:
        return ""
    rows = [
        (f"{budget} tokens", f"{100 * share:.1f}", f"{shape['tokens'][budget]:.0f}")
        for budget, share in shape["context_recall"].items()
    ]
    said = (
        f"`seci bench context`: {shape['questions']} questions about the coding sessions, distilled by rules. A "
        "context recalls a question when one of its passages, a note by its sources or a quotation, comes from a turn "
        "that answers it. The budget is for everything together, identity and headings included."
    )
    text = f"{said}\n\n{render_table(('budget', 'recalled, percent', 'tokens used, mean'), rows)}"
    for budget, share in shape.get("prompt_recall", {}).items():
        text += (
            f"\n\nTyped as a prompt in the project of its session, where a hook answers unasked within {budget} tokens "
            f"or stays silent: {100 * share:.1f} percent."
        )
    if "mixes" not in shape:
        return text
    mixes = [
        (
            ", ".join(f"{signal} {value:g}" for signal, value in mix["weights"].items()),
            *(f"{100 * share:.1f}" for share in mix["context_recall"].values()),
            "; ".join(f"{100 * d['difference']:+.1f} (p {d['p']:.2g})" for d in mix["versus_first"].values()),
        )
        for mix in shape["mixes"]
    ]
    return f"{text}\n\n{render_table(('signals', *shape['context_recall'], 'against the first'), mixes)}"


def render_updates(runs: Runs) -> str:
    shapes = [shape for _, shape in runs if str(shape.get("dataset", "")).startswith("updates-")]
    if not shapes:
        return ""
    rows = [
        (
            _titled(shape["dataset"].removeprefix("updates-")),
            when,
            _share(figures["recall_any@10"]),
            _share(figures["context_recall"]),
            *(_order(figures[where]) for where in ("hits", "context")),
        )
        for shape in shapes
        for when, figures in ((when, shape[when]) for when in ("before", "after"))
    ]
    heads = ("data", "consolidating", "recall@10", "in a context", "newer first in hits", "in a context, by score")
    done = "; ".join(
        f"{_titled(shape['dataset'].removeprefix('updates-'))}: {shape['questions']} questions, "
        f"{shape['about_changes']} about changes, {shape['consolidated']['merged']} notes merged and "
        f"{shape['consolidated']['superseded']} superseded"
        for shape in shapes
    )
    return f"`seci bench updates`, notes by rules. {done}.\n\n{render_table(heads, rows)}"


def _titled(dataset: str) -> str:
    return _TITLES[dataset].partition(":")[0] if dataset in _TITLES else dataset


def _order(figures: Mapping[str, Any]) -> str:
    share = figures["newer_first"]
    return "-" if share is None else f"{round(share * figures['both_found'])} of {figures['both_found']}"


def render_fit(runs: Runs) -> str:
    shape = next((shape for _, shape in runs if shape.get("dataset") == "fit"), None)
    if shape is None:
        return ""
    parts = [
        "`seci bench fit` finds weights from equal similarities and nothing else, on every choice of the sets. A set "
        "that took no part in a fit is what that fit has never seen. `shipped` are those of the package, which saw all."
    ]
    for name, questions in shape["questions"].items():
        rows = [
            (
                fit["fitted_on"].replace("+", ", "),
                "" if name in fit["seen"] else "yes",
                *(f"{100 * value:.1f}" for value in fit["metrics"][name].values()),
            )
            for fit in shape["fits"]
        ]
        heads = ("fitted on", "unseen", *shape["fits"][0]["metrics"][name])
        parts += [f"**{name}**, {render_count(questions)} questions:", render_table(heads, rows)]
    names = list(shape["fits"][0]["weights"])
    rows = [(f"`{name}`", *(f"{fit['weights'][name]:g}" for fit in shape["fits"])) for name in names]
    heads = ("weight", *(fit["fitted_on"].replace("+", ", ") for fit in shape["fits"]))
    return "\n\n".join([*parts, render_table(heads, rows)])


SECTIONS: dict[str, Callable[[Runs], str]] = {
    "machine": render_machine,
    "data": render_data,
    "methods": render_methods,
    "results": render_results,
    "ablation": render_ablation,
    "window": render_window,
    "fit": render_fit,
    "context": render_context,
    "latency": render_latency,
    "assembly": render_assembly,
    "processes": render_processes,
    "plans": render_plans,
    "updates": render_updates,
}


def read_runs(folder: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """Every JSON of the folder, data sets in their usual order. Raises UserError for a file that is none."""
    runs = []
    for path in sorted(folder.glob("*.json")):
        try:
            runs.append((path.stem, json.loads(path.read_text(encoding="utf-8"))))
        except ValueError as error:
            raise UserError(f"is not JSON: {error}", subject=str(path)) from error
    order = {name: number for number, name in enumerate(DATASETS)}
    return sorted(runs, key=lambda run: (order.get(run[1].get("dataset", ""), len(order)), run[0]))


def main(arguments: Sequence[str]) -> int:
    """Writes the page, or with `--check` says whether it is as it would be written."""
    names = [argument for argument in arguments if argument != "--check"]
    folder, page = (Path(name) for name in (names + ["docs/benchmarks", "docs/BENCHMARKS.md"][len(names) :])[:2])
    text = render_page((folder / "page.md").read_text(encoding="utf-8"), read_runs(folder))
    if "--check" not in arguments:
        page.write_text(text, encoding="utf-8")
        return 0
    if page.is_file() and page.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{page} is out of date: make docs writes it again\n")
    return 1


def _retrieval(runs: Runs) -> Runs:
    return [(stem, shape) for stem, shape in runs if shape.get("dataset") in DATASETS and "methods" in shape]


def _heading(shape: Mapping[str, Any]) -> str:
    part = ", ".join(file.split(".")[0] for file in shape["protocol"]["files"])
    pooled = ", all conversations as one haystack" if shape["protocol"]["pooled"] else ""
    return f"{_TITLES[shape['dataset']]}{pooled} (`{part}`)"


def _name(shape: Mapping[str, Any]) -> str:
    part = ", ".join(file.split(".")[0] for file in shape["protocol"]["files"])
    return f"{shape['dataset']} {part}{', pooled' if shape['protocol']['pooled'] else ''}"


def _protocol(shape: Mapping[str, Any]) -> str:
    protocol = shape["protocol"]
    parts = [f"unit {shape['unit']}", f"depth {protocol['depth']}"]
    if shape["dataset"] == "locomo":
        parts.append("without adversarial questions" if protocol["pooled"] else "adversarial questions included")
    if shape["dataset"] == "longmemeval":
        parts.append("abstention questions " + ("included" if protocol["abstention"] else "left out"))
    return ", ".join(parts)


def _share(value: float, interval: Sequence[float] | None = None) -> str:
    text = f"{100 * value:.1f}"
    return f"{text} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]" if interval else text


def _versus(figures: Mapping[str, Any], metric: str) -> str:
    compared = figures.get("versus", {}).get(REFERENCE, {}).get(metric)
    return f"{100 * compared['difference']:+.1f} (p {compared['p']:.2g})" if compared else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

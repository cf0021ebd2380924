"""Pictures of a run, as PNG and SVG, from its JSON. matplotlib is imported where it draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.bench.methods import HYBRID, is_ablation
from seci.errors import UserError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS = "#0b6e4f"
SEED = "#c98b2b"
PLAIN = "#8a93a0"
INK = "#222222"
_LABEL_DECADES = 0.45  # how far a label reaches on the axis of times
_TYPES_AT_MOST = 5  # methods side by side in one picture of question types


def draw_all(shape: Mapping[str, Any], folder: Path, name: str) -> list[Path]:
    """Recall by method, recall by question type where there are several, recall against latency. Raises UserError
    without matplotlib."""
    pictures = {"recall": draw_recall, "latency": draw_latency}
    if any(len(figures["by_type"]) > 1 for figures in shape["methods"].values()):
        pictures["types"] = draw_types
    return [path for kind, draw in pictures.items() for path in _save(draw(shape), folder / f"{name}-{kind}")]


def whole_methods(shape: Mapping[str, Any]) -> dict[str, Any]:
    """The methods without those of an ablation."""
    return {name: figures for name, figures in shape["methods"].items() if not is_ablation(name)}


def headline(shape: Mapping[str, Any]) -> str:
    """The metric that a run is drawn by: any-hit where published figures are, else the share found; at 10, or at the
    largest k."""
    ks = shape["protocol"]["k"]
    k = 10 if 10 in ks else max(ks)
    any_hit = shape["protocol"]["pooled"] or shape["dataset"] in ("longmemeval", "sessions")
    return f"recall_any@{5 if 5 in ks else k}" if any_hit else f"recall@{k}"


def draw_recall(shape: Mapping[str, Any]) -> Figure:
    """Horizontal bars with 95 percent intervals, best on top."""
    metric = headline(shape)
    methods = sorted(whole_methods(shape).items(), key=lambda item: item[1][metric])
    figure, axes = _figure(0.42 * len(methods) + 1.3)
    for row, (method, figures) in enumerate(methods):
        value = 100 * figures[metric]
        low, high = (100 * end for end in figures["ci95"][metric])
        axes.barh(row, value, color=_colour(method), height=0.68)
        axes.plot([low, high], [row, row], color=INK, linewidth=1.1)
        axes.text(max(high, value) + 1, row, f"{value:.1f}", va="center", fontsize=9, color=INK)
    axes.set_yticks(range(len(methods)), [method for method, _ in methods])
    axes.set_xlim(0, 109)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel(f"{_spell(metric)}, percent; line: 95 % interval over {shape['questions']} questions")
    axes.set_title(_title(shape), loc="left", fontsize=11)
    return figure


def draw_types(shape: Mapping[str, Any]) -> Figure:
    """Groups of bars, a question type each, for the best methods and ours."""
    metric = headline(shape)
    ranked = sorted(whole_methods(shape), key=lambda name: -shape["methods"][name][metric])
    chosen = [name for name in ranked if name == HYBRID] + [name for name in ranked if name != HYBRID]
    chosen = chosen[:_TYPES_AT_MOST]
    kinds = list(shape["methods"][chosen[0]]["by_type"]) if chosen else []
    figure, axes = _figure(0.17 * len(kinds) * (len(chosen) + 1) + 1.6)
    height = 0.84 / max(1, len(chosen))
    for place, method in enumerate(chosen):
        values = [100 * shape["methods"][method]["by_type"][kind][metric] for kind in kinds]
        rows = [row + 0.42 - (place + 0.5) * height for row in range(len(kinds))]
        axes.barh(rows, values, height=height * 0.92, color=_shade(method, place), label=method)
    counts = [shape["methods"][chosen[0]]["by_type"][kind]["questions"] for kind in kinds] if chosen else []
    axes.set_yticks(range(len(kinds)), [f"{kind or 'all'} ({n})" for kind, n in zip(kinds, counts, strict=True)])
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{_spell(metric)}, percent, by question type (questions)")
    axes.set_title(_title(shape), loc="left", fontsize=11)
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.4, -0.9 / figure.get_figheight()), ncol=3, frameon=False, fontsize=9
    )
    return figure


def draw_latency(shape: Mapping[str, Any]) -> Figure:
    """A point a method: the median time of a question, its embedding included, against recall."""
    metric = headline(shape)
    figure, axes = _figure(4.0)
    points = [(name, one["query_ms"]["p50"], 100 * one[metric]) for name, one in whole_methods(shape).items()]
    for name, time, value in points:
        axes.scatter(max(time, 0.01), value, s=46, color=_colour(name), zorder=3)
    axes.margins(y=0.12)
    bottom, top = axes.get_ylim()
    heights = _spread([(log10(max(time, 0.01)), value) for _, time, value in points], 0.055 * (top - bottom))
    for (name, time, value), height in zip(points, heights, strict=True):
        place = (max(time, 0.01) * 1.18, height)
        axes.annotate(name, (max(time, 0.01), value), place, fontsize=8.5, va="center", color=INK)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * 2.2)
    axes.set_xlabel("median time of a question in milliseconds, embedding included")
    axes.set_ylabel(f"{_spell(metric)}, percent")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_title(_title(shape), loc="left", fontsize=11)
    return figure


def draw_growth(shape: Mapping[str, Any], folder: Path) -> list[Path]:
    """What a question costs as the index grows, in multiples of embedding the question alone."""
    figure, axes = _figure(3.9)
    sizes = [point["chunks"] for point in shape["growth"]]
    for name, style in (("p50", "-"), ("p95", "--")):
        axes.plot(sizes, [point[f"{name}_multiple"] for point in shape["growth"]], style, color=OURS, label=name)
    for size, limit in shape["targets"].items():
        _mark_limit(axes, int(size), limit, f"at most {limit:g}")
    axes.set_ylim(bottom=0)
    _name_axes(axes, "chunks in the index", "times the bare embedding")
    axes.set_title("A warm question against the size of the index", loc="left", fontsize=11)
    return _save(figure, folder / "latency-growth")


def draw_plans(shape: Mapping[str, Any], folder: Path) -> list[Path]:
    """Processor time of a consolidation's plan against the notes of the vault, a line of slope one beside it."""
    figure, axes = _figure(3.9)
    sizes = [point["notes"] for point in shape["growth"]]
    seconds = [point["pairs_s"] + point["plan_s"] for point in shape["growth"]]
    axes.plot(sizes, seconds, "o-", color=OURS, label="finding pairs and planning")
    linear = [max(seconds[-1], 0.01) * size / sizes[-1] for size in sizes]
    axes.plot(sizes, linear, ":", color=PLAIN, label="linear")
    budget = shape["budget"]
    _mark_limit(axes, budget["notes"], budget["cpu_s"], f"at most {budget['cpu_s']} s")
    axes.set_yscale("log")
    _name_axes(axes, "notes in the vault", "processor seconds")
    axes.set_title("Planning a consolidation against the size of the vault", loc="left", fontsize=11)
    return _save(figure, folder / "consolidate-growth")


def _mark_limit(axes: Axes, size: float, limit: float, said: str) -> None:
    axes.scatter(size, limit, marker="_", s=300, color="#b3261e", zorder=3)
    axes.annotate(said, (size, limit), (0, 5), textcoords="offset points", ha="center", fontsize=8.5)


def _name_axes(axes: Axes, size: str, cost: str) -> None:
    """A cost against a size that grows by factors."""
    axes.set_xscale("log")
    axes.set_xlabel(size)
    axes.set_ylabel(cost)
    axes.legend(frameon=False)
    axes.grid(True, color="#dddddd", linewidth=0.6)


def _figure(height: float) -> tuple[Figure, Axes]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UserError("plots need matplotlib", hint="pip install 'seci[bench]'") from error
    figure = Figure(figsize=(7.6, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Figure, path: Path) -> list[Path]:
    from matplotlib import rc_context

    written = []
    with rc_context({"svg.hashsalt": "seci", "svg.fonttype": "none"}):  # the same figures give the same bytes
        for ending, metadata in (("png", None), ("svg", {"Date": None})):
            target = path.with_name(f"{path.name}.{ending}")
            figure.savefig(target, dpi=140, metadata=metadata, bbox_inches="tight", facecolor="white")
            written.append(target)
    return written


def _spread(points: Sequence[tuple[float, float]], gap: float) -> list[float]:
    """The heights of labels, each moved up until it stands `gap` above every lower one in the same stretch."""
    order = sorted(range(len(points)), key=lambda i: points[i][1])
    placed: dict[int, float] = {}
    for one in order:
        beside = [placed[other] for other in placed if abs(points[other][0] - points[one][0]) < _LABEL_DECADES]
        placed[one] = max([points[one][1], *(height + gap for height in beside)])
    return [placed[i] for i in range(len(points))]


def _colour(method: str) -> str:
    if method == HYBRID:
        return OURS
    return SEED if method.startswith("seed-") else PLAIN


def _shade(method: str, place: int) -> str:
    return OURS if method == HYBRID else ("#c98b2b", "#8a93a0", "#5b7db1", "#b9a58c", "#3f4650")[place % 5]


def _spell(metric: str) -> str:
    name, _, k = metric.partition("@")
    words = {"recall": "recall", "recall_any": "any-hit", "recall_all": "all found", "ndcg": "NDCG"}
    return f"{words.get(name, name)}@{k}" if k else words.get(name, name)


def _title(shape: Mapping[str, Any]) -> str:
    pooled = ", one haystack" if shape["protocol"]["pooled"] else ""
    return f"{shape['dataset']}{pooled}: {', '.join(shape['protocol']['files'])} (unit: {shape['unit']})"

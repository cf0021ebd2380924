"""`python -m seci.router.page [--check]`: the tables of docs/ROUTER.md from the figures beside it.

`docs/router/NAME.json` is what `seci router eval ... --json` printed; its tables stand between `<!-- NAME -->` and
`<!-- end -->`. With `--check` nothing is written and an outdated page is an error.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PAGE = Path("docs/ROUTER.md")
FIGURES = Path("docs/router")
_BLOCK = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.S)
_COLUMNS = {
    "auc": "AUC",
    "f1": "F1",
    "kept@62": "kept at 62 %",
    "kept@45": "45 %",
    "kept@30": "30 %",
    "precision": "precision",
    "recall": "recall",
}
_PERCENT = frozenset({"kept@62", "kept@45", "kept@30"})


def render_page(page: str, figures: Mapping[str, Mapping[str, Any]]) -> str:
    """The page with its tables made anew. Raises KeyError for a table whose figures are missing."""
    return _BLOCK.sub(lambda block: f"{block[1]}{render_tables(figures[block[2]])}{block[3]}", page)


def render_tables(result: Mapping[str, Any]) -> str:
    """Markdown: a row for each method, best AUC last; then what is found again, where questions were asked."""
    methods: Mapping[str, Mapping[str, list[float]]] = result["methods"]
    columns = [name for name in _COLUMNS if any(name in figures for figures in methods.values())]
    lines = [f"| | {' | '.join(_COLUMNS[name] for name in columns)} |", f"|---|{'---|' * len(columns)}"]
    for method, figures in sorted(methods.items(), key=lambda item: item[1]["auc"][0]):
        cells = [_render(figures[name], name in _PERCENT) if name in figures else "" for name in columns]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    lines.append("")
    found: Mapping[str, list[float]] = result["retrieval"]
    if found:
        lines += ["| turns stored | recall@60 |", "|---|---|"]
        lines += [f"| {'all' if k == 'all' else k + ' %'} | {_render(v, True)} |" for k, v in found.items()]
        lines.append("")
    return "\n".join(lines)


def _render(value: list[float], percent: bool) -> str:
    """A mean, and half its interval where it has one."""
    mean, low, _ = value
    scale, digits = (100, 1) if percent else (1, 3)
    half = f" ±{scale * (mean - low):.{digits}f}" if mean > low else ""
    return f"{scale * mean:.{digits}f}{half}"


def read_figures(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def main(arguments: list[str]) -> int:
    page = PAGE.read_text(encoding="utf-8")
    made = render_page(page, read_figures(FIGURES))
    if "--check" in arguments:
        if made != page:
            print(f"{PAGE} is out of date: run python -m seci.router.page", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

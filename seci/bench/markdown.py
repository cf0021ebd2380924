"""Pieces of the pages that are made from runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Runs = Sequence[tuple[str, Mapping[str, Any]]]  # the file's stem, its JSON


def render_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown; "" without rows."""
    if not rows:
        return ""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def render_count(number: int) -> str:
    """With commas between thousands."""
    return f"{number:,}"

"""The tables of docs/ROUTER.md say what the figures beside it say."""

from __future__ import annotations

import pytest

from seci.router.page import FIGURES, PAGE, read_figures, render_page, render_tables
from tests.conftest import REPOSITORY

RESULT = {
    "methods": {
        "router": {"auc": [0.9, 0.88, 0.92], "kept@62": [0.941, 0.941, 0.941]},
        "length": {"auc": [0.8, 0.8, 0.8]},
    },
    "retrieval": {"all": [0.8, 0.8, 0.8], "62": [0.791, 0.786, 0.796]},
}


def test_a_row_for_each_method_with_its_interval() -> None:
    assert render_tables(RESULT).splitlines() == [
        "| | AUC | kept at 62 % |",
        "|---|---|---|",
        "| length | 0.800 |  |",
        "| router | 0.900 ±0.020 | 94.1 |",
        "",
        "| turns stored | recall@60 |",
        "|---|---|",
        "| all | 80.0 |",
        "| 62 % | 79.1 ±0.5 |",
    ]


def test_only_what_stands_between_the_marks_is_made() -> None:
    page = "# Page\n<!-- one -->\nold\n<!-- end -->\nby hand\n"
    made = render_page(page, {"one": RESULT})
    assert made.startswith("# Page\n<!-- one -->\n| |")
    assert made.endswith("<!-- end -->\nby hand\n")
    assert "old" not in made
    with pytest.raises(KeyError, match="one"):
        render_page(page, {})


def test_the_page_is_up_to_date() -> None:
    page = (REPOSITORY / PAGE).read_text(encoding="utf-8")
    assert render_page(page, read_figures(REPOSITORY / FIGURES)) == page

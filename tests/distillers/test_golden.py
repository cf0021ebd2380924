"""The sample sessions are distilled to the notes that were read and approved."""

from __future__ import annotations

from tests.distillers.golden import EXPECTED, render_examples


def test_the_examples_give_the_reviewed_notes() -> None:
    assert render_examples() == EXPECTED.read_text(encoding="utf-8"), (
        "read `python -m tests.distillers.golden`; if the notes became better, write them with --write"
    )

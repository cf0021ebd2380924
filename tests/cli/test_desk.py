"""A resident process that has not yet read what changed says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from seci.cli import desk
from seci.cli.desk import CommandDesk
from seci.server.resident import Request


def test_an_answer_before_the_first_look_is_marked(
    vault: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "FRESH", 0.01)
    environ = {**os.environ, "SECI_CACHE": str(model_cache)}
    (vault / "docs" / "dock.md").write_text("The loading dock opens at seven.\n")
    served = CommandDesk(vault, environ)
    served.open()
    try:
        question = Request(str(vault), None, b"", environ, ("search", "loading dock", "--vault", str(vault)))
        early = served.answer(question)
        served.refresh()
        late = served.answer(question)
    finally:
        served.close()
    assert (early.code, late.code) == (0, 0)
    assert b"still reading what changed" in early.stderr
    assert (b"still reading" in late.stderr, b"opens at seven" in late.stdout) == (False, True)

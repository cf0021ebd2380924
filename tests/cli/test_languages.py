"""A vault in eight languages, from the command line: distilled, found by words alone, and what doctor makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seci.flows.examine import SUGGESTED_MODEL
from tests.conftest import Result

Seci = Callable[..., Result]
SESSIONS = Path(__file__).parents[1] / "distillers" / "languages"


@pytest.fixture
def many(seci: Seci, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with a session of each language."""
    vault = tmp_path / "vault"
    assert seci("init", vault).code == 0
    monkeypatch.setenv("SECI_VAULT", str(vault))
    assert seci("distill", SESSIONS, "--json").code == 0
    return vault


def languages(seci: Seci) -> dict[str, Any]:
    result = seci("doctor", "--json")
    assert result.code == 0, result.out
    return next(finding for finding in json.loads(result.out)["findings"] if finding["check"] == "languages")


def test_notes_are_found_by_words_and_doctor_suggests_a_model(
    seci: Seci, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = {
        "前缀": "shop:session:",
        "キャッシュ": "cache:purge",
        "스테이징": "stg.internal.example",
        "Daueranweisung Commit-Nachrichten": "Englisch",
        "carpeta legacy": "legacy",
    }
    for question, held in questions.items():
        found = json.loads(seci("search", question, "--in", "distilled", "--method", "keyword", "--json").out)
        assert held in (many / found["hits"][0]["path"]).read_text("utf-8"), question
    said = languages(seci)
    assert said["ok"] and SUGGESTED_MODEL in said["said"] and "German" in said["said"]
    from seci.flows.examine import check_languages
    from seci.vault.store import FileNoteStore

    known = check_languages(FileNoteStore(many), lambda text: "de", "intfloat/multilingual-e5-small", "config.toml")
    assert SUGGESTED_MODEL not in known


def test_an_english_vault_needs_no_other_model(seci: Seci, vault: Path) -> None:
    said = languages(seci)
    assert said["ok"] and SUGGESTED_MODEL not in said["said"] and "English" in said["said"]

"""Settings are read once, and a wrong one is named with its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.config import load_config
from seci.errors import UserError


def load(tmp_path: Path, vault: str = "", user: str = "") -> object:
    (tmp_path / "seci.toml").write_text(vault)
    (tmp_path / "config.toml").write_text(user)
    return load_config(tmp_path, {"SECI_CONFIG": str(tmp_path / "config.toml")})


def test_defaults(tmp_path: Path) -> None:
    config = load_config(tmp_path, {"SECI_CONFIG": str(tmp_path / "none.toml")})
    assert (config.budgets.total, config.weights.relevance, config.track_sessions) == (4000, 0.5, True)


@pytest.mark.parametrize(
    ("vault", "user", "said"),
    [
        ('[llm]\nbase_url = "http://evil"', "", "llm"),
        ("[weights]\nrecent = 0.3", "", "weights.recent"),
        ("[weights]\nrecency = 3", "", "0..1"),
        ("[budgets]\nmemory = -1", "", "negative"),
        ("[sessions]\ntrack = 'no'", "", "sessions.track"),
        ("oops", "", "seci.toml"),
        ("", "[llm]\nmodel = 'x'", "base_url"),
        ("", "[project]\nalias = {}", "project.alias"),
        ("", "vaults = 3", "vaults"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, vault: str, user: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        load(tmp_path, vault, user)
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_vault_may_set_what_travels(tmp_path: Path) -> None:
    config = load(tmp_path, "[weights]\nrecency = 0.2\n[budgets]\nmemory = 500\n[half_lives]\nepisode = 7\n")
    assert config.weights.recency == 0.2  # type: ignore[attr-defined]
    assert config.budgets.memory == 500  # type: ignore[attr-defined]
    assert config.half_lives.episode == 7  # type: ignore[attr-defined]

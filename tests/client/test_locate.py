"""The cheap copies of platform rules say what the real ones say, and a vault is found from where one stands."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from seci.client.locate import default_vault, find_vault
from seci.client.trust import config_path, read_trusted, trusted_vault
from seci.config import load_config, trust_vault, user_config_path


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "SECI_CONFIG", "SECI_VAULT"):
        monkeypatch.delenv(name, raising=False)
    return {"HOME": str(tmp_path / "home")}


def test_the_default_places_are_the_platforms(environ: dict[str, str]) -> None:
    assert Path(default_vault(environ)) == platformdirs.user_data_path("seci", appauthor=False) / "vault"
    assert Path(config_path(environ)) == user_config_path(environ)
    moved = {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}
    assert default_vault(moved) == "/d/seci/vault"
    assert config_path(moved) == "/c/seci/config.toml"
    assert config_path({"SECI_CONFIG": "/x.toml"}) == str(user_config_path({"SECI_CONFIG": "/x.toml"}))


def make_vault(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "seci.toml").touch()
    return folder


def test_named_before_variable_before_nearest_before_default(tmp_path: Path, environ: dict[str, str]) -> None:
    near = make_vault(tmp_path / "a")
    deep = tmp_path / "a" / "docs" / "x"
    deep.mkdir(parents=True)
    default = make_vault(Path(default_vault(environ)))
    assert find_vault("/named", str(deep), environ | {"SECI_VAULT": "/v"}) == "/named"
    assert find_vault(None, str(deep), environ | {"SECI_VAULT": "/v"}) == "/v"
    assert find_vault(None, str(deep), environ) == str(near)
    assert find_vault(None, str(tmp_path), environ) == str(default)


def test_a_hook_uses_only_registered_vaults(tmp_path: Path, environ: dict[str, str]) -> None:
    cloned = make_vault(tmp_path / 'clone "x"')
    assert trusted_vault(str(cloned), environ) is None
    assert trust_vault(cloned, environ)
    assert not trust_vault(cloned, environ)
    assert trusted_vault(str(cloned), environ) == str(cloned)
    assert trusted_vault(str(make_vault(tmp_path / "other")), environ) is None


@pytest.mark.parametrize(
    "text",
    [
        '[vaults]\ntrusted = ["/a", "/b c"]\n',
        "[vaults]\ntrusted = [\n  '/a', # mine\n  \"/b c\",\n]\n",
        '[llm]\nbase_url = "/z"\nmodel = "m"\n[vaults]\n# "/no"\ntrusted = ["/a",\n"/b c"]\n[index]\nurl = "/y"\n',
    ],
)
def test_both_readers_of_the_settings_agree(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    assert read_trusted(str(path)) == ["/a", "/b c"]
    assert load_config(None, {"SECI_CONFIG": str(path)}).trusted == (Path("/a"), Path("/b c"))

"""What a hook needs of the user's config.toml, above all which vaults are registered. Read without a TOML parser where
that is possible: one costs more than a hook may."""

import os
from _collections_abc import Mapping

from seci.client.locate import find_vault


def trusted_vault(start: str, environ: Mapping[str, str]) -> str | None:
    """The vault that a hook may use: the one that is meant at `start`, where the user registered it. A cloned
    repository's vault is not, until `seci trust` says so."""
    found = find_vault(None, start, environ)
    if found is None:
        return None
    real = os.path.realpath(found)
    return found if any(os.path.realpath(path) == real for path in read_trusted(config_path(environ))) else None


def config_path(environ: Mapping[str, str]) -> str:
    """The user's config.toml; a test holds this and `config.user_config_path` together."""
    import sys

    if named := environ.get("SECI_CONFIG"):
        return named
    platform: str = sys.platform
    if platform not in ("win32", "darwin"):
        base = environ.get("XDG_CONFIG_HOME", "").strip() or os.path.expanduser("~/.config")
        return os.path.join(base, "seci", "config.toml")
    from platformdirs import user_config_dir

    return os.path.join(user_config_dir("seci", appauthor=False), "config.toml")


def read_trusted(path: str) -> list[str]:
    """`vaults.trusted`. Only what seci writes itself is read by hand: plain strings; anything cleverer is left to
    tomllib."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    paths: list[str] = []
    inside = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            inside = line == "[vaults]"
        elif inside and not line.startswith("#"):
            if "\\" in line or "'" in line or '"""' in line or "#" in line:
                return _parse(text)
            paths += line.split('"')[1::2]
    return paths


def read_aliases(path: str) -> dict[str, str]:
    """`project.aliases`; a parser is loaded only where there are any."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return {}
    aliases = _table(text, "project").get("aliases") if "aliases" in text else None
    if not isinstance(aliases, dict):
        return {}
    return {name: alias for name, alias in aliases.items() if isinstance(alias, str)}


def _parse(text: str) -> list[str]:
    trusted = _table(text, "vaults").get("trusted")
    return [path for path in trusted if isinstance(path, str)] if isinstance(trusted, list) else []


def _table(text: str, name: str) -> dict[str, object]:
    import tomllib

    try:
        table = tomllib.loads(text).get(name)
    except tomllib.TOMLDecodeError:
        return {}
    return table if isinstance(table, dict) else {}

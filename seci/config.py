"""The settings: one frozen `Config`, read once by `load_config`.

Two files. The user's `config.toml` holds what must never travel with a vault: endpoints, keys, models, trusted
vaults. A vault's `seci.toml` holds what may: weights, budgets, half-lives, `sessions.track`. Any other key is refused
with its name, since a cloned vault must not be able to redirect text or keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seci.core.context import TokenBudget
from seci.core.note import NoteType
from seci.core.scoring import HalfLives, SignalWeights
from seci.core.staleness import HALF_LIVES
from seci.errors import UserError

DEFAULT_MODEL = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class LanguageModelConfig:
    """An OpenAI-compatible endpoint; the key comes from the variable `key_env`, or OPENAI_API_KEY."""

    base_url: str
    model: str
    key_env: str = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Config:
    vault: Path | None
    weights: SignalWeights = SignalWeights()
    budgets: TokenBudget = TokenBudget()
    half_lives: HalfLives = HalfLives()
    stale_half_lives: Mapping[NoteType, float] = field(default_factory=lambda: HALF_LIVES)
    track_sessions: bool = True
    embedding_model: str = DEFAULT_MODEL
    index_url: str | None = None
    llm: LanguageModelConfig | None = None
    trusted: tuple[Path, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    router_threshold: float | None = None
    autostart: bool = True


USER_KEYS = {
    "embedding": {"model"},
    "index": {"url"},
    "llm": {"base_url", "model", "key_env"},
    "vaults": {"trusted"},
    "project": {"aliases"},
    "router": {"threshold"},
    "resident": {"autostart"},
}
VAULT_KEYS = {
    "weights": {"relevance", "importance", "confidence", "recency", "frequency"},
    "budgets": {"memory", "episode", "procedure", "soul"},
    "half_lives": {"memory", "episode", "procedure", "soul"},
    "staleness": {kind.value for kind in NoteType},
    "sessions": {"track"},
}


def user_config_path(environ: Mapping[str, str]) -> Path:
    """Where the user's settings are: SECI_CONFIG, else the platform's configuration folder."""
    if named := environ.get("SECI_CONFIG"):
        return Path(named)
    from platformdirs import user_config_path as platform_config

    return platform_config("seci", appauthor=False) / "config.toml"


def load_config(vault: Path | None, environ: Mapping[str, str]) -> Config:
    """Reads both files; missing ones mean the defaults. Raises UserError that names the file and the key."""
    user_path = user_config_path(environ)
    user = _read(user_path, USER_KEYS)
    travelling = _read(vault / "seci.toml", VAULT_KEYS) if vault else {}
    vault_path = str(vault / "seci.toml") if vault else ""
    llm = {**user.get("llm", {}), **_from_environment(environ)}
    autostart = _typed(user_path, user, "resident", "autostart", bool, True)
    threshold = _typed(user_path, user, "router", "threshold", (int, float), None)
    if llm and not {"base_url", "model"} <= llm.keys():
        raise UserError("[llm] needs base_url and model", subject=str(user_path))
    try:
        return Config(
            vault=vault,
            weights=SignalWeights().override(**travelling.get("weights", {})),
            budgets=TokenBudget().override(travelling.get("budgets", {})),
            half_lives=HalfLives().override(travelling.get("half_lives", {})),
            stale_half_lives={**HALF_LIVES, **_days(travelling.get("staleness", {}))},
            track_sessions=_typed(Path(vault_path), travelling, "sessions", "track", bool, True),
            embedding_model=environ.get("SECI_MODEL")
            or _typed(user_path, user, "embedding", "model", str, DEFAULT_MODEL),
            index_url=_typed(user_path, user, "index", "url", str, None),
            llm=LanguageModelConfig(**llm) if llm else None,
            trusted=tuple(Path(p) for p in _typed(user_path, user, "vaults", "trusted", list, [])),
            aliases=_typed(user_path, user, "project", "aliases", dict, {}),
            router_threshold=threshold,
            autostart=autostart and environ.get("SECI_RESIDENT", "").lower() != "off",
        )
    except (ValueError, TypeError) as error:
        raise UserError(str(error), subject=vault_path or str(user_path)) from error


def _days(table: Mapping[str, Any]) -> dict[NoteType, float]:
    """Half-lives by type of note. Raises ValueError for what is no positive number of days."""
    for name, days in table.items():
        if isinstance(days, bool) or not isinstance(days, int | float) or days <= 0:
            raise ValueError(f"staleness.{name} must be a positive number of days")
    return {NoteType(name): float(days) for name, days in table.items()}


def trust_vault(vault: Path, environ: Mapping[str, str]) -> bool:
    """Adds a vault to the user's trusted ones, keeping the file's other lines. False when it already was."""
    import tomlkit

    path = user_config_path(environ)
    _read(path, USER_KEYS)
    document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
    vaults = document.setdefault("vaults", tomlkit.table())
    trusted = vaults.setdefault("trusted", tomlkit.array())
    if str(vault) in list(trusted):
        return False
    trusted.append(str(vault))
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".toml.new")
    written.write_text(tomlkit.dumps(document), "utf-8")
    written.replace(path)
    return True


def _read(path: Path, allowed: Mapping[str, set[str]]) -> dict[str, dict[str, Any]]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"cannot be read: {error}", subject=str(path)) from error
    for table, values in content.items():
        if table not in allowed:
            raise UserError(f"[{table}] is not a setting here; there are {', '.join(allowed)}", subject=str(path))
        if not isinstance(values, dict):
            raise UserError(f"{table} must be a table", subject=str(path))
        for key in values:
            if key not in allowed[table]:
                known = ", ".join(sorted(allowed[table]))
                raise UserError(f"{table}.{key} is not a setting here; there are {known}", subject=str(path))
    return content


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The language model of SECI_LLM_URL and SECI_LLM_MODEL, which stand before the settings."""
    named = {"base_url": environ.get("SECI_LLM_URL"), "model": environ.get("SECI_LLM_MODEL")}
    return {key: value for key, value in named.items() if value}


def _typed(path: Path, content: dict[str, dict[str, Any]], table: str, key: str, kind: Any, default: Any) -> Any:
    value = content.get(table, {}).get(key, default)
    if value is not default and not isinstance(value, kind):
        raise UserError(f"{table}.{key} has the wrong type: {value!r}", subject=str(path))
    return value

"""From a place to the vault that is meant there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from seci.app.application import App
from seci.client.locate import MARKER, default_vault, find_vault
from seci.config import load_config, trust_vault
from seci.errors import VaultNotFoundError

if TYPE_CHECKING:
    from seci.vault.layout import Created


def open_app(named: Path | None, cwd: Path, environ: Mapping[str, str]) -> App:
    """The vault that is meant. Raises VaultNotFoundError, and UserError for settings that cannot be read."""
    found = find_vault(str(named) if named else None, str(cwd), environ)
    if found is None or not Path(found, MARKER).is_file():
        raise VaultNotFoundError(
            "there is no vault", subject=found or str(cwd), hint="seci init makes one; --vault or SECI_VAULT names one"
        )
    vault = Path(found)
    return App(vault, load_config(vault, environ), cwd, environ)


def create_vault(path: Path, environ: Mapping[str, str]) -> Created:
    """Makes a folder a vault, or finds that it is one, and registers it with the user's settings."""
    from seci.vault.layout import create_vault as create

    # A repository of dotfiles around the data folder is not meant to hold the memory of every project.
    own = path == Path(default_vault(environ))
    created = create(path, App(path, load_config(None, environ), path, environ).transaction, own_repository=own)
    trust_vault(path, environ)
    return created


def trust(path: Path, environ: Mapping[str, str]) -> bool:
    """Registers a vault; False where it was. Raises VaultNotFoundError where there is none."""
    if not (path / MARKER).is_file():
        raise VaultNotFoundError("there is no vault", subject=str(path))
    return trust_vault(path, environ)

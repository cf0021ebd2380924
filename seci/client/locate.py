"""Which vault is meant. Standard library only, and cheap: this runs before anything else is imported."""

import os
from _collections_abc import Mapping

MARKER = "seci.toml"


def find_vault(named: str | None, start: str, environ: Mapping[str, str]) -> str | None:
    """The vault's folder, or None: `named` (--vault), SECI_VAULT, the nearest folder upwards from `start` that holds
    a seci.toml, the default vault where it exists. A named one is returned even where there is no vault yet."""
    chosen = named or environ.get("SECI_VAULT")
    if chosen:
        return os.path.abspath(os.path.join(start, os.path.expanduser(chosen)))
    folder = os.path.abspath(start)
    while True:
        if os.path.isfile(os.path.join(folder, MARKER)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    default = default_vault(environ)
    return default if os.path.isfile(os.path.join(default, MARKER)) else None


def default_vault(environ: Mapping[str, str]) -> str:
    """`seci/vault` in the user's data folder. XDG by hand, since importing platformdirs costs more than the command
    that asks; a test holds the two together."""
    import sys

    platform: str = sys.platform
    if platform not in ("win32", "darwin"):
        base = environ.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")
        return os.path.join(base, "seci", "vault")
    from platformdirs import user_data_dir

    return os.path.join(user_data_dir("seci", appauthor=False), "vault")

"""Where tools keep what they keep: per-system folders, and folders whose names encode a path."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from seci.core.session import Session


def data_home(home: Path, environ: Mapping[str, str]) -> Path:
    """XDG_DATA_HOME, else `~/.local/share`; command line tools use it on every system."""
    configured = environ.get("XDG_DATA_HOME")
    return Path(configured) if configured else home / ".local" / "share"


def editor_places(home: Path, environ: Mapping[str, str], *editors: str) -> list[Path]:
    """Where the `User` folders of these editors (`Code`, `Cursor`, ...) would be, on any system."""
    bases = [home / ".config", home / "Library" / "Application Support"]
    if sys.platform == "darwin":
        bases.reverse()
    if configured := environ.get("XDG_CONFIG_HOME"):
        bases.append(Path(configured))
    if roaming := environ.get("APPDATA"):
        bases.append(Path(roaming))
    elif sys.platform == "win32":
        bases.append(home / "AppData" / "Roaming")
    places = [base / editor / "User" for base in bases for editor in editors]
    places += [home / f".{editor.casefold()}-server" / "data" / "User" for editor in ("vscode", *editors)]
    return list(dict.fromkeys(places))


def parse_file_uri(uri: object) -> str | None:
    """The path in a `file://` or `vscode-remote://` URI, None for anything else."""
    if not isinstance(uri, str):
        return None
    parts = urlsplit(uri)
    if parts.scheme not in ("file", "vscode-remote"):
        return None
    path = unquote(parts.path)
    if len(path) > 2 and path[0] == "/" and path[2] == ":":
        path = path[1:]  # /c:/Users
    return path or None


def parse_dashed_path(name: str) -> str:
    """The folder that `Users-me-my-app` stands for. The name does not say which dashes were slashes: as long as
    folders exist here they decide, else every dash counts as a slash."""
    parts = [part for part in name.split("-") if part]
    path = Path("/")
    position = 0
    while position < len(parts):
        for end in range(len(parts), position, -1):
            folder = path / "-".join(parts[position:end])
            if folder.is_dir():
                path, position = folder, end
                break
        else:
            break
    return str(PurePosixPath(path.as_posix(), *parts[position:]))


def parse_remote(url: object) -> str | None:
    """`owner/name` of a recorded git remote, None for what is none."""
    if not isinstance(url, str):
        return None
    path = url.strip().removesuffix("/").removesuffix(".git")
    path = path.split("://", 1)[-1].replace(":", "/")
    parts = [part for part in path.split("/") if part]
    return "/".join(parts[-2:]) if len(parts) >= 3 else None


def session_key(source: str, session: str) -> str:
    """The key that a session of that source and id has."""
    return Session(source, session, ()).key

"""`.seci/`: what is derived or local to this machine, and never in git."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from seci.errors import VaultError

LOCAL = ".seci"


def local_folder(root: Path) -> Path:
    """The vault's local folder, made when it is missing; it ignores itself, whatever the repository says.

    Raises VaultError when it cannot be made.
    """
    folder = root / LOCAL
    ignore = folder / ".gitignore"
    try:
        if not ignore.exists():
            folder.mkdir(exist_ok=True)
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise VaultError(f"cannot be written: {error.strerror or error}", subject=str(folder)) from error
    return folder


def write_json(path: Path, value: Any) -> None:
    """Replaces a file by this value, in one step and on the disk when it returns."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with partial.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=True)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)

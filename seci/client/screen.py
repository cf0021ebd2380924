"""How wide the terminal is, without importing anything."""

import os
from _collections_abc import Mapping


def columns(environ: Mapping[str, str]) -> int | None:
    """COLUMNS where it is set, else what the terminal behind standard output says; None where there is none."""
    told = environ.get("COLUMNS", "")
    if told.isdigit():
        return int(told)
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return None

"""Starting a resident process for next time, without waiting for it."""

import os
import sys
from _collections_abc import Mapping

IDLE_SECONDS = "1800"


def start_resident(vault: str, environ: Mapping[str, str]) -> None:
    """Starts one in the background, detached from this process and its terminal.

    However many start at once, the index lock lets one of them live. Nothing happens where SECI_RESIDENT is off.
    """
    if environ.get("SECI_RESIDENT", "").lower() == "off":
        return
    import subprocess

    arguments = [sys.executable, "-m", "seci.entry", "watch", "--vault", vault, "--idle", IDLE_SECONDS]
    with open(os.devnull, "r+b") as nothing:
        subprocess.Popen(
            arguments,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            cwd="/" if os.name == "posix" else None,
            start_new_session=True,
            close_fds=True,
        )

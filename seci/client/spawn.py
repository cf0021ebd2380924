"""Starting a resident process for next time, without waiting for it."""

import os
import sys
from _collections_abc import Mapping

IDLE_SECONDS = "1800"
INHERITED = 1024  # file descriptors that an agent may have left open; its other end would wait for them to close


def start_resident(vault: str, environ: Mapping[str, str]) -> None:
    """Starts one in the background, detached from this process and its terminal.

    However many start at once, the index lock lets one of them live. Nothing happens where SECI_RESIDENT is off.
    """
    if environ.get("SECI_RESIDENT", "").lower() == "off":
        return
    arguments = [sys.executable, "-m", "seci.entry", "watch", "--vault", vault, "--idle", IDLE_SECONDS]
    if hasattr(os, "fork"):
        _start_orphan(arguments)
        return
    import subprocess

    with open(os.devnull, "r+b") as nothing:
        subprocess.Popen(arguments, stdin=nothing, stdout=nothing, stderr=nothing, close_fds=True)


def _start_orphan(arguments: list[str]) -> None:
    """Nobody's child and in a session of its own: an agent that ends stops its hooks and MCP servers with all their
    descendants."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.closerange(3, INHERITED)
        os.chdir("/")
        os.execv(arguments[0], arguments)
    finally:
        os._exit(127)  # only where exec failed; the caller must not run twice

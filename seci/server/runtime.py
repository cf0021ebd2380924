"""Where a resident process listens, and how others find it.

Sockets live in the user's runtime directory, since paths over 100 bytes fail and a vault may lie deep; a pointer in
the vault's `.seci` names the socket.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from seci.client.wire import POINTER
from seci.errors import SeciError


def socket_path(vault: Path, environ: Mapping[str, str]) -> Path:
    """The socket of a vault's resident process; its folder is made, the user's alone."""
    folder = runtime_folder(environ)
    name = hashlib.sha256(os.fsencode(os.path.realpath(vault))).hexdigest()[:16]
    return folder / f"{name}.sock"


def runtime_folder(environ: Mapping[str, str]) -> Path:
    """`seci` in XDG_RUNTIME_DIR, else a folder of the user's in the temporary one. Raises SeciError where somebody
    else owns it: a socket there would be theirs to read."""
    base = environ.get("XDG_RUNTIME_DIR", "")
    folder = (
        Path(base) / "seci" if base and Path(base).is_dir() else Path(tempfile.gettempdir()) / f"seci-{os.getuid()}"
    )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise SeciError("belongs to somebody else", subject=str(folder), hint="set XDG_RUNTIME_DIR")
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def write_pointer(vault: Path, socket: Path) -> None:
    """Says where the resident listens, atomically: its socket and its process number."""
    pointer = vault / ".seci" / POINTER
    pointer.parent.mkdir(exist_ok=True)
    new = pointer.with_name(f"{POINTER}.{os.getpid()}.new")
    new.write_bytes(os.fsencode(str(socket)) + b"\n%d\n" % os.getpid())
    new.replace(pointer)


def remove_pointer(vault: Path, socket: Path) -> None:
    """Takes the pointer away where it still names this socket and this process."""
    pointer = vault / ".seci" / POINTER
    try:
        if pointer.read_bytes() == os.fsencode(str(socket)) + b"\n%d\n" % os.getpid():
            pointer.unlink()
    except FileNotFoundError:
        return

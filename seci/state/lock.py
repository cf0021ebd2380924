"""`.seci/lock`: one lock for every process that writes to a vault.

The operating system lets go of it when its holder ends, however it ends, so a lock is never stale. Who holds it
stands beside it in `lock.holder`, for the message only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seci.errors import VaultBusyError, VaultError
from seci.state.folder import LOCAL, local_folder, write_json

PATIENCE = 10.0  # seconds; a one-shot writer is done in less


class VaultLock:
    """Implements `core.ports.WriteLock`; one thread may hold it more than once."""

    def __init__(self, root: Path, *, patience: float = PATIENCE, command: str | None = None) -> None:
        self._root = root
        self._patience = patience
        self._command = command or " ".join(["seci", *(word for word in sys.argv[1:2] if word[:1] != "-")])
        self._path = root / LOCAL / "lock"
        self._holder = root / LOCAL / "lock.holder"
        self._lock: object | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Waits up to `patience` seconds. Raises VaultBusyError that names the holder, VaultError when the vault cannot
        be written to at all."""
        from filelock import FileLock, Timeout

        local_folder(self._root)
        if self._lock is None:
            self._lock = FileLock(str(self._path))
        lock = self._lock
        assert isinstance(lock, FileLock)
        first = not lock.is_locked
        try:
            lock.acquire(timeout=self._patience)
        except Timeout as error:
            raise VaultBusyError(
                f"{self.holder() or 'another process'} is writing to it",
                subject=str(self._root),
                hint="wait until it is done, then run this again",
            ) from error
        except OSError as error:
            raise VaultError(f"cannot be locked: {error.strerror or error}", subject=str(self._path)) from error
        try:
            if first:
                write_json(self._holder, {"pid": os.getpid(), "command": self._command})
            yield
        finally:
            if first:
                self._holder.unlink(missing_ok=True)
            lock.release()

    def holder(self) -> str | None:
        """Who holds the lock as its last holder told, e.g. `seci distill (process 4711)`; None where nobody did."""
        try:
            told = json.loads(self._holder.read_bytes())
            return f"{told['command']} (process {told['pid']})"
        except (OSError, ValueError, KeyError, TypeError):
            return None

"""The resident process of a vault: it holds the index and the warm model, answers over a socket, and keeps the index
true while files change.

It decides nothing about commands: `Desk.answer` runs them. Threads: one accepts, one for each question (a bounded
number at once), one follows the files and the spool.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from seci.client.locate import MARKER
from seci.client.wire import WireError, decode_request, encode, read_message
from seci.server.runtime import remove_pointer, socket_path, write_pointer
from seci.server.watcher import VaultWatcher

LOG = logging.getLogger("seci.resident")
AT_ONCE = 16  # questions that are answered at the same time; more wait
POLL = 2.0  # seconds between looks at the spool, the clock and the vault itself
READ_TIMEOUT = 5.0  # seconds for a client to finish its request


@dataclass(frozen=True, slots=True)
class Request:
    """What a client forwarded. `width` None: its output is not a terminal."""

    cwd: str
    width: int | None
    stdin: bytes
    variables: Mapping[str, str]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    stdout: bytes
    stderr: bytes


class Desk(Protocol):
    """What the resident serves."""

    def open(self) -> None:
        """Takes the index and warms the model. Raises IndexBusyError where another process holds it."""

    def close(self) -> None:
        """Lets the index go."""

    def answer(self, request: Request) -> Answer:
        """Runs one command. Called from several threads; never raises for a command that fails."""

    def refresh(self) -> None:
        """Makes the index equal to the vault."""

    def drain(self) -> bool:
        """Distills what hooks have put onto the spool, where it has been quiet; True when there was something."""


class Resident:
    """One vault's resident process."""

    def __init__(self, vault: Path, desk: Desk, environ: Mapping[str, str], idle: float | None) -> None:
        self._vault = vault
        self._desk = desk
        self._socket_path = socket_path(vault, environ)
        self._idle = idle
        self._stop = threading.Event()
        self._working = False  # the main thread is indexing
        self._slots = threading.BoundedSemaphore(AT_ONCE)
        self._last_used = time.monotonic()
        self._busy = 0
        self._busy_lock = threading.Lock()

    def run(self) -> None:
        """Serves until it is told to stop, or until nobody has asked for `idle` seconds (None: never).

        Raises IndexBusyError where another process serves this vault already.
        """
        self._desk.open()
        watcher = VaultWatcher(self._vault)
        listener = self._listen()
        try:
            write_pointer(self._vault, self._socket_path)
            self._catch_signals()
            threading.Thread(target=self._accept, args=(listener,), name="accept", daemon=True).start()
            watcher.start()
            self._follow(watcher)
        finally:
            self._stop.set()
            watcher.stop()
            listener.close()
            self._socket_path.unlink(missing_ok=True)
            remove_pointer(self._vault, self._socket_path)
            self._desk.close()

    def stop(self) -> None:
        self._stop.set()

    def _listen(self) -> socket.socket:
        self._socket_path.unlink(missing_ok=True)  # a dead one: the index lock says that no other process serves
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listener.bind(str(self._socket_path))
        finally:
            os.umask(before)
        listener.listen(128)
        listener.settimeout(0.5)
        return listener

    def _catch_signals(self) -> None:
        """Stops at once, also in the midst of indexing thousands of files: what is half done, the next start does."""

        def leave(*_: object) -> None:
            self.stop()
            if self._working:
                raise SystemExit(0)

        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, leave)

    def _accept(self, listener: socket.socket) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return  # the listener was closed
            self._slots.acquire()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with self._busy_lock:
            self._busy += 1
        try:
            with connection:
                connection.settimeout(READ_TIMEOUT)
                if not _same_user(connection):
                    return
                cwd, width, stdin, variables, arguments = decode_request(read_message(connection.recv))
                columns = int(width) if width.isdigit() else None
                answer = self._desk.answer(Request(cwd, columns, stdin, variables, tuple(arguments)))
                connection.settimeout(None)
                connection.sendall(encode([b"%d" % answer.code, answer.stdout, answer.stderr]))
        except (OSError, WireError) as error:
            LOG.info("a client went away: %s", error)
        finally:
            self._slots.release()
            with self._busy_lock:
                self._busy -= 1
                self._last_used = time.monotonic()

    def _follow(self, watcher: VaultWatcher) -> None:
        """Keeps the index true and the spool empty until it is time to stop."""
        stale = True  # files may have changed while no process looked
        while not self._stop.is_set():
            if not (self._vault / MARKER).is_file():
                watcher = self._wait_for_vault(watcher)
                stale = True
                continue
            if stale:
                self._guarded("reindex", self._desk.refresh)
            drained = self._guarded("distill", self._desk.drain)
            if drained:
                self._last_used = time.monotonic()
            stale = watcher.wait(POLL)
            if stale:
                self._last_used = time.monotonic()
            elif self._idle is not None and not self._busy and time.monotonic() - self._last_used > self._idle:
                LOG.info("idle for %d seconds", self._idle)
                return

    def _guarded(self, what: str, work: object) -> bool:
        from seci.errors import SeciError

        self._working = True
        try:
            return bool(work())  # type: ignore[operator]
        except (SeciError, OSError) as error:
            LOG.warning("%s failed: %s", what, error)
            return False
        finally:
            self._working = False

    def _wait_for_vault(self, watcher: VaultWatcher) -> VaultWatcher:
        """The vault is gone (an unmounted disk, a moved folder): lets everything go until it is back."""
        LOG.warning("%s is gone", self._vault)
        watcher.stop()
        self._desk.close()
        gone = time.monotonic()
        while not (self._vault / MARKER).is_file():
            if self._stop.wait(POLL) or (self._idle is not None and time.monotonic() - gone > self._idle):
                self._stop.set()
                return watcher
        self._desk.open()  # raises IndexBusyError where a new process serves the vault by now: then this one is done
        write_pointer(self._vault, self._socket_path)
        fresh = VaultWatcher(self._vault)
        fresh.start()
        return fresh


def _same_user(connection: socket.socket) -> bool:
    """The socket's mode says so already; this also holds where a file system ignores modes."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.getuid())

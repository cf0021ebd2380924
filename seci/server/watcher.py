"""Says when the vault may have changed; what changed is for reindexing to find out.

Editors write a file in several steps and `git checkout` writes thousands, so a change is reported once things have
been quiet for a moment, and after a while even if they never are.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

from seci.core.note import Namespace

QUIET = 0.3  # seconds without an event after which a burst counts as over
LONGEST = 5.0  # seconds after which a burst that does not end is reported all the same
FOLDERS = (*(namespace.value for namespace in Namespace), "sessions")


class VaultWatcher:
    """Watches the note and session folders. `wait` returns when there is something to look at."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault
        self._changed = threading.Event()
        self._last = 0.0
        self._observer: object | None = None

    def start(self) -> None:
        """Starts watching. Folders that do not exist are looked at again by the next start."""
        from watchdog.events import FileSystemEvent, FileSystemEventHandler
        from watchdog.observers import Observer

        watcher = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type in ("opened", "closed_no_write"):
                    return  # reading a note is not changing it
                watcher.touch(str(event.src_path), str(event.dest_path or ""))

        observer = Observer()
        handler = Handler()
        for name in FOLDERS:
            folder = self._vault / name
            if folder.is_dir() and not folder.is_symlink():
                observer.schedule(handler, str(folder), recursive=True)
        observer.start()
        self._observer = observer

    def stop(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()  # type: ignore[attr-defined]
            observer.join(timeout=2)  # type: ignore[attr-defined]

    def touch(self, *paths: str) -> None:
        """Notes a change; temporary files of editors and of atomic writes do not count until they are renamed."""
        if any(path.endswith(".md") and not Path(path).name.startswith(".") for path in paths):
            self._last = time.monotonic()
            self._changed.set()

    def wait(self, timeout: float) -> bool:
        """True once a change has settled, False after `timeout` seconds without one."""
        if not self._changed.wait(timeout):
            return False
        began = time.monotonic()
        while (now := time.monotonic()) - self._last < QUIET and now - began < LONGEST:
            time.sleep(QUIET / 3)
        self._changed.clear()
        return True

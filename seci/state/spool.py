"""`.seci/spool/`: sessions that hooks noticed and a later run distills.

One small JSON file for each notice, `{"path": ..., "source": ...}`, written beside and renamed into place, so that a
hook needs no lock and no library; a notice is deleted when its session has been distilled.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seci.core.session import Failure
from seci.state.folder import LOCAL, local_folder, write_json


@dataclass(frozen=True, slots=True)
class Spooled:
    """A session's file, the format it is in where the hook knows it, and the notices that name it."""

    path: Path
    source: str | None
    notices: tuple[str, ...]


class FileSpool:
    """The spool of one vault."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.folder = root / LOCAL / "spool"

    def put(self, path: Path, source: str | None = None) -> None:
        """Notes that a session's file has grown. Any number of processes may do so at once."""
        local_folder(self._root)
        self.folder.mkdir(exist_ok=True)
        write_json(self.folder / f"{time.time_ns()}-{os.getpid()}.json", {"path": str(path), "source": source})

    def entries(self) -> list[Spooled | Failure]:
        """Each session that waits, oldest notice first; a notice that cannot be read is a Failure."""
        found: dict[tuple[str, str | None], list[str]] = {}
        failures: list[Spooled | Failure] = []
        for file in self._files():
            try:
                notice = json.loads(file.read_bytes())
                key = (str(notice["path"]), notice.get("source"))
            except FileNotFoundError:
                continue  # another run was faster
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                failures.append(Failure(str(file), f"is not a notice of a session: {error}"))
                continue
            found.setdefault(key, []).append(file.name)
        waiting = [Spooled(Path(path), source, tuple(names)) for (path, source), names in found.items()]
        return [*waiting, *failures]

    def newest(self) -> float | None:
        """When the last notice came, in seconds since 1970; None when nothing waits."""
        return max((file.stat().st_mtime for file in self._files()), default=None)

    def done(self, entries: Iterable[Spooled]) -> None:
        """Deletes the notices of these sessions; one that came meanwhile stays."""
        for entry in entries:
            for name in entry.notices:
                (self.folder / name).unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("[!.]*.json")) if self.folder.is_dir() else []

"""`.seci/spool/`: sessions that hooks noticed and a later run distills.

One small JSON file for each notice, `{"path": ..., "source": ..., "session": ..., "wait": ...}`, written beside and
renamed into place, so that a hook needs no lock and no library; a notice is deleted when its session has been
distilled. A tool that keeps all sessions in one database is named by `source` and `session`, with an empty path.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from seci.core.session import Failure
from seci.state.folder import LOCAL, local_folder, write_json


@dataclass(frozen=True, slots=True)
class Spooled:
    """A session's file, the format it is in where the hook knows it, and the notices that name it.

    `path` None: the tool `source` keeps it, under the id `session`. `due` is when it counts as written to its end, in
    seconds since 1970.
    """

    path: Path | None
    source: str | None
    notices: tuple[str, ...]
    session: str | None = None
    due: float = 0.0


class FileSpool:
    """The spool of one vault."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.folder = root / LOCAL / "spool"

    def put(self, path: Path | None, source: str | None = None, session: str | None = None, wait: float = 0) -> None:
        """Notes that a session has grown, and how many seconds of silence mean that it is over. Any number of
        processes may do so at once."""
        local_folder(self._root)
        self.folder.mkdir(exist_ok=True)
        notice = {"path": str(path or ""), "source": source, "session": session, "wait": wait}
        write_json(self.folder / f"{time.time_ns()}-{os.getpid()}.json", notice)

    def entries(self) -> list[Spooled | Failure]:
        """Each session that waits, oldest first; a notice that cannot be read is a Failure."""
        found: dict[str, Spooled] = {}
        failures: list[Spooled | Failure] = []
        for file in self._files():  # in order of time: the latest notice knows best how the session stands
            try:
                new = _parse_notice(file.read_bytes(), file.name, file.stat().st_mtime)
            except FileNotFoundError:
                continue  # another run was faster
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                failures.append(Failure(str(file), f"is not a notice of a session: {error}"))
                continue
            key = new.session or str(new.path)
            if (old := found.get(key)) is not None:
                path, source = (new.path, new.source) if new.path or not old.path else (old.path, old.source)
                new = replace(new, path=path, source=source, notices=old.notices + new.notices)
            found[key] = new
        return [*found.values(), *failures]

    def settled(self, now: float) -> list[Spooled]:
        """Those of `entries` that count as written to their end."""
        return [entry for entry in self.entries() if isinstance(entry, Spooled) and entry.due <= now]

    def done(self, entries: Iterable[Spooled]) -> None:
        """Deletes the notices of these sessions; one that came meanwhile stays."""
        for entry in entries:
            for name in entry.notices:
                (self.folder / name).unlink(missing_ok=True)

    def set_aside(self, failures: Iterable[Failure]) -> None:
        """Renames what is no notice, so that nobody stumbles over it again; it stays for a person to look at."""
        for failure in failures:
            file = Path(failure.path)
            if file.parent == self.folder and file.exists():
                file.replace(file.with_suffix(".broken"))

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("[!.]*.json")) if self.folder.is_dir() else []


def _parse_notice(content: bytes, name: str, came: float) -> Spooled:
    """What one notice says. Raises ValueError and its kin for anything that is no notice."""
    notice = json.loads(content)
    path, source, session = str(notice["path"]), notice.get("source"), notice.get("session")
    if not path and not (source and session):
        raise ValueError("names no file and no session")
    return Spooled(Path(path) if path else None, source, (name,), session, came + float(notice.get("wait", 0)))

"""`.seci/journal.json`: what a writer was about to do, so that the next one can finish or undo it after a crash."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from seci.core.ports import JournalEntry, PlannedFile
from seci.errors import VaultError
from seci.state.folder import LOCAL, local_folder, write_json

VERSION = 1


class FileJournal:
    """Implements `core.ports.Journal`. Used under the write lock only."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.path = root / LOCAL / "journal.json"

    def begin(self, entry: JournalEntry) -> None:
        """Records the plan; it is on the disk before this returns. Raises VaultError when it cannot be."""
        local_folder(self._root)
        files = [asdict(file) for file in entry.files]
        plan = {"version": VERSION, "message": entry.message, "files": files, "head": entry.head}
        try:
            write_json(self.path, plan)
        except OSError as error:
            raise VaultError(f"cannot be written: {error.strerror or error}", subject=str(self.path)) from error

    def read(self) -> JournalEntry | None:
        """The plan that was begun and did not end. Raises VaultError when the file is not one."""
        try:
            plan = json.loads(self.path.read_bytes())
            if plan["version"] != VERSION:
                raise VaultError(
                    f"was written by another version of seci (format {plan['version']})",
                    subject=str(self.path),
                    hint="run that version once, or delete the file: uncommitted notes then stay for you to commit",
                )
            files = tuple(PlannedFile(f["path"], f["before"], f["after"]) for f in plan["files"])
            return JournalEntry(plan["message"], files, plan.get("head"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise VaultError(
                f"cannot be read: {error}",
                subject=str(self.path),
                hint="delete it: uncommitted notes then stay for you to commit",
            ) from error

    def end(self) -> None:
        """Forgets the plan. Raises VaultError when the file cannot be deleted."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise VaultError(f"cannot be deleted: {error.strerror or error}", subject=str(self.path)) from error

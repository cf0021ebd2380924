"""A project's own git repository, read only: what it has of the files and symbols that a note names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from seci.vault.git import Git

SETTLING = timedelta(days=7)  # what a session made is committed within that time


class Codebase:
    """The repository that a folder lies in. Git is asked, never changed."""

    def __init__(self, folder: Path) -> None:
        self._git = Git(folder)
        self._files = lru_cache(maxsize=64)(self._list_files)

    @classmethod
    def at(cls, folder: str) -> Codebase | None:
        """None where the folder is not on this machine, or in no repository with commits."""
        place = Path(folder)
        if not place.is_absolute() or not place.is_dir():
            return None
        top = Git(place).ask("rev-parse", "--show-toplevel")
        found = cls(Path(top)) if top else None
        return found if found and found._git.ask("rev-parse", "-q", "--verify", "HEAD^{commit}") else None

    def gone(self, files: Iterable[str], symbols: Iterable[str], since: datetime | None) -> tuple[str, ...]:
        """Which of these the repository had around that time and has no more, sorted.

        A file is found by any path that ends so; a symbol is a whole word in any file. What was never there belongs
        to something else and is not gone; without a time nothing is known to be.
        """
        if since is None:
            return ()
        missing = [name for name in files if not self._has_file(None, name)]
        unseen = [name for name in symbols if not self._has_symbol(None, name)]
        if not missing and not unseen:
            return ()
        then = {self._commit_before(moment) for moment in (since, since + SETTLING)} - {None}
        lost = {name for name in missing for commit in then if self._has_file(commit, name)}
        lost |= {name for name in unseen for commit in then if self._has_symbol(commit, name)}
        return tuple(sorted(lost))

    def _commit_before(self, moment: datetime) -> str | None:
        return self._git.text("rev-list", "-1", f"--before={moment.isoformat()}", "HEAD") or None

    def _has_file(self, commit: str | None, name: str) -> bool:
        """In a commit, or None in the work tree: tracked, or lying there without being tracked."""
        if commit is None and (self._git.folder / name).exists():
            return True
        return name in self._files(commit)

    def _list_files(self, commit: str | None) -> frozenset[str]:
        """Every path and every end of a path that begins at a folder."""
        arguments = ("ls-tree", "-r", "-z", "--name-only", commit) if commit else ("ls-files", "-z")
        ends: set[str] = set()
        for path in self._git.run(*arguments).decode("utf-8", "replace").split("\0"):
            parts = path.split("/")
            ends.update("/".join(parts[i:]) for i in range(len(parts)))
        return frozenset(ends)

    def _has_symbol(self, commit: str | None, name: str) -> bool:
        last = name.rsplit(".", 1)[-1]
        where = (commit,) if commit else ()
        return self._git.call("grep", "-q", "-w", "-F", "-I", "-e", last, *where)[0] == 0

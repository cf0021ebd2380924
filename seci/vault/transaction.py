"""Writing to a vault: journal, files, one commit, under the lock. The only code that changes a vault's files.

    lock -> repair what a crash left -> plan (digests before and after) -> journal -> files -> commit -> index -> done

A crash at any point leaves each file whole, as it was before or as planned, and a journal that says which is which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from seci.core.ports import History, Journal, JournalEntry, PlannedFile, WriteLock
from seci.errors import VaultError
from seci.vault.files import ARCHIVE, digest_of, read_bytes, remove_file, sweep_partial, write_file
from seci.vault.history import VERB, GitHistory
from seci.vault.scalars import printable

RECOVERED = "Seci-Recovered"
_IGNORE_ALL = b"*\n"


class VaultTransaction:
    """Implements `core.ports.Transaction`, and `core.ports.WriteLock` with repair on entry."""

    def __init__(
        self, root: Path, history: History, journal: Journal, lock: WriteLock, *, track_sessions: bool = True
    ) -> None:
        self.root = root
        self._track_sessions = track_sessions
        self._history = history
        self._journal = journal
        self._lock = lock
        self._depth = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """The write lock, after repairing what a crash left. Raises VaultBusyError, RepositoryStateError."""
        with self._lock.hold():
            if self._depth == 0:
                self.recover()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def write(
        self, changes: Mapping[str, str | None], message: str, before: Mapping[str, str | None] | None = None
    ) -> str | None:
        """Writes and commits exactly these files; see `core.ports.Transaction`."""
        contents = {path: None if text is None else printable(text).encode() for path, text in changes.items()}
        with self.hold():
            self._history.check()
            present = {path: read_bytes(self.root, path) for path in _ordered(contents)}
            self._refuse_edited(present, before or {})
            if any(path.startswith(f"{ARCHIVE}/") for path in present):
                self._track_archive()
            message = _with_verb(message)
            files = tuple(PlannedFile(p, _digest(old), _digest(contents[p])) for p, old in present.items())
            self._journal.begin(JournalEntry(message, files))
            start = self._history.head()
            try:
                for file in files:
                    self._put(file, contents[file.path])
                commit = self._history.commit(
                    [file.path for file in files], message, {file.path: file.after for file in files}
                )
            except BaseException:
                if self._history.head() == start:  # else the commit stands, and the next writer repairs the index
                    self._roll_back(files, present)
                    self._journal.end()
                raise
            self._history.refresh_index(file.path for file in files)
            self._journal.end()
            if commit:
                self._history.install_merge_driver()
            return commit

    def _track_archive(self) -> None:
        """Without tracking the archive's folder ignores itself, so that nobody's `git add` takes it along. What is in
        git already stays there: `git rm -r --cached sessions` takes it out."""
        path = f"{ARCHIVE}/.gitignore"
        present = read_bytes(self.root, path)
        if not self._track_sessions and present is None:
            write_file(self.root, path, _IGNORE_ALL)
        elif self._track_sessions and present == _IGNORE_ALL:
            remove_file(self.root, path)

    def adopt(self, commit: str, edited: Mapping[str, bytes | None], why: str) -> None:
        """Moves the branch to a commit made elsewhere (by `sync`) and the files with it.

        `edited` are files with uncommitted edits and what they shall hold: they are written, but stay uncommitted.
        Raises GitError when HEAD moved meanwhile, VaultError when a file cannot be written.
        """
        history = self._own_history()
        with self.hold():
            history.check()
            old = history.head()
            files = []
            for path in history.changed_between(old, commit):
                disk = _digest(read_bytes(self.root, path))
                after = _digest(history.read(commit, path))
                if path not in edited and disk == _digest(history.read(old, path) if old else None):
                    files.append(PlannedFile(path, disk, after))
            for path, content in edited.items():  # first: what they gain is wanted, whatever happens next
                if content is None:
                    remove_file(self.root, path)
                else:
                    write_file(self.root, path, content)
            entry = JournalEntry(why, tuple(files), commit)
            self._journal.begin(entry)
            try:
                history.move_head(commit, old, why)
            except BaseException:
                self._journal.end()
                raise
            self._follow(entry)
            history.refresh_index(history.changed_between(old, commit))
            self._journal.end()

    def _follow(self, entry: JournalEntry) -> None:
        """Brings files to what HEAD holds, where HEAD is at the entry's commit and nobody edited them since."""
        history = self._own_history()
        if history.head() != entry.head:
            return
        for file in entry.files:
            if _digest(read_bytes(self.root, file.path)) == file.before:
                self._put(file, history.read("HEAD", file.path))
        history.refresh_index(file.path for file in entry.files)

    def _own_history(self) -> GitHistory:
        if not isinstance(self._history, GitHistory):
            raise VaultError("has no git history to follow", subject=str(self.root))
        return self._history

    def recover(self) -> str | None:
        """Finishes what a killed writer began: commits the files that hold what it planned, leaves the others.

        A file that it did not reach is still as it was, since each is replaced in one step; one that holds neither
        was edited since and belongs to the user. Returns the commit, None when there was nothing to do.
        """
        entry = self._journal.read()
        if entry is None:
            return None
        self._history.check()
        for folder in {path.rpartition("/")[0] for path in (file.path for file in entry.files)}:
            sweep_partial(self.root / folder)
        if entry.head is not None:
            self._follow(entry)
            self._journal.end()
            return None
        done = {
            file.path: file.after for file in entry.files if _digest(read_bytes(self.root, file.path)) == file.after
        }
        message = _with_trailer(entry.message, RECOVERED, f"{len(done)} of {len(entry.files)} files")
        commit = self._history.commit(done, message, done)
        self._history.refresh_index(done)
        self._journal.end()
        return commit

    def _put(self, file: PlannedFile, content: bytes | None) -> None:
        if file.before == file.after:
            return
        if content is None:
            remove_file(self.root, file.path)
        else:
            write_file(self.root, file.path, content)

    def _roll_back(self, files: Sequence[PlannedFile], present: Mapping[str, bytes | None]) -> None:
        for file in reversed(files):
            if file.before != file.after and _digest(read_bytes(self.root, file.path)) == file.after:
                old = present[file.path]
                if old is None:
                    remove_file(self.root, file.path)
                else:
                    write_file(self.root, file.path, old)

    def _refuse_edited(self, present: Mapping[str, bytes | None], before: Mapping[str, str | None]) -> None:
        for path, expected in before.items():
            found = _digest(present[path] if path in present else read_bytes(self.root, path))
            if found != expected:
                what = "is already there" if expected is None else "was deleted" if found is None else "was edited"
                raise VaultError(
                    f"{what} meanwhile, so nothing was written", subject=path, hint="run the command again"
                )


def _ordered(contents: Mapping[str, bytes | None]) -> list[str]:
    """Notes, then deletions, then the archive: a turn counts as distilled only when its notes are there."""
    return sorted(contents, key=lambda path: (path.startswith(f"{ARCHIVE}/"), contents[path] is None, path))


def _digest(content: bytes | None) -> str | None:
    return None if content is None else digest_of(content)


def _with_verb(message: str) -> str:
    return message if f"\n{VERB}: " in message else _with_trailer(message, VERB, "write")


def _with_trailer(message: str, key: str, value: str) -> str:
    text = message.rstrip("\n")
    last = text.rpartition("\n\n")[2] if "\n\n" in text else ""
    trailers = last and all(": " in line and " " not in line.split(": ", 1)[0] for line in last.split("\n"))
    return f"{text}{chr(10) if trailers else chr(10) * 2}{key}: {value}\n"

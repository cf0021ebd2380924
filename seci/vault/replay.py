"""Local commits put on top of what others pushed, file by file, without touching the work tree.

`git rebase` would stop at a conflict and leave a headless machine in the middle of it. Here notes and sessions settle
(see `vault.merge`), nothing is written but objects, and what cannot be merged raises before anything has changed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seci.errors import NoteFormatError, RepositoryStateError
from seci.vault.history import GitHistory
from seci.vault.markdown import parse_note
from seci.vault.merge import is_note, merge_files
from seci.vault.store import decode

_REGULAR = "100644"
Entry = tuple[str, str]  # mode and blob


@dataclass(slots=True)
class Replayed:
    """The new tip, how many commits it took, and the paths that both sides had changed."""

    tip: str
    commits: int = 0
    settled: set[str] = field(default_factory=set)


def replay(history: GitHistory, onto: str, since: str | None) -> Replayed:
    """Puts the commits of HEAD that `since` does not have on top of `onto`; those that add nothing there are dropped.

    Raises RepositoryStateError naming the first file that both sides changed and that is neither note nor session.
    """
    result = Replayed(onto)
    exclude = (f"^{since}",) if since else ()
    listed = history.git.text("rev-list", "--reverse", "--topo-order", "--no-merges", "HEAD", *exclude)
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        tree = _Tree(history, onto, Path(folder, "index"))
        for commit in listed.split():
            result.settled |= tree.apply(commit)
            written = tree.write()
            if written != history.git.text("rev-parse", f"{result.tip}^{{tree}}"):
                result.tip = _commit_again(history, commit, written, result.tip)
                result.commits += 1
    return result


class _Tree:
    """The files of the growing tip, in an index of their own."""

    def __init__(self, history: GitHistory, commit: str, index: Path) -> None:
        self._git = history.git
        self._environ = {"GIT_INDEX_FILE": str(index)}
        self._git.run("read-tree", commit, environ=self._environ)
        self._entries = _parse_tree(self._git.run("ls-tree", "-r", "-z", "--full-tree", commit))
        self._none = "0" * len(commit)

    def apply(self, commit: str) -> set[str]:
        """Makes the changes of one commit; returns the paths where both sides had changed something."""
        changes = self._changes(commit)
        wanted: dict[str, Entry | None] = {}
        settled: set[str] = set()
        moved_here = self._moves(changes)
        for path, (old, new) in changes.items():
            if path in wanted:
                continue  # settled along with the file that it was renamed from
            present = self._entries.get(path)
            if present in (old, new):
                wanted[path] = new
                continue
            settled.add(path)
            if new is None and path in moved_here:
                # Renamed here, changed there: the change moves along.
                target = moved_here[path]
                wanted[path] = None
                wanted[target] = self._merge(target, old, present, changes[target][1])
            elif present is None and new is not None and (there := self._moved_there(path, old)):
                wanted[there] = self._merge(there, old, self._entries[there], new)
            else:
                wanted[path] = self._merge(path, old, present, new)
        self._update(wanted)
        return settled

    def write(self) -> str:
        return self._git.text("write-tree", environ=self._environ)

    def _changes(self, commit: str) -> dict[str, tuple[Entry | None, Entry | None]]:
        parent = self._git.ask("rev-parse", "--verify", "-q", f"{commit}^1^{{commit}}")
        against = (parent, commit) if parent else ("--root", commit)
        out = self._git.run("diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", "--raw", "--no-abbrev", *against)
        parts = out.split(b"\0")
        found: dict[str, tuple[Entry | None, Entry | None]] = {}
        for meta, path in zip(parts[::2], parts[1::2], strict=False):
            old_mode, new_mode, old, new, _ = meta.decode().lstrip(":").split(" ")
            found[os.fsdecode(path)] = (_entry(old_mode, old), _entry(new_mode, new))
        return found

    def _merge(self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Entry | None:
        modes = {entry[0] for entry in (base, ours, theirs) if entry}
        if not all(mode.startswith("100") for mode in modes):
            raise _conflict(path, "it is a link or a submodule")
        contents = [None if entry is None else self._content(path, entry) for entry in (base, ours, theirs)]
        merged = merge_files(self._git, path, *contents, settle=True)
        if merged.conflicts:
            raise _conflict(path, merged.conflicts[0])
        if merged.content is None:
            return None
        blob = self._git.text("hash-object", "-w", "--stdin", "--path", path, stdin=merged.content)
        return (ours or theirs or (_REGULAR, ""))[0], blob

    def _content(self, path: str, entry: Entry) -> bytes:
        return self._git.run("cat-file", "--filters", f"--path={path}", entry[1])

    def _moves(self, changes: Mapping[str, tuple[Entry | None, Entry | None]]) -> dict[str, str]:
        """Notes that the commit renamed: old path to new."""
        gone = {path: old for path, (old, new) in changes.items() if new is None and old and is_note(path)}
        come = {path: new for path, (old, new) in changes.items() if old is None and new and is_note(path)}
        if not gone or not come:
            return {}
        places = {id_: path for path, entry in come.items() if (id_ := self._id(path, entry))}
        return {path: places[id_] for path, entry in gone.items() if (id_ := self._id(path, entry)) in places}

    def _moved_there(self, path: str, old: Entry | None) -> str | None:
        """Where a note that is gone from its path on the other side stands there now."""
        wanted = self._id(path, old) if old and is_note(path) else None
        if wanted is None:
            return None
        notes = (other for other in self._entries if is_note(other))
        return next((other for other in notes if self._id(other, self._entries[other]) == wanted), None)

    def _id(self, path: str, entry: Entry) -> str | None:
        try:
            return parse_note(decode(self._content(path, entry), path), path).id
        except NoteFormatError:
            return None

    def _update(self, wanted: Mapping[str, Entry | None]) -> None:
        lines = []
        for path, entry in wanted.items():
            if entry is None:
                self._entries.pop(path, None)
                lines.append(f"0 {self._none}\t{path}\0")
            else:
                self._entries[path] = entry
                lines.append(f"{entry[0]} {entry[1]}\t{path}\0")
        deletions_first = sorted(lines, key=lambda line: not line.startswith("0 "))
        stdin = os.fsencode("".join(deletions_first))
        self._git.run("update-index", "-z", "--index-info", stdin=stdin, environ=self._environ)


def _commit_again(history: GitHistory, commit: str, tree: str, parent: str) -> str:
    """The same message and author on another parent."""
    form = "--format=%an%x00%ae%x00%ad%x00%B"
    out = history.git.run("log", "-1", "--date=raw", form, commit).decode("utf-8", "replace")
    name, email, date, message = out.split("\0", 3)
    author = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": date}
    return history.git.text(
        "commit-tree", tree, "-p", parent, "-F", "-", stdin=message.encode(), environ={**history.identity(), **author}
    )


def _parse_tree(listing: bytes) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for line in listing.split(b"\0"):
        meta, _, path = line.partition(b"\t")
        if path:
            mode, _, blob = meta.decode().split(" ")
            entries[os.fsdecode(path)] = (mode, blob)
    return entries


def _entry(mode: str, blob: str) -> Entry | None:
    return None if mode == "000000" else (mode, blob)


def _conflict(path: str, reason: str) -> RepositoryStateError:
    return RepositoryStateError(
        f"was changed here and elsewhere, and cannot be merged: {reason}",
        subject=path,
        hint="`git pull --rebase` lets you solve it by hand; then run this again",
    )

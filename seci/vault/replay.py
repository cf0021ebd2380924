"""Local commits put on top of what others pushed, file by file, without touching the work tree.

`git rebase` would stop at a conflict and leave a headless machine in the middle of it. Here notes and sessions settle
(see `vault.merge`), nothing is written but objects, and what cannot be merged raises before anything has changed.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seci.errors import RepositoryStateError
from seci.vault.history import GitHistory
from seci.vault.merge import is_note, merge_files
from seci.vault.wording import Overruled

_REGULAR = "100644"
_ID = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?:(?!---).*\n)*?id:[ \t]*[\"']?([^\s\"'#]+)")
Entry = tuple[str, str]  # mode and blob


@dataclass(slots=True)
class Replayed:
    """The new tip, how many commits it took, the paths that both sides had changed, and the wordings in them that gave
    way to others."""

    tip: str
    commits: int = 0
    settled: set[str] = field(default_factory=set)
    overruled: list[tuple[str, Overruled]] = field(default_factory=list)


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
        result.overruled = tree.overruled
    return result


class _Tree:
    """The files of the growing tip, in an index of their own."""

    def __init__(self, history: GitHistory, commit: str, index: Path) -> None:
        self._git = history.git
        self._environ = {"GIT_INDEX_FILE": str(index)}
        self._git.run("read-tree", commit, environ=self._environ)
        self._entries = _parse_tree(self._git.run("ls-tree", "-r", "-z", "--full-tree", commit))
        self._none = "0" * len(commit)
        self.overruled: list[tuple[str, Overruled]] = []

    def apply(self, commit: str) -> set[str]:
        """Makes the changes of one commit; returns the paths where both sides had changed something.

        A note is the same note under another name: where it was renamed on one side, the changes of the other side go
        to the new place, and where both renamed it, to the name that was pushed first.
        """
        changes = self._changes(commit)
        come = {path: new for path, (old, new) in changes.items() if old is None and new and is_note(path)}
        places = {id_: path for path, id_ in self._identify(come).items()}
        gone = {path: old for path, (old, new) in changes.items() if new is None and old and is_note(path)}
        origins = {id_: gone[path] for path, id_ in self._identify(gone).items()} if places else {}
        wanted: dict[str, Entry | None] = {}
        settled: set[str] = set()
        for path, (old, new) in changes.items():
            present = self._entries.get(path)
            if path in wanted:
                continue  # settled together with the name it had before
            if present in (old, new) and not (path in come and present is None):
                wanted[path] = new
                continue
            id_ = next(iter(self._identify({path: old or new}).values()), "")
            base = old or origins.get(id_)
            renamed = places.get(id_) if new is None else None
            there = self._places.get(id_) if present is None and new is not None else None
            if renamed and old:
                wanted[path] = None
                wanted[renamed] = self._merge(renamed, old, present, changes[renamed][1])
            elif there and there != path and changes.get(there, (None, new))[1] is not None:
                wanted[there] = self._merge(there, base, self._entries[there], new)
            elif present is None and old is None:
                wanted[path] = new
                continue
            else:
                wanted[path] = self._merge(path, base, present, new)
            settled.add(path)
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
        self.overruled += [(path, wording) for wording in merged.overruled]
        blob = self._git.text("hash-object", "-w", "--stdin", "--path", path, stdin=merged.content)
        return (ours or theirs or (_REGULAR, ""))[0], blob

    def _content(self, path: str, entry: Entry) -> bytes:
        return self._git.run("cat-file", "--filters", f"--path={path}", entry[1])

    @cached_property
    def _places(self) -> dict[str, str]:
        """Where the note with an id stands; read once, then kept up to date."""
        return {id_: path for path, id_ in self._identify(self._entries).items()}

    def _identify(self, entries: Mapping[str, Entry | None]) -> dict[str, str]:
        """The ids that notes carry in their frontmatter, by path; a note without one goes by its path alone."""
        notes = {path: entry[1] for path, entry in entries.items() if entry and is_note(path)}
        if not notes:
            return {}
        out = self._git.run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in notes.values()).encode())
        found: dict[str, str] = {}
        start = 0
        for path in notes:
            end = out.index(b"\n", start)
            size = int(out[start:end].split(b" ")[2])
            match = _ID.match(out, end + 1, end + 1 + size)
            if match:
                found[path] = match[1].decode("utf-8", "replace")
            start = end + size + 2
        return found

    def _update(self, wanted: Mapping[str, Entry | None]) -> None:
        lines = []
        for id_, path in [*self._places.items()] if "_places" in self.__dict__ else ():
            if path in wanted:
                del self._places[id_]
        if "_places" in self.__dict__:
            self._places.update({id_: path for path, id_ in self._identify(wanted).items()})
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

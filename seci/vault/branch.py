"""Proposals on a branch: written without a checkout, so that the user's work tree stays where it is.

An ordinary pull request can review such a branch; so can `seci review`, file by file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from seci.errors import UserError
from seci.vault.files import resolve_path
from seci.vault.history import GitHistory
from seci.vault.scalars import printable


@dataclass(frozen=True, slots=True)
class Proposed:
    """A branch with one commit on top of what was HEAD then."""

    branch: str
    commit: str


def write_branch(history: GitHistory, name: str, changes: Mapping[str, str | None], message: str) -> Proposed:
    """Commits changes (path to text, None deletes) on a new branch that starts at HEAD.

    Where a branch of that name exists it takes `name-2` and so on. Raises UserError for a name that git refuses.
    """
    git = history.git
    if git.ask("check-ref-format", "--branch", name) is None:
        raise UserError("is not a name for a branch", subject=name)
    history.check()
    head = history.head()
    none = "0" * len(head or git.text("hash-object", "-t", "tree", "--stdin"))
    lines = []
    for path, text in changes.items():
        resolve_path(history.root, path)
        full = f"{history.prefix}{path}"
        if text is None:
            lines.append(f"0 {none}\t{full}\0")
        else:
            stdin = printable(text).encode()
            lines.append(f"100644 {git.text('hash-object', '-w', '--stdin', '--path', full, stdin=stdin)}\t{full}\0")
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        environ = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        git.run("read-tree", head or "--empty", environ=environ)
        git.run("update-index", "-z", "--index-info", stdin=os.fsencode("".join(lines)), environ=environ)
        tree = git.text("write-tree", environ=environ)
    parents = ("-p", head) if head else ()
    commit = git.text("commit-tree", tree, *parents, "-F", "-", stdin=message.encode(), environ=history.identity())
    for number in count(1):
        branch = name if number == 1 else f"{name}-{number}"
        if git.ask("rev-parse", "--verify", "-q", f"refs/heads/{branch}") is None:
            break
    git.run("update-ref", "-m", "seci: propose", f"refs/heads/{branch}", commit, "0" * len(commit))
    return Proposed(branch, commit)


def list_branches(history: GitHistory, prefix: str) -> list[Proposed]:
    """The local branches whose names begin so, the newest commit first."""
    form = "--format=%(refname:short) %(objectname)"
    lines = history.git.text("for-each-ref", "--sort=-committerdate", form, "refs/heads").splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines)
    return [Proposed(branch, commit) for branch, commit in pairs if branch.startswith(prefix)]


def drop_branch(history: GitHistory, proposed: Proposed) -> None:
    """Deletes a branch once everything on it was decided. Raises GitError when it has moved meanwhile."""
    history.git.run("update-ref", "-d", f"refs/heads/{proposed.branch}", proposed.commit)

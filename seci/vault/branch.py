"""Proposals on a branch: written without a checkout, so that the user's work tree stays where it is.

Each proposal is a commit of its own. An ordinary pull request can review such a branch; so can `seci review`, commit by
commit: what is accepted is merged into the files as they are now, what is decided leaves the branch.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from seci.core.session import Failure
from seci.errors import UserError
from seci.vault.files import digest_of, read_bytes, resolve_path
from seci.vault.history import GitHistory
from seci.vault.merge import merge_files
from seci.vault.scalars import printable


@dataclass(frozen=True, slots=True)
class Proposed:
    """A branch of proposals and the commit that it is at."""

    branch: str
    commit: str


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """One proposal: its commit, what it says, and vault-relative paths with the text that it proposes, None for a file
    that goes. `before` holds the texts that it started from."""

    commit: str
    message: str
    changes: Mapping[str, str | None]
    before: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What accepting means for the files as they are now: what to write, what the disk must still hold then, and
    files that were changed in the same place since."""

    changes: Mapping[str, str | None]
    before: Mapping[str, str | None]
    conflicts: tuple[Failure, ...] = ()


def write_branch(history: GitHistory, name: str, proposals: Iterable[tuple[Mapping[str, str | None], str]]) -> Proposed:
    """Commits each proposal (path to text, None deletes; and its message) on a new branch that starts at HEAD.

    Where a branch of that name exists it takes `name-2` and so on. Raises UserError for a name that git refuses.
    """
    git = history.git
    if git.ask("check-ref-format", "--branch", name) is None:
        raise UserError("is not a name for a branch", subject=name)
    history.check()
    tip = history.head()
    for changes, message in proposals:
        contents = {path: None if text is None else printable(text).encode() for path, text in changes.items()}
        tip = _commit_on(history, tip, contents, message)
    if tip is None:
        raise UserError("there is nothing to put on a branch", subject=name)
    for number in count(1):
        branch = name if number == 1 else f"{name}-{number}"
        if git.ask("rev-parse", "--verify", "-q", f"refs/heads/{branch}") is None:
            break
    git.run("update-ref", "-m", "seci: propose", f"refs/heads/{branch}", tip, "0" * len(tip))
    return Proposed(branch, tip)


def list_branches(history: GitHistory, prefix: str) -> list[Proposed]:
    """The local branches whose names begin so, the newest commit first."""
    form = "--format=%(refname:short) %(objectname)"
    lines = history.git.text("for-each-ref", "--sort=-committerdate", form, "refs/heads").splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines)
    return [Proposed(branch, commit) for branch, commit in pairs if branch.startswith(prefix)]


def read_branch(history: GitHistory, proposed: Proposed) -> list[ProposedChange]:
    """The proposals of a branch that HEAD does not have, oldest first; those that change nothing here are left out."""
    found = []
    for commit in _commits(history, proposed.commit):
        parent = history.parent(commit)
        paths = history.changed_in(commit)
        texts = {path: _text(history, commit, path) for path in paths}
        before = {path: _text(history, parent, path) for path in paths} if parent else {}
        message = history.git.text("log", "-1", "--format=%B", commit)
        if texts:
            found.append(
                ProposedChange(commit, message, texts, {p: text for p, text in before.items() if text is not None})
            )
    return found


def plan_acceptance(history: GitHistory, change: ProposedChange, texts: Mapping[str, str] | None = None) -> Acceptance:
    """Merges a proposal into the files on disk. `texts` stand in place of what was proposed for these paths."""
    changes: dict[str, str | None] = {}
    before: dict[str, str | None] = {}
    conflicts = []
    for path, proposed in change.changes.items():
        wanted = (texts or {}).get(path, proposed)
        base = change.before.get(path)
        now = read_bytes(history.root, path)
        merged = merge_files(history.git, path, _bytes(base), now, _bytes(wanted), settle=False)
        if merged.conflicts:
            conflicts.append(Failure(path, f"changed since it was proposed: {'; '.join(merged.conflicts)}"))
        elif merged.content != now:
            changes[path] = None if merged.content is None else merged.content.decode()
            before[path] = None if now is None else digest_of(now)
    return Acceptance(changes, before, tuple(conflicts))


def settle_branch(history: GitHistory, proposed: Proposed, decided: Iterable[str]) -> Proposed | None:
    """Takes the commits that were decided off a branch, and the branch away when none is left (None then).

    Raises GitError when the branch has moved meanwhile.
    """
    gone = set(decided)
    commits = _commits(history, proposed.commit)
    left = [commit for commit in commits if commit not in gone]
    if not left:
        drop_branch(history, proposed)
        return None
    tip = history.parent(commits[0])
    for commit in left:
        parent = history.parent(commit)
        contents = {}
        for path in history.changed_in(commit):
            base, theirs, ours = (history.read(at, path) if at else None for at in (parent, commit, tip))
            contents[path] = merge_files(history.git, path, base, ours, theirs, settle=True).content
        tip = _commit_on(history, tip, contents, history.git.text("log", "-1", "--format=%B", commit))
    assert tip is not None
    ref = f"refs/heads/{proposed.branch}"
    history.git.run("update-ref", "-m", "seci: review", ref, tip, proposed.commit)
    return Proposed(proposed.branch, tip)


def drop_branch(history: GitHistory, proposed: Proposed) -> None:
    """Deletes a branch once everything on it was decided. Raises GitError when it has moved meanwhile."""
    history.git.run("update-ref", "-d", f"refs/heads/{proposed.branch}", proposed.commit)


def _commits(history: GitHistory, tip: str) -> Sequence[str]:
    head = history.head()
    exclude = (f"^{head}",) if head else ()
    return history.git.text("rev-list", "--reverse", "--topo-order", "--no-merges", tip, *exclude).split()


def _commit_on(history: GitHistory, parent: str | None, contents: Mapping[str, bytes | None], message: str) -> str:
    git = history.git
    none = "0" * len(parent or git.text("hash-object", "-t", "tree", "--stdin"))
    lines = []
    for path, content in contents.items():
        resolve_path(history.root, path)
        full = f"{history.prefix}{path}"
        if content is None:
            lines.append(f"0 {none}\t{full}\0")
        else:
            lines.append(f"100644 {git.text('hash-object', '-w', '--stdin', '--path', full, stdin=content)}\t{full}\0")
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        environ = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        git.run("read-tree", parent or "--empty", environ=environ)
        git.run("update-index", "-z", "--index-info", stdin=os.fsencode("".join(lines)), environ=environ)
        tree = git.text("write-tree", environ=environ)
    parents = ("-p", parent) if parent else ()
    return git.text("commit-tree", tree, *parents, "-F", "-", stdin=message.encode(), environ=history.identity())


def _text(history: GitHistory, revision: str, path: str) -> str | None:
    content = history.read(revision, path)
    return None if content is None else content.decode("utf-8", "replace")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()

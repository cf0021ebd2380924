"""Taking what was forgotten out of git's history too, with git's own plumbing.

Every commit is made again without it: notes leave the trees, passages lose their words, messages their titles. What
other machines and the remote hold is theirs to give up: the report says what has to be pushed by force.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seci.errors import NoteFormatError, RepositoryStateError
from seci.vault.archive import parse_session, render_session
from seci.vault.files import ARCHIVE
from seci.vault.forget import Forgotten
from seci.vault.history import PURGED, GitHistory
from seci.vault.markdown import parse_note
from seci.vault.merge import is_note
from seci.vault.store import decode
from seci.vault.transaction import VaultTransaction

GONE = "[forgotten]"


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """How many commits were made again, which branches and tags now differ, the commands that make remotes follow,
    and refs that could not be rewritten and still hold what was forgotten."""

    commits: int
    moved: tuple[str, ...]
    push: tuple[str, ...]
    remaining: tuple[str, ...]


def purge(history: GitHistory, transaction: VaultTransaction, forgotten: Forgotten) -> PurgeReport:
    """Rewrites all local branches and tags. Call it after the forgetting itself was committed.

    Raises RepositoryStateError where the repository holds more than the vault.
    """
    foreign = history.foreign()
    if foreign:
        raise RepositoryStateError(
            f"the repository holds more than the vault: {', '.join(foreign[:5])}",
            subject=str(history.root),
            hint="its history is yours to rewrite: git filter-repo does it",
        )
    git = history.git
    with transaction.hold():
        history.check()
        refs = dict(
            line.split(" ")[::-1] for line in git.text("for-each-ref", "--format=%(objectname) %(refname)").splitlines()
        )
        own = {ref: at for ref, at in refs.items() if ref.startswith(("refs/heads/", "refs/tags/"))}
        commits = git.text("rev-list", "--reverse", "--topo-order", *own.values(), "HEAD").split()
        made = _Rewriter(history, forgotten).rewrite(commits)
        moved = {ref: made[at] for ref, at in own.items() if made.get(at, at) != at}
        head = history.head()
        for ref, commit in moved.items():
            git.run("update-ref", "-m", "seci: purge", ref, commit, own[ref])
        if head and history.branch() is None and made.get(head, head) != head:
            history.move_head(made[head], head, "purge")
        remotes = git.text("remote").split()
        if moved and remotes:
            git.run("config", "--local", PURGED, "true")
        _let_go(history, [ref for ref in refs if ref.startswith(("refs/remotes/", "refs/seci/"))] if moved else [])
        left = [ref for ref, at in refs.items() if ref not in moved and _still_holds(history, ref, at, own, made)]
        names = " ".join(ref.removeprefix("refs/heads/") for ref in sorted(moved))
        push = tuple(f"git push --force {remote} {names}" for remote in remotes) if moved else ()
        count = sum(old != new for old, new in made.items())
        return PurgeReport(count, tuple(sorted(moved)), push, tuple(sorted(left)))


class _Rewriter:
    def __init__(self, history: GitHistory, forgotten: Forgotten) -> None:
        self._history = history
        self._git = history.git
        self._forgotten = forgotten
        self._decided: dict[tuple[str, str], tuple[str, bytes] | None] = {}  # None: goes; same path, b"": stays
        self._titles: set[str] = set()

    def rewrite(self, commits: Iterable[str]) -> dict[str, str]:
        """Old commit to new one, for commits whose parents come before them."""
        made: dict[str, str] = {}
        with tempfile.TemporaryDirectory(prefix="seci-") as folder:
            environ = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
            for commit in commits:
                parents = self._git.text("log", "-1", "--format=%P", commit).split()
                mapped = [made.get(parent, parent) for parent in parents]
                tree, touched = self._tree(commit, environ)
                made[commit] = commit
                if touched or mapped != parents or self._leaks(commit):
                    made[commit] = self._again(commit, tree, mapped)
        return made

    def _tree(self, commit: str, environ: dict[str, str]) -> tuple[str, bool]:
        """(tree without what is to go, whether that is another one)."""
        lines: list[str] = []
        for entry in self._git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            meta, _, name = entry.partition(b"\t")
            path = os.fsdecode(name)
            if not (is_note(path) or path.startswith(f"{ARCHIVE}/")):
                continue
            blob = meta.decode().split(" ")[2]
            if (path, blob) not in self._decided:
                self._decided[path, blob] = self._decide(path, self._git.run("cat-file", "blob", blob))
            decision = self._decided[path, blob]
            if decision == (path, b""):
                continue
            lines.append(f"0 {'0' * len(blob)}\t{path}\0")
            if decision is not None:
                new_path, content = decision
                new = self._git.text("hash-object", "-w", "--stdin", "--path", new_path, stdin=content)
                lines.append(f"100644 {new}\t{new_path}\0")
        tree = self._git.text("rev-parse", f"{commit}^{{tree}}")
        if not lines:
            return tree, False
        self._git.run("read-tree", commit, environ=environ)
        self._git.run("update-index", "-z", "--index-info", stdin=os.fsencode("".join(lines)), environ=environ)
        return self._git.text("write-tree", environ=environ), True

    def _decide(self, path: str, content: bytes) -> tuple[str, bytes] | None:
        text = content.decode("utf-8", "replace")
        stays = (path, b"")
        try:
            if is_note(path):
                note = parse_note(decode(content, path), path)
                if note.id not in self._forgotten.notes and not self._forgotten.matches(text):
                    return stays
                self._titles.add(note.title)
                return None
            session = parse_session(decode(content, path), path)
        except NoteFormatError:
            return None if self._forgotten.matches(text) else stays
        stripped = self._forgotten.strip(session)
        if stripped == session:
            return stays
        if session.title:
            self._titles.add(session.title)
        return self._forgotten.place(session, path), render_session(stripped).encode()

    def _leaks(self, commit: str) -> bool:
        message = self._git.text("log", "-1", "--format=%B", commit)
        return self._clean(message) != message

    def _clean(self, message: str) -> str:
        """The message without the titles of what goes; a subject may have cut a title short."""
        subject, _, rest = message.partition("\n")
        kind, colon, about = subject.partition(": ")
        cut = about.rstrip("…").strip()
        if colon and cut and any(title.startswith(cut) or cut.startswith(title) for title in self._titles):
            subject = f"{kind}: {GONE}"
        if self._forgotten.matches(subject):
            subject = GONE
        lines = [
            line
            for line in rest.split("\n")
            if not self._forgotten.matches(line) and not any(line.endswith(f": {title}") for title in self._titles)
        ]
        return "\n".join([subject, *lines])

    def _again(self, commit: str, tree: str, parents: list[str]) -> str:
        form = "--format=%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%B"
        out = self._git.run("log", "-1", "--date=raw", form, commit).decode("utf-8", "replace")
        *who, message = out.split("\0", 6)
        names = [f"GIT_{role}_{part}" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL", "DATE")]
        arguments = [argument for parent in parents for argument in ("-p", parent)]
        stdin = self._clean(message.rstrip("\n")).encode() + b"\n"
        return self._git.text(
            "commit-tree", tree, *arguments, "-F", "-", stdin=stdin, environ=dict(zip(names, who, strict=True))
        )


def _let_go(history: GitHistory, refs: Iterable[str]) -> None:
    """Nothing may keep the old commits alive here: not what we knew of remotes, not the reflogs."""
    for ref in refs:
        history.git.run("update-ref", "-d", ref)
    for name in ("ORIG_HEAD", "FETCH_HEAD"):
        (history.git_dir / name).unlink(missing_ok=True)
    history.git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    history.git.run("gc", "--quiet", "--prune=now")


def _still_holds(history: GitHistory, ref: str, at: str, own: dict[str, str], made: dict[str, str]) -> bool:
    """Refs that were not rewritten but lead to old commits: annotated tags, a stash."""
    if ref.startswith(("refs/remotes/", "refs/seci/")) or made.get(at) == at:
        return False
    reached = history.git.ask("rev-list", at)
    return reached is not None and any(made.get(commit, commit) != commit for commit in reached.split())

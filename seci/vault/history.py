"""A vault's git history: commits of exactly the vault's own files, made with plumbing.

A commit is built in a temporary index that starts from HEAD, so what the user has staged, checked out or is about to
commit stays as it is. The vault may be the repository or a folder in one, a worktree, on a branch without commits or
on none. Content goes through the repository's own filters (line ends, encryption), as `git add` would do it.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from seci.errors import RepositoryStateError, UserError
from seci.vault.driver import install_driver
from seci.vault.files import OWN, digest_of, read_bytes
from seci.vault.git import Git, GitError

VERB = "Seci-Verb"  # the trailer by which a commit of seci's is known
UNDOES = "Seci-Undoes"
PURGED = "seci.purged"  # set in the repository's configuration until the remote has been made to follow
FALLBACK = {"name": "seci", "email": "seci@localhost"}
_IN_PROGRESS = (
    ("MERGE_HEAD", "a merge", "`git merge --continue` or `git merge --abort`"),
    ("rebase-merge", "a rebase", "`git rebase --continue` or `git rebase --abort`"),
    ("rebase-apply", "a rebase or `git am`", "`git rebase --continue` or `git am --abort`"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "`git cherry-pick --continue` or `git cherry-pick --abort`"),
    ("REVERT_HEAD", "a revert", "`git revert --continue` or `git revert --abort`"),
    ("BISECT_LOG", "a bisect", "`git bisect reset`"),
)
_ATTEMPTS = 4
_ARGUMENTS = 400  # paths for one command line, well under every platform's limit


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit that touched the vault. `verb` is the seci command that made it, "" where a person did."""

    commit: str
    at: datetime
    subject: str
    body: str
    trailers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def verb(self) -> str:
        return next(iter(self.trailers.get(VERB, ())), "")


class GitHistory:
    """Implements `core.ports.History`. Raises RepositoryStateError where there is no repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._in_vault = Git(root)

    @cached_property
    def _top(self) -> Git:
        top = self._in_vault.ask("rev-parse", "--show-toplevel")
        if not top:
            status, _, said = self._in_vault.call("rev-parse", "--show-toplevel")
            if status and "not a git repository" not in said:
                self._in_vault.run("rev-parse", "--show-toplevel")  # says what is wrong, e.g. whose files they are
            raise RepositoryStateError(
                "is in no git repository with a work tree", subject=str(self.root), hint="`seci init` makes it one"
            )
        return Git(Path(top))

    @property
    def git(self) -> Git:
        """Git at the top of the repository."""
        return self._top

    @cached_property
    def prefix(self) -> str:
        """The vault's folder inside its repository, with a slash at the end; "" where the vault is the repository."""
        return self._in_vault.text("rev-parse", "--show-prefix")

    def foreign(self) -> list[str]:
        """What the repository holds besides the vault and its papers (names at its top): if anything, its branches
        and remotes are the user's alone."""
        if self.prefix:
            return ["the repository around it"]
        names = self._top.text("ls-tree", "--name-only", self.head() or self._empty_tree()).splitlines()
        return [name for name in names if name not in OWN and not re.match(r"\.|LICEN[CS]E|.*\.md$", name)]

    @cached_property
    def git_dir(self) -> Path:
        """The folder of this worktree's HEAD and index."""
        return Path(self._top.text("rev-parse", "--absolute-git-dir"))

    def head(self) -> str | None:
        """The full hash of HEAD, None on a branch without commits."""
        return self._top.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")

    def check(self) -> None:
        """Raises RepositoryStateError in the middle of a merge, rebase, cherry-pick, revert or bisect."""
        for name, what, way_out in _IN_PROGRESS:
            if (self.git_dir / name).exists():
                raise RepositoryStateError(
                    f"{what} is in progress", subject=str(self._top.folder), hint=f"finish it first: {way_out}"
                )

    def commit(self, paths: Iterable[str], message: str, digests: Mapping[str, str | None] | None = None) -> str | None:
        """Commits exactly these vault-relative paths as they are on disk (missing ones as deletions).

        Paths that the repository ignores stay out. With `digests` (sha256 of the bytes, None for a deletion) a path
        that does not hold what was expected, because the user just saved it, is left to the user. Returns the full
        hash, None when nothing differs from HEAD. The user's own index is not touched: see `refresh_index`.
        """
        self.check()
        wanted = self._not_ignored(sorted(set(paths)))
        for _ in range(_ATTEMPTS):
            head = self.head()
            tree, wanted = self._write_tree(head, wanted, digests or {})
            if tree == self._tree(head):
                return None
            parents = ("-p", head) if head else ()
            body = message.replace("\0", "").encode("utf-8", "replace")
            commit = self._top.text("commit-tree", tree, *parents, "-F", "-", stdin=body, environ=self.identity())
            old = head or "0" * len(commit)
            subject = body.decode().strip().split("\n", 1)[0]
            if self._top.call("update-ref", "-m", f"seci: {subject}", "HEAD", commit, old)[0] == 0:
                return commit
            if self.head() == head:
                self._top.run("update-ref", "HEAD", commit, old)  # not a race: raises with git's reason
        raise RepositoryStateError(
            "HEAD keeps moving", subject=str(self._top.folder), hint="another program commits here; run this again"
        )

    def refresh_index(self, paths: Iterable[str]) -> None:
        """Makes the user's index agree with HEAD for these paths and no others, so that `git status` is clean.

        Raises GitError while another git command keeps the index locked.
        """
        named = sorted(set(paths))
        if not named:
            return
        head = self.head()
        none = "0" * len(head or self._empty_tree())
        entries = {path: f"0 {none}\t{path}\0" for path in map(self._full, named)}
        if head:
            for chunk in _chunks(list(entries)):
                for line in self._top.run("ls-tree", "-r", "-z", "--full-tree", head, "--", *chunk).split(b"\0"):
                    meta, _, path = line.partition(b"\t")
                    if path:
                        mode, _, blob = meta.decode().split(" ")
                        entries[os.fsdecode(path)] = f"{mode} {blob}\t{os.fsdecode(path)}\0"
        lines = os.fsencode("".join(entries.values()))
        for attempt in range(_ATTEMPTS):
            try:
                self._top.run("update-index", "-z", "--index-info", stdin=lines)
            except GitError as error:
                if attempt == _ATTEMPTS - 1 or ".lock" not in error.reason:
                    raise
                time.sleep(0.25 * 2**attempt)
            else:
                return

    def install_merge_driver(self) -> None:
        """Lets `git merge` and `git pull` settle notes; see `vault.driver`."""
        install_driver(self._top)

    def move_head(self, commit: str, old: str | None, why: str) -> None:
        """Points the current branch to a commit. Raises GitError when it is not at `old` any more."""
        self._top.run("update-ref", "-m", f"seci: {why}", "HEAD", commit, old or "0" * len(commit))

    def read(self, revision: str, path: str) -> bytes | None:
        """The content that a commit has for a vault-relative path, as a checkout would write it; None without one."""
        status, out, _ = self._top.call("cat-file", "--filters", f"{revision}:{self._full(path)}")
        return out if status == 0 else None

    def resolve(self, revision: str) -> str:
        """The full hash of a commit that the user named. Raises UserError when there is none."""
        named = (
            None if revision.startswith("-") else self._top.ask("rev-parse", "--verify", "-q", f"{revision}^{{commit}}")
        )
        if not named:
            raise UserError("names no commit of the vault's repository", subject=revision, hint="see `seci log`")
        return named

    def parent(self, revision: str) -> str | None:
        """The first parent of a commit, None for the first commit."""
        return self._top.ask("rev-parse", "--verify", "-q", f"{revision}^1^{{commit}}")

    def changed_between(self, old: str | None, new: str) -> list[str]:
        """Every path of the repository that differs between two commits, vault-relative or not."""
        trees = (old or self._empty_tree(), new)
        out = self._top.run("diff-tree", "-r", "-z", "--no-renames", "--name-only", *trees)
        return [self._relative(os.fsdecode(path)) for path in out.split(b"\0") if path]

    def changed_in(self, revision: str) -> dict[str, str]:
        """Vault-relative paths that a commit changed against its first parent: path to A, M or D."""
        parent = self.parent(revision)
        against = (parent, revision) if parent else ("--root", revision)
        out = self._top.run(
            "diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", "--name-status", *against, *self._scope()
        )
        parts = out.split(b"\0")
        pairs = zip(parts[::2], parts[1::2], strict=False)
        return {self._relative(os.fsdecode(path)): state.decode()[:1] for state, path in pairs if path}

    def deleted_under(self, folder: str) -> frozenset[str]:
        """Vault-relative paths below a folder of the vault that a commit of HEAD's history deleted."""
        if not self.head():
            return frozenset()
        form = ("--format=", "--name-only", "-z", "--no-renames", "--diff-filter=D")
        out = self._top.run("log", *form, "HEAD", "--", self._full(folder))
        return frozenset(self._relative(os.fsdecode(path)) for path in out.split(b"\0") if path.strip())

    def files_at(self, revision: str) -> dict[str, str]:
        """Vault-relative path to blob of every file of the vault in a commit."""
        found = {}
        for line in self._top.run("ls-tree", "-r", "-z", "--full-tree", revision, *self._scope()).split(b"\0"):
            meta, _, path = line.partition(b"\t")
            if path:
                found[self._relative(os.fsdecode(path))] = meta.decode().split(" ")[2]
        return found

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Blob to content, as git stores it."""
        wanted = sorted(set(blobs))
        if not wanted:
            return {}
        out = self._top.run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in wanted).encode())
        found = {}
        start = 0
        for blob in wanted:
            end = out.index(b"\n", start)
            size = int(out[start:end].split(b" ")[2])
            found[blob] = out[end + 1 : end + 1 + size]
            start = end + size + 2
        return found

    def log(self, limit: int | None = None, *, everyone: bool = False) -> list[Commit]:
        """The commits that seci made in the vault, newest first; with `everyone` all that touched it."""
        if not self.head():
            return []
        form = "--format=%H%x1f%ct%x1f%s%x1f%b%x1f%(trailers:only,unfold)"
        count = (f"--max-count={limit}",) if limit is not None else ()
        count = count if everyone else (*count, f"--grep=^{VERB}: ")
        out = self._top.run("log", "-z", form, *count, "HEAD", *self._scope()).decode("utf-8", "replace")
        return [_parse_commit(record) for record in out.split("\0") if record.strip()]

    def diff(self, revision: str | None = None) -> str:
        """A unified diff: of what a commit changed in the vault, or without one of what is not committed yet."""
        plain = (
            "-p",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        )
        if revision is None:
            head = self.head() or self._empty_tree()
            return self._top.run("diff", *plain, head, *self._scope()).decode("utf-8", "replace")
        commit = self.resolve(revision)
        parent = self.parent(commit)
        against = (parent, commit) if parent else ("--root", commit)
        return self._top.run("diff-tree", "--no-commit-id", "-r", *plain, *against, *self._scope()).decode(
            "utf-8", "replace"
        )

    def uncommitted(self) -> frozenset[str]:
        """Vault-relative paths that differ from HEAD or are not in git yet; ignored ones left out."""
        out = self._top.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", *self._scope())
        return frozenset(self._relative(os.fsdecode(line[3:])) for line in out.split(b"\0") if line)

    def branch(self) -> str | None:
        """The branch that is checked out, None on a detached HEAD."""
        return self._top.ask("symbolic-ref", "--short", "-q", "HEAD")

    def _write_tree(
        self, head: str | None, paths: Sequence[str], digests: Mapping[str, str | None]
    ) -> tuple[str, list[str]]:
        """(tree of HEAD with these paths as on disk, the paths that held what was expected)."""
        remaining = list(paths)
        while True:
            with _temporary_index() as environ:
                self._top.run("read-tree", head or "--empty", environ=environ)
                names = "".join(f"{self._full(path)}\0" for path in remaining)
                update = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
                self._top.run(*update, stdin=os.fsencode(names), environ=environ)
                # Checked after git has read them: what still is as expected now was so then.
                kept = [path for path in remaining if path not in digests or self._digest(path) == digests[path]]
                if len(kept) == len(remaining):
                    return self._top.text("write-tree", environ=environ), kept
                remaining = kept

    def _digest(self, path: str) -> str | None:
        content = read_bytes(self.root, path)
        return None if content is None else digest_of(content)

    def _not_ignored(self, paths: Sequence[str]) -> list[str]:
        """What the user told git to ignore is not committed behind their back; tracked files count as not ignored."""
        names = os.fsencode(
            "".join(f"./{self._full(path)}\0" for path in paths)
        )  # ./ since a name may begin with a colon
        magic = {"GIT_LITERAL_PATHSPECS": "0"}  # which this one command refuses
        out = self._top.run("check-ignore", "-z", "--stdin", stdin=names, environ=magic, accept=(0, 1))
        ignored = {self._relative(os.fsdecode(name).removeprefix("./")) for name in out.split(b"\0") if name}
        return [path for path in paths if path not in ignored]

    def identity(self) -> dict[str, str]:
        """Environment for `commit-tree`: empty where git knows who commits, else a fallback for what is missing."""
        if all(
            self._top.ask("-c", "user.useConfigOnly=true", "var", f"GIT_{who}_IDENT") for who in ("AUTHOR", "COMMITTER")
        ):
            return {}
        known = {part: self._top.ask("config", f"user.{part}") for part in FALLBACK}
        return {
            f"GIT_{who}_{part.upper()}": os.environ.get(f"GIT_{who}_{part.upper()}") or known[part] or fallback
            for who in ("AUTHOR", "COMMITTER")
            for part, fallback in FALLBACK.items()
        }

    def _tree(self, head: str | None) -> str:
        return self._top.text("rev-parse", f"{head}^{{tree}}") if head else self._empty_tree()

    def _empty_tree(self) -> str:
        return self._top.text("hash-object", "-t", "tree", "--stdin")

    def _scope(self) -> tuple[str, ...]:
        return ("--", *map(self._full, OWN))

    def _full(self, path: str) -> str:
        return f"{self.prefix}{path}"

    def _relative(self, full: str) -> str:
        return full.removeprefix(self.prefix)


def _parse_commit(record: str) -> Commit:
    commit, when, subject, body, trailers = record.lstrip("\n").split("\x1f")
    found: dict[str, tuple[str, ...]] = {}
    for line in trailers.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            found[key] = (*found.get(key, ()), value.strip())
    return Commit(commit, datetime.fromtimestamp(int(when), UTC), subject, body.strip(), found)


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _ARGUMENTS):
        yield items[start : start + _ARGUMENTS]


@contextmanager
def _temporary_index() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="seci-") as folder:
        yield {"GIT_INDEX_FILE": str(Path(folder) / "index")}

"""Meeting other machines: fetch, put what is new here on top, push. For a vault that is its own repository."""

from __future__ import annotations

from dataclasses import dataclass

from seci.errors import RepositoryStateError, UserError
from seci.vault.files import read_bytes
from seci.vault.git import GitError
from seci.vault.history import PURGED, GitHistory
from seci.vault.merge import merge_files
from seci.vault.replay import Replayed, replay
from seci.vault.transaction import VaultTransaction
from seci.vault.wording import Overruled

_ATTEMPTS = 5  # rounds with others who push at the same moment


@dataclass(frozen=True, slots=True)
class SyncReport:
    """Commits that came, commits that went, paths that both sides had changed, and the commit both hold now.

    `overruled` are wordings, each with its path, that gave way to a later one of the same sentence. `uncommitted` are
    files with edits by hand, which stay on this machine until they are committed.
    """

    pulled: int
    pushed: int
    settled: tuple[str, ...]
    commit: str
    uncommitted: tuple[str, ...] = ()
    overruled: tuple[tuple[str, Overruled], ...] = ()


def sync(
    history: GitHistory, transaction: VaultTransaction, *, remote: str | None = None, accept_rewritten: bool = False
) -> SyncReport:
    """Makes the vault and the branch of its remote the same. Edits that are not committed stay as they are.

    `accept_rewritten` follows a remote whose history was rewritten (by `forget --purge`): only what is new here is
    kept besides it. Raises UserError without a remote, RepositoryStateError inside a code repository, without a
    branch, when the remote cannot be reached, or where two versions cannot be merged; nothing has changed then.
    """
    with transaction.hold():
        history.check()
        branch = _refuse_foreign(history)
        name = _remote(history, branch, remote)
        place = _Place(history, name, branch)
        pulled, settled = 0, set[str]()
        overruled: list[tuple[str, Overruled]] = []
        for _ in range(_ATTEMPTS):
            theirs = place.fetch()
            if theirs:
                base = place.base(theirs, accept_rewritten=accept_rewritten)
                came, replayed = _take(history, transaction, theirs, base)
                pulled, settled = pulled + came, settled | replayed.settled
                overruled += replayed.overruled
                place.remember(theirs)
            head = history.head()
            if head is None:
                raise UserError("there is nothing to sync yet: neither here nor there is a commit", subject=name)
            pushed = _count(history, head, theirs)
            if not pushed or place.push(head):
                place.remember(head)
                left = tuple(sorted(history.uncommitted()))
                return SyncReport(pulled, pushed, tuple(sorted(settled)), head, left, tuple(overruled))
    raise RepositoryStateError(
        "others keep pushing at the same moment", subject=name, hint="what came is merged; run this again to push"
    )


def _refuse_foreign(history: GitHistory) -> str:
    foreign = history.foreign()
    if foreign:
        raise RepositoryStateError(
            f"the repository holds more than the vault: {', '.join(foreign[:5])}",
            subject=str(history.root),
            hint="its branches are yours: use git pull and push, seci's merge driver settles the notes",
        )
    branch = history.branch()
    if branch is None:
        raise RepositoryStateError(
            "no branch is checked out", subject=str(history.root), hint="git switch to the branch to sync"
        )
    return branch


def _remote(history: GitHistory, branch: str, wanted: str | None) -> str:
    names = history.git.text("remote").split()
    name = wanted or history.git.ask("config", f"branch.{branch}.remote") or ("origin" if "origin" in names else "")
    name = name or (names[0] if len(names) == 1 else "")
    if name not in names:
        known = f"there is {', '.join(names)}" if names else "there is none"
        raise UserError(
            f"no remote to sync with: {known}", subject=name or None, hint="git remote add origin URL, in the vault"
        )
    return name


def _take(history: GitHistory, transaction: VaultTransaction, theirs: str, base: str) -> tuple[int, Replayed]:
    head = history.head()
    came = _count(history, theirs, head)
    if head == theirs or (came == 0 and base == theirs):
        return 0, Replayed(theirs)
    result = replay(history, theirs, base) if head else Replayed(theirs)
    tip = result.tip
    edited: dict[str, bytes | None] = {}
    for path in history.changed_between(head, tip):
        now = read_bytes(history.root, path)
        was = history.read(head, path) if head else None
        if now != was:
            merged = merge_files(history.git, path, was, now, history.read(tip, path), settle=True, unsaved=True)
            edited[path] = now if merged.conflicts else merged.content
    transaction.adopt(tip, edited, "sync")
    return came, result


def _count(history: GitHistory, of: str, without: str | None) -> int:
    return int(history.git.text("rev-list", "--count", of, *((f"^{without}",) if without else ())))


class _Place:
    """The branch of a remote, and what this vault last had in common with it.

    That is kept in a ref of its own, since the remote-tracking one also follows a plain `git fetch`. Where it is no
    part of a history any more, that history was rewritten.
    """

    def __init__(self, history: GitHistory, remote: str, branch: str) -> None:
        self._history = history
        self._git = history.git
        self._remote = remote
        self._branch = branch
        self._there = f"refs/heads/{branch}"
        self._tracking = f"refs/remotes/{remote}/{branch}"
        self._synced = f"refs/seci/synced/{remote}/{branch}"

    def fetch(self) -> str | None:
        """The commit that the branch is at, None where the remote has no such branch."""
        there = self._git.text("ls-remote", "--heads", self._remote, self._there).split("\t")[0]
        if not there:
            return None
        head = self._history.head()
        if self._git.ask("config", "--local", PURGED) and not (head and self._contains(head, there)):
            raise self._rewritten_here()  # before anything that was purged is fetched back
        incoming = "refs/seci/incoming"
        self._git.run("fetch", "--quiet", "--no-tags", "--refmap=", self._remote, f"+{self._there}:{incoming}")
        return self._git.text("rev-parse", "--verify", incoming)

    def base(self, theirs: str, *, accept_rewritten: bool) -> str:
        """What counts as known to the other side: all of theirs, or after a rewrite what both had before it.

        Raises RepositoryStateError for a rewrite that nobody accepted, since taking it for news would bring back what
        was purged, or delete what was not.
        """
        synced = self._commit(self._synced)
        head = self._history.head()
        if head and self._contains(head, theirs):
            return theirs
        if synced and head and not self._contains(head, synced):
            raise self._rewritten_here()
        seen = synced or self._commit(self._tracking)
        if seen is None or self._contains(theirs, seen):
            return theirs
        if not accept_rewritten:
            raise RepositoryStateError(
                "the remote's history was rewritten since the last sync",
                subject=str(self._history.root),
                hint="if that was meant (forget --purge elsewhere), accept it; what is gone there goes here too",
            )
        return seen

    def push(self, head: str) -> bool:
        """False when somebody else pushed first. Raises GitError when it is refused for another reason."""
        before = self._git.ask("rev-parse", "--verify", "-q", "refs/seci/incoming")
        try:
            self._git.run("push", "--quiet", self._remote, f"{head}:{self._there}")
        except GitError:
            now = self._git.text("ls-remote", "--heads", self._remote, self._there).split("\t")[0]
            if now == (before or ""):
                raise
            return False
        if self._git.ask("config", f"branch.{self._branch}.remote") is None:
            self._git.run("config", f"branch.{self._branch}.remote", self._remote)
            self._git.run("config", f"branch.{self._branch}.merge", self._there)
        return True

    def remember(self, head: str) -> None:
        for ref in (self._synced, self._tracking):
            self._git.run("update-ref", ref, head)
        self._git.run("update-ref", "-d", "refs/seci/incoming")
        self._git.ask("config", "--local", "--unset", PURGED)

    def _rewritten_here(self) -> RepositoryStateError:
        return RepositoryStateError(
            "the history of this vault was rewritten since the last sync",
            subject=str(self._history.root),
            hint=f"make the remote the same: git push --force {self._remote} {self._branch}",
        )

    def _commit(self, ref: str) -> str | None:
        return self._git.ask("rev-parse", "--verify", "-q", f"{ref}^{{commit}}")

    def _contains(self, commit: str, earlier: str) -> bool:
        return self._git.call("merge-base", "--is-ancestor", earlier, commit)[0] == 0

"""Taking back a commit: what it did is undone, what was done since stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seci.core.ports import Transaction
from seci.core.session import Failure
from seci.errors import UserError, VaultError
from seci.vault.files import digest_of, read_bytes
from seci.vault.git import Git
from seci.vault.history import UNDOES, VERB, Commit, GitHistory
from seci.vault.merge import merge_files


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What undoing would write: path to text, None for a deletion. `before` is what the disk must still hold then;
    `kept` are files that both the commit and somebody after it changed in the same place: they stay as they are."""

    commit: Commit
    changes: Mapping[str, str | None]
    before: Mapping[str, str | None]
    kept: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Undone:
    """The commit that was taken back, the commit that does it (None when nothing was left to do), what was kept."""

    undone: Commit
    commit: str | None
    kept: tuple[Failure, ...] = ()


def undo(history: GitHistory, transaction: Transaction, revision: str | None = None) -> Undone:
    """Takes back a commit of seci, by default the last one that was not taken back yet, in a commit of its own.

    Raises UserError for a commit that seci did not make, VaultError when all of it was changed again since.
    """
    with transaction.hold():
        commit = find_commit(history, revision)
        plan = plan_undo(history, commit)
        if plan.kept and not plan.changes:
            raise VaultError(
                f"{commit.subject!r} cannot be taken back: {plan.kept[0].reason}",
                subject=plan.kept[0].path,
                hint="edit the file itself, or take back the later commits first (`seci log`)",
            )
        made = transaction.write(plan.changes, _message(plan), plan.before) if plan.changes else None
    return Undone(commit, made, plan.kept)


def find_commit(history: GitHistory, revision: str | None) -> Commit:
    """The commit meant. Raises UserError when there is none, or when seci did not make it."""
    log = history.log()
    if revision is not None:
        wanted = history.resolve(revision)
        found = next((commit for commit in log if commit.commit == wanted), None)
        if found is None:
            raise UserError("is not a commit that seci made", subject=revision, hint="`git revert` takes back others")
        return found
    taken_back: set[str] = set()
    for commit in log:
        if commit.commit in taken_back:
            continue
        undone = commit.trailers.get(UNDOES, ())
        if not undone:
            return commit
        taken_back.update(undone)
    raise UserError("there is nothing left to take back", subject="undo")


def plan_undo(history: GitHistory, commit: Commit) -> UndoPlan:
    """What taking back a commit means for the files as they are now. Changes nothing."""
    parent = history.parent(commit.commit)
    changes: dict[str, str | None] = {}
    before: dict[str, str | None] = {}
    kept: list[Failure] = []
    for path in history.changed_in(commit.commit):
        made = history.read(commit.commit, path)
        earlier = history.read(parent, path) if parent else None
        now = read_bytes(history.root, path)
        merged = merge_files(Git(history.root), path, base=made, ours=now, theirs=earlier, settle=False)
        if merged.conflicts:
            kept.append(Failure(path, f"changed again since: {'; '.join(merged.conflicts)}"))
        elif merged.content != now:
            try:
                changes[path] = None if merged.content is None else merged.content.decode()
            except UnicodeDecodeError:
                kept.append(Failure(path, "is not a text in UTF-8"))
                continue
            before[path] = None if now is None else digest_of(now)
    return UndoPlan(commit, changes, before, tuple(kept))


def _message(plan: UndoPlan) -> str:
    left = "".join(f"- left as it is: {failure.path}\n" for failure in plan.kept)
    body = f"This takes back {plan.commit.commit}.\n{left}"
    return f"Undo: {plan.commit.subject}\n\n{body}\n{VERB}: undo\n{UNDOES}: {plan.commit.commit}\n"

"""What git's own files say, read without git: enough for a status line."""

import os


def read_head(folder: str) -> tuple[str | None, str | None]:
    """(branch, full hash) of the repository that `folder` lies in; None for what there is not."""
    git_dir = find_git_dir(folder)
    if git_dir is None:
        return None, None
    head = _read(os.path.join(git_dir, "HEAD"))
    if not head.startswith("ref: "):
        return None, head or None
    ref = head[5:]
    common = _common_dir(git_dir)
    commit = _read(os.path.join(git_dir, ref)) or _read(os.path.join(common, ref)) or _packed(common, ref)
    return ref.removeprefix("refs/heads/"), commit or None


def find_git_dir(folder: str) -> str | None:
    """The `.git` folder at or above `folder`; a worktree's or submodule's `.git` file is followed."""
    folder = os.path.abspath(folder)
    while True:
        entry = os.path.join(folder, ".git")
        if os.path.isdir(entry):
            return entry
        if os.path.isfile(entry):
            target = _read(entry).removeprefix("gitdir:").strip()
            return os.path.normpath(os.path.join(folder, target)) if target else None
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _common_dir(git_dir: str) -> str:
    common = _read(os.path.join(git_dir, "commondir"))
    return os.path.normpath(os.path.join(git_dir, common)) if common else git_dir


def _packed(git_dir: str, ref: str) -> str:
    for line in _read(os.path.join(git_dir, "packed-refs")).splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    return ""


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""

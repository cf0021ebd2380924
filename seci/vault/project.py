"""Which project a working directory belongs to. Capture and recall both ask here, so that they agree.

While the directory exists, its git files say: `owner/name` of the remote, the same for every worktree and every clone.
After that its recorded path has to do. Reads files only, git is not run.

Cheap standard library only, no pathlib: a hook that finds no resident process asks here too.
"""

import os
import re
from _collections_abc import Mapping

# Where tools put throw-away worktrees of a project: what they hang in is the project.
_WORKTREES = {".worktrees", ".claude/worktrees", ".conductor", ".cursor/worktrees"}
_HOMES = {"home", "users", "documents and settings"}
_NOWHERE = {"", "~", "tmp", "temp", "root", "."}
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://[^/]*/|(?:[^@/\s]+@)?[^/\\:\s]{2,}:)(?P<path>.+)", re.IGNORECASE)


def project_of(cwd: str, aliases: Mapping[str, str] | None = None) -> str | None:
    """`owner/name` of the git remote, else the name of the repository's or the recorded folder.

    None where that would be somebody's home directory or no folder at all. `aliases` (name to name) join projects
    that go by several names.
    """
    return _alias(_by_git(cwd) or _by_path(cwd), aliases or {})


def parse_remote(url: str) -> str | None:
    """`owner/name` from a remote's URL (https, ssh, scp-like), the name alone from a local path. Never a credential."""
    found = _URL.fullmatch(url.strip()) if not re.match(r"[A-Za-z]:[\\/]|file:", url.strip()) else None
    path = found["path"] if found else url.strip()
    parts = [part for part in re.split(r"[/\\]+", path.split("?")[0].split("#")[0]) if part not in {"", "_git", "."}]
    if not parts:
        return None
    parts[-1] = parts[-1].removesuffix(".git")
    if not parts[-1]:
        parts.pop()
    named = parts[-2:] if found else parts[-1:]
    return "/".join(named) or None


def _by_git(cwd: str) -> str | None:
    try:
        if not os.path.isabs(cwd) or not os.path.isdir(cwd):
            return None
        folder = cwd
        while True:
            git_dir = _git_dir(folder)
            if git_dir:
                common = _common_dir(git_dir)
                return _remote(common) or _folder_name(folder, git_dir, common)
            parent = os.path.dirname(folder)
            if parent == folder:
                return None
            folder = parent
    except (OSError, ValueError):
        return None  # a path that this system cannot even look up is a recorded one


def _git_dir(folder: str) -> str | None:
    """The `.git` of a work tree; a worktree's or submodule's `.git` is a file that points to it."""
    entry = os.path.join(folder, ".git")
    if os.path.isfile(entry):
        target = _read(entry).removeprefix("gitdir:").strip()
        return os.path.join(folder, target) if target else None
    return entry if os.path.isfile(os.path.join(entry, "HEAD")) else None


def _common_dir(git_dir: str) -> str:
    pointer = os.path.join(git_dir, "commondir")
    if not os.path.isfile(pointer):
        return git_dir
    return os.path.realpath(os.path.join(git_dir, _read(pointer).strip()))


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _remote(common: str) -> str | None:
    """`origin`, else `upstream`, else the first remote of the repository's own configuration."""
    urls: dict[str, str] = {}
    section = ""
    config = os.path.join(common, "config")
    if not os.path.isfile(config):
        return None
    for line in _read(config).splitlines():
        if header := re.match(r'\s*\[\s*(?P<kind>[\w.-]+)(?:\s+"(?P<name>(?:[^"\\]|\\.)*)")?\s*\]', line):
            section = header["name"] or "" if header["kind"].lower() == "remote" else ""
        elif section and (url := re.match(r"\s*url\s*=\s*(?P<url>.*?)\s*$", line, re.IGNORECASE)):
            urls.setdefault(section, url["url"].strip('"'))
    chosen = urls.get("origin") or urls.get("upstream") or next(iter(urls.values()), None)
    return parse_remote(chosen) if chosen else None


def _folder_name(folder: str, git_dir: str, common: str) -> str | None:
    """Without a remote: the main work tree's folder, also when asked from another worktree."""
    linked = common != git_dir and os.path.basename(common) == ".git"
    return _by_path(os.path.realpath(os.path.dirname(common) if linked else folder))


def _by_path(recorded: str) -> str | None:
    windows = bool(re.match(r"[A-Za-z]:|\\\\", recorded)) or ("\\" in recorded and "/" not in recorded)
    parts = [part for part in re.split(r"[/\\]+" if windows else "/+", recorded) if part and part != "."]
    if windows and parts and re.fullmatch(r"[A-Za-z]:", parts[0]):
        parts = parts[1:]
    for i in range(1, len(parts)):
        if parts[i] in _WORKTREES or "/".join(parts[i : i + 2]) in _WORKTREES:
            parts = parts[:i]
            break
    if not parts or (len(parts) <= 2 and parts[0].lower() in _HOMES) or parts[-1].lower() in _NOWHERE:
        return None
    return parts[-1]


def _alias(name: str | None, aliases: Mapping[str, str]) -> str | None:
    seen = set()
    while name is not None and name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name

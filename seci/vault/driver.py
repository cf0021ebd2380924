"""The merge driver that `.gitattributes` names: git hands it three files of a note or session, it settles them.

Run by git as `python -m seci.vault.driver BASE OURS THEIRS PATH`; the result goes where OURS is. Git's configuration
is not cloned, so every writing command installs it again.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from seci.errors import VaultError
from seci.vault.files import ARCHIVE, NAMESPACES
from seci.vault.git import Git
from seci.vault.layout import DRIVER
from seci.vault.merge import merge_files


def install_driver(git: Git) -> bool:
    """Writes the driver into the repository's own configuration; False when it stood there already."""
    command = f"{shlex.quote(Path(sys.executable).as_posix())} -m seci.vault.driver %O %A %B %P"
    if git.ask("config", "--local", f"merge.{DRIVER}.driver") == command:
        return False
    git.run("config", "--local", f"merge.{DRIVER}.name", "notes and sessions of seci")
    git.run("config", "--local", f"merge.{DRIVER}.driver", command)
    return True


def main(arguments: Sequence[str]) -> int:
    """0 when merged; 1 leaves git a conflict to show, as git does for every file that cannot be merged."""
    base, ours, theirs, path = arguments
    place = Path(ours)
    contents = [Path(name).read_bytes() for name in (base, ours, theirs)]
    git = Git(Path.cwd())
    try:
        merged = merge_files(git, _in_vault(path), contents[0] or None, contents[1], contents[2], settle=True)
    except VaultError as error:
        print(f"seci: {error}", file=sys.stderr)
        return 1
    if merged.conflicts:
        # Not notes: git's own conflict markers, which it would have written without a driver.
        git.call("merge-file", "-q", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs)
        return 1
    for wording in merged.overruled:
        print(f"seci: {path}: {wording.lost!r} gave way to {wording.kept!r}", file=sys.stderr)
    place.write_bytes(merged.content or b"")
    return 0


def _in_vault(path: str) -> str:
    """The vault's part of a path in the repository: from a folder on that is a namespace or the archive.

    Git does not tell where the vault begins, and the driver is asked about such paths only.
    """
    parts = path.split("/")
    known = [i for i, part in enumerate(parts[:-1]) if part in NAMESPACES or part == ARCHIVE]
    return "/".join(parts[known[0] :]) if known else path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

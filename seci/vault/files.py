"""Files of a vault: which paths may be touched, and writes that are either whole or not there."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seci.core.note import Namespace
from seci.errors import VaultError

NAMESPACES = frozenset(Namespace)
ARCHIVE = "sessions"
SETTINGS = "seci.toml"  # marks a folder as a vault
# Everything of a vault that git holds. What else lies in its folder is not seci's to look at.
OWN = (*sorted(NAMESPACES), ARCHIVE, SETTINGS, ".gitignore", ".gitattributes")
TEMPORARY = ".seci-"  # how the names of files begin that are still being written


def digest_of(content: bytes) -> str:
    """sha256 of a file's bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def resolve_path(root: Path, path: str) -> Path:
    """The absolute place of a vault-relative POSIX path. Nothing is created.

    Raises VaultError for a path that leaves the vault (absolute, `..`, through a symbolic link), that is a link
    itself, or that lies in `.git` or `.seci`.
    """
    pure = PurePosixPath(path)
    odd = not path or path != str(pure) or "\\" in path or "\0" in path or ":" in pure.parts[0]
    if odd or pure.is_absolute() or ".." in pure.parts:
        raise VaultError("is not a path inside the vault", subject=path or "(empty path)")
    if any(part.lower() in {".git", ".seci"} for part in pure.parts):
        raise VaultError("belongs to git or to the vault's local state", subject=path)
    place = root / pure
    if place.is_symlink():
        raise VaultError("is a symbolic link, which is never followed", subject=path)
    home = root.resolve()
    parent = place.parent.resolve()
    if parent != home and home not in parent.parents:
        raise VaultError("leads out of the vault through a symbolic link", subject=path)
    return place


def read_bytes(root: Path, path: str) -> bytes | None:
    """The content of a vault file, None when there is none. Raises VaultError when it cannot be read."""
    place = resolve_path(root, path)
    try:
        return place.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise VaultError(f"cannot be read: {error.strerror or error}", subject=path) from error


def read_walked(root: Path, path: str) -> bytes | None:
    """As `read_bytes` for a path that `walk_markdown` has just given, and so passed over every link; much faster."""
    try:
        with open(os.path.join(root, path), "rb") as file:  # noqa: PTH118, PTH123 - pathlib doubles the time
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultError(f"cannot be read: {error.strerror or error}", subject=path) from error


def write_file(root: Path, path: str, content: bytes) -> None:
    """Replaces a vault file in one step: after a crash it holds the old content or the new, never a part.

    Raises VaultError when it cannot be written.
    """
    place = resolve_path(root, path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(place, content)
    except OSError as error:
        raise VaultError(f"cannot be written: {error.strerror or error}", subject=path) from error


def write_atomic(place: Path, content: bytes) -> None:
    """Writes beside the file, flushes to the disk, then renames over it; an existing file keeps its mode."""
    try:
        mode = stat.S_IMODE(place.stat().st_mode)
    except FileNotFoundError:
        mode = None
    # One name for each process and file: what a killed writer left is overwritten or swept, not piled up.
    partial = place.parent / f"{TEMPORARY}{os.getpid()}-{hashlib.sha256(place.name.encode()).hexdigest()[:12]}"
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            partial.chmod(mode)
        partial.replace(place)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    flush_folder(place.parent)


def remove_file(root: Path, path: str) -> None:
    """Deletes a vault file; one that is not there is fine. Raises VaultError when it cannot be deleted."""
    place = resolve_path(root, path)
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        raise VaultError(f"cannot be deleted: {error.strerror or error}", subject=path) from error
    if place.parent.is_dir():
        flush_folder(place.parent)


def flush_folder(folder: Path) -> None:
    """Makes a rename or a deletion in this folder last through a power cut, where the platform can."""
    if os.name == "nt":
        return  # a folder cannot be opened there
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def walk_markdown(root: Path, folder: str) -> Iterator[str]:
    """Sorted vault-relative paths of the markdown files under a folder; links and hidden entries are left out.

    Raises VaultError for a folder that cannot be listed, since its notes would seem to be gone.
    """
    found: list[str] = []
    pending = [] if (root / folder).is_symlink() else [folder]
    while pending:
        here = pending.pop()
        try:
            entries = list(os.scandir(root / here))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise VaultError(f"cannot be listed: {error.strerror or error}", subject=here) from error
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            path = f"{here}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                pending.append(path)
            elif entry.name.lower().endswith(".md"):
                found.append(path)
    yield from sorted(found)


def sweep_partial(folder: Path) -> None:
    """Deletes what a killed writer left half-written. Only for the holder of the write lock."""
    if folder.is_dir():
        for partial in folder.glob(f"{TEMPORARY}*-*"):
            partial.unlink(missing_ok=True)

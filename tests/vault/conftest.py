"""Real git in temporary folders, without anything of the user's."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., str]


@pytest.fixture(name="isolated", autouse=True)
def isolate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No user configuration, no repository above the temporary folder, no GIT_* variable of the caller."""
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


@pytest.fixture(name="git")
def run_git() -> Git:
    """`git(folder, *arguments)` runs git as a user would and returns what it printed."""

    def run(folder: Path, *arguments: str, check: bool = True) -> str:
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
        done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr}")
        return done.stdout.rstrip("\n")

    return run


def committed_files(root: Path) -> dict[str, str]:
    """What HEAD holds of the folder: path to text."""
    done = subprocess.run(["git", "archive", "--format=tar", "HEAD", "."], cwd=root, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        opened = {member.name: archive.extractfile(member) for member in archive.getmembers() if member.isfile()}
        return {name: file.read().decode() for name, file in opened.items() if file}


def write(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())

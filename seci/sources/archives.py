"""Chat exports as they are downloaded: one JSON array, alone or inside a zip file."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seci.core.session import Failure
from seci.sources.documents import array_items, stream_items
from seci.sources.lines import HEAD_SIZE, read_head

_CONVERSATIONS = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_ZIP_ERRORS = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


def conversations_head(bundle: Path) -> bytes:
    """The first kilobytes of the array of conversations; empty when there is none."""
    if bundle.suffix == ".json":
        head = read_head(bundle)
        return head if head.lstrip().startswith(b"[") else b""
    if bundle.suffix != ".zip":
        return b""
    try:
        with zipfile.ZipFile(bundle) as archive:
            for name in _members(archive):
                with archive.open(name) as member:
                    return member.read(HEAD_SIZE)
    except _ZIP_ERRORS:
        return b""
    return b""


def conversations(bundle: Path) -> Iterator[Any | Failure]:
    """All items of all arrays of conversations in a file or zip, streamed."""
    if bundle.suffix != ".zip":
        yield from array_items(bundle)
        return
    try:
        with zipfile.ZipFile(bundle) as archive:
            for name in _members(archive):
                with archive.open(name) as member:
                    yield from stream_items(member, f"{bundle}!{name}")
    except _ZIP_ERRORS as error:
        yield Failure(str(bundle), f"not a readable zip file: {error}")


def _members(archive: zipfile.ZipFile) -> list[str]:
    return sorted(name for name in archive.namelist() if _CONVERSATIONS.fullmatch(name))

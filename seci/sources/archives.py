"""Chat exports as they are downloaded: one JSON array, alone or inside a zip file."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seci.core.session import Failure
from seci.sources.documents import UnreadableDocument, array_items, read_document, stream_items
from seci.sources.lines import HEAD_SIZE, read_head

_CONVERSATIONS = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_ZIP_ERRORS = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


def conversations_head(bundle: Path) -> bytes:
    """The first kilobytes of the conversations; empty when there are none."""
    if bundle.suffix == ".json":
        return read_head(bundle)
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
    """All conversations in a file or zip, streamed from arrays; a file may also hold a single one."""
    if bundle.suffix != ".zip":
        if not read_head(bundle).lstrip().startswith(b"{"):
            yield from array_items(bundle)
            return
        try:
            yield read_document(bundle)
        except UnreadableDocument as error:
            yield Failure(str(bundle), str(error))
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

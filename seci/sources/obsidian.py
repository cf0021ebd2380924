"""Obsidian: a folder with `.obsidian` in it; each note is a session of one turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Session
from seci.sources.base import BaseSource
from seci.sources.notes import note_files, read_note


class ObsidianSource(BaseSource):
    """Nothing is discovered by itself: a personal vault is read when its owner names it."""

    name = "obsidian"

    def claim(self, bundle: Path) -> Claim:
        return Claim.SPECIFIC if (bundle / ".obsidian").is_dir() else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        for note in note_files(bundle):
            if isinstance(note, Failure):
                yield note
            else:
                yield from read_note(note, self.name, bundle)

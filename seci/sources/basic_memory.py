"""basic-memory: folders of markdown notes with `permalink` and `type` in their frontmatter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Session
from seci.sources.base import BaseSource
from seci.sources.documents import UnreadableDocument, read_document
from seci.sources.notes import head_keys, note_files, read_note
from seci.sources.turns import as_dict, as_str

_SAMPLED = 5  # notes of a folder that a claim looks at


class BasicMemorySource(BaseSource):
    """A project's folder, or one note of it."""

    name = "basic-memory"

    def claim(self, bundle: Path) -> Claim:
        if bundle.is_file():
            known = bundle.suffix == ".md" and "permalink" in head_keys(bundle)
            return Claim.SPECIFIC if known else Claim.NONE
        if (bundle / ".obsidian").is_dir():
            return Claim.NONE  # opened with Obsidian as well: one reader is enough
        notes = [path for path in islice(note_files(bundle), _SAMPLED) if isinstance(path, Path)]
        known = bool(notes) and all("permalink" in head_keys(note) for note in notes)
        return Claim.SPECIFIC if known else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.is_file():
            yield from read_note(bundle, self.name, bundle.parent)
            return
        for note in note_files(bundle):
            if isinstance(note, Failure):
                yield note
            else:
                yield from read_note(note, self.name, bundle)

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("BASIC_MEMORY_CONFIG_DIR") or home / ".basic-memory") / "config.json",)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (settings,) = self.places(home, environ)
        try:
            projects = as_dict(as_dict(read_document(settings)).get("projects"))
        except UnreadableDocument:
            return
        for project in projects.values():
            place = as_str(project) or as_str(as_dict(project).get("path"))
            if place and Path(place).expanduser().is_dir():
                yield Path(place).expanduser()

"""The notes of a vault as files: found by walking the ten namespaces, never by an index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from seci.core.note import Namespace, Note
from seci.core.ports import StoredNote
from seci.core.session import Failure
from seci.errors import NoteFormatError, VaultError
from seci.vault.files import NAMESPACES, digest_of, read_bytes, read_walked, walk_markdown
from seci.vault.markdown import parse_note, render_note

README = "README.md"  # of a namespace's folder: says what belongs there, and is not a note
SHORTEST_SUFFIX = 4
ID_TAIL = 8
LARGEST = 1_000_000  # bytes; more is no note, and reading it would keep every question waiting
# As render_note writes it; whatever somebody has written otherwise is parsed.
_CREATED = re.compile(rb"---\n(?:(?!---|created:).*\n)*created: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


def _parse(content: bytes, path: str) -> StoredNote:
    """Raises NoteFormatError for what is no note."""
    if len(content) > LARGEST:
        raise NoteFormatError(f"has {len(content):,} bytes; a note has at most {LARGEST:,}", subject=path)
    return StoredNote(path, parse_note(decode(content, path), path), digest_of(content))


class FileNoteStore:
    """Implements `core.ports.NoteStore` on a folder. Reads only; a transaction writes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def paths(self) -> Iterator[str]:
        """Vault-relative paths of all note files, namespace by namespace in order of their names."""
        for namespace in sorted(NAMESPACES):
            yield from self._paths_in(namespace)

    def digests(self) -> Iterator[tuple[str, str]]:
        """(path, sha256 of the bytes) of all note files, unparsed: what an index compares itself with.

        A file that cannot be read has the digest "", so that whoever loads it is told why.
        """
        for path in self.paths():
            yield from digest_walked(self.root, path)

    def notes(self, places: Iterable[str | Failure] | None = None) -> Iterator[StoredNote | Failure]:
        """All notes in path order, or those of `places` in theirs. A file that is not a note, or repeats another note's
        id, is a Failure."""
        seen: dict[str, str] = {}
        for place in self._places() if places is None else places:
            stored = place if isinstance(place, Failure) else self.load(place)
            if isinstance(stored, StoredNote):
                first = seen.setdefault(stored.note.id, stored.path)
                if first != stored.path:
                    yield Failure(stored.path, f"has the same id as {first}: {stored.note.id}")
                    continue
            if stored is not None:
                yield stored

    def newest(self) -> list[str | Failure]:
        """What `notes` takes, the newest first by `created` and failures before them, without parsing what seci itself
        wrote."""
        places = list(self._places())
        dated = [(path, self._created(path)) for path in places if isinstance(path, str)]
        paths = [path for path, _ in sorted(dated, key=lambda item: (-item[1], item[0]))]
        return [*(place for place in places if isinstance(place, Failure)), *paths]

    def read(self, path: str) -> StoredNote:
        """The note at a vault-relative path. Raises VaultError, NoteFormatError when it is not a note."""
        content = read_bytes(self.root, path)
        if content is None:
            raise VaultError("there is no such note", subject=path)
        return _parse(content, path)

    def text(self, path: str) -> str:
        """The file as it stands. Raises VaultError when there is none."""
        content = read_bytes(self.root, path)
        if content is None:
            raise VaultError("there is no such note", subject=path)
        return decode(content, path)

    def get(self, id_or_path: str) -> StoredNote:
        """By path, id, or an id's unique end (four characters or more). Raises VaultError otherwise."""
        if "/" in id_or_path or id_or_path.endswith(".md"):
            return self.read(self._relative(id_or_path))
        wanted = id_or_path.upper()
        if len(wanted) >= ID_TAIL and (named := self._by_file_name(wanted)):
            return named
        found = [
            stored
            for stored in self.notes()
            if isinstance(stored, StoredNote)
            and (stored.note.id == id_or_path or _ends(stored.note.id.upper(), wanted))
        ]
        exact = [stored for stored in found if stored.note.id == id_or_path]
        if len(exact or found) == 1:
            return (exact or found)[0]
        if found:
            raise VaultError(
                f"names {len(found)} notes",
                subject=id_or_path,
                hint=f"use more of the id: {', '.join(stored.note.id for stored in found[:5])}",
            )
        raise VaultError("there is no such note", subject=id_or_path, hint="`seci list` shows the notes with their ids")

    def render(self, note: Note, path: str | None = None) -> tuple[str, str]:
        """(path, text) as the note would be written; over an existing file, what did not change stays as it is."""
        place = path or f"{note.namespace.value}/{note.file_name}"
        content = read_bytes(self.root, place) if path else None
        return place, render_note(note, decode(content, place) if content is not None else None, place)

    def _places(self) -> Iterator[str | Failure]:
        """Paths of all note files in order, and a Failure for each namespace that cannot be listed."""
        for namespace in sorted(NAMESPACES):
            if (self.root / namespace).is_symlink():
                yield Failure(namespace, "is a symbolic link, which is never followed")
            try:
                yield from list(self._paths_in(namespace))
            except VaultError as error:
                yield Failure(error.subject or namespace, error.reason)

    def _paths_in(self, namespace: str) -> Iterator[str]:
        return (path for path in walk_markdown(self.root, namespace) if path != f"{namespace}/{README}")

    def _created(self, path: str) -> float:
        """Seconds since 1970, 0 where there is no date or the file cannot be read."""
        try:
            content = read_walked(self.root, path) or b""
        except VaultError:
            return 0.0
        if written := _CREATED.match(content):
            return datetime.fromisoformat(written[1].decode()).timestamp()
        stored = self.load(path)
        created = stored.note.created if isinstance(stored, StoredNote) else None
        return created.timestamp() if created else 0.0

    def load(self, path: str) -> StoredNote | Failure | None:
        """The note of a file that was just listed, why it is none, or None where it is gone again."""
        try:
            content = read_walked(self.root, path)
            if content is None:
                return None  # deleted since it was listed
            return _parse(content, path)
        except VaultError as error:
            return Failure(path, error.reason)

    def _by_file_name(self, wanted: str) -> StoredNote | None:
        """The usual case without reading every note: seci ends a file's name with its note's id."""
        tail = f"-{wanted[-ID_TAIL:].lower()}.md"
        found = []
        for path in self.paths():
            if path.endswith(tail):
                stored = self.read(path)
                if stored.note.id.upper().endswith(wanted):
                    found.append(stored)
        return found[0] if len(found) == 1 else None

    def _relative(self, path: str) -> str:
        place = Path(path)
        if place.is_absolute():
            try:
                return place.relative_to(self.root).as_posix()
            except ValueError:
                raise VaultError("is not in this vault", subject=path) from None
        return place.as_posix()


def decode(content: bytes, path: str) -> str:
    """UTF-8 with or without a byte order mark. Raises NoteFormatError that says where it goes wrong."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteFormatError(
            f"is not UTF-8: byte {error.start} is {content[error.start]:#04x}", subject=path
        ) from error


def digest_walked(root: Path, path: str) -> Iterator[tuple[str, str]]:
    """(path, digest) of a file that was just listed; nothing where it is gone again, "" where it cannot be read."""
    try:
        content = read_walked(root, path)
    except VaultError:
        yield path, ""
        return
    if content is not None:
        yield path, digest_of(content)


def namespace_of(path: str) -> Namespace | None:
    """The namespace that a vault-relative path lies in, None when it lies in none."""
    folder = path.split("/", 1)[0]
    return Namespace(folder) if folder in NAMESPACES else None


def _ends(note_id: str, wanted: str) -> bool:
    return len(wanted) >= SHORTEST_SUFFIX and note_id.endswith(wanted)

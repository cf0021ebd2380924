"""Documents: what the index knows of one file of the vault, a note or an archived session, and its chunks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from seci.core.chunk import Chunk, Kind
from seci.core.note import Namespace, Note, NoteType, Provenance, Status, Tier
from seci.core.session import Session


@dataclass(frozen=True, slots=True)
class Record:
    """What can be said of a file without opening it.

    `key` is a note's id or a session's key, `id` a note's id or the id that the session's source gave; `digest` is the
    sha256 of the file's bytes; `body` and `tokens` (of title and body) are a note's, a session's text stands in its
    chunks. The fields from `namespace` on are a note's as well.
    """

    path: str
    digest: str
    kind: Kind
    key: str
    id: str
    title: str = ""
    body: str = ""
    tokens: int = 0
    project: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    namespace: Namespace | None = None
    tier: Tier | None = None
    type: NoteType | None = None
    status: Status = Status.ACTIVE
    importance: float = 0.5
    confidence: float = 0.7
    valid_from: date | None = None
    valid_to: date | None = None
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[Provenance, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A record with its chunks, in reading order."""

    record: Record
    chunks: tuple[Chunk, ...]


def record_note(note: Note, path: str, digest: str, tokens: int) -> Record:
    return Record(
        path=path,
        digest=digest,
        kind=Kind.DISTILLED,
        key=note.id,
        id=note.id,
        title=note.title,
        body=note.body,
        tokens=tokens,
        project=note.project,
        created=note.created,
        updated=note.updated,
        namespace=note.namespace,
        tier=note.tier,
        type=note.type,
        status=note.status,
        importance=note.importance,
        confidence=note.confidence,
        valid_from=note.valid_from,
        valid_to=note.valid_to,
        superseded_by=note.superseded_by,
        supersedes=note.supersedes,
        tags=note.tags,
        sources=note.sources,
    )


def record_session(session: Session, path: str, digest: str) -> Record:
    return Record(
        path=path,
        digest=digest,
        kind=Kind.RAW,
        key=session.key,
        id=session.id,
        title=session.title or "",
        project=session.project,
        created=session.started,
        updated=session.ended,
    )

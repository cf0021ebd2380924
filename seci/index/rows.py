"""Between records, chunks and the rows of the tables. Times are ISO 8601 texts in UTC, lists are JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from sqlite3 import Row
from typing import Any

from seci.core.chunk import Chunk, Kind
from seci.core.document import Record
from seci.core.note import Namespace, NoteType, Provenance, Status, Tier
from seci.core.session import Role

RECORD_COLUMNS = (
    "path", "digest", "kind", "key", "id", "title", "body", "tokens", "project", "created", "updated", "namespace",
    "tier", "type", "status", "importance", "confidence", "valid_from", "valid_to", "superseded_by", "supersedes",
    "tags", "sources",
)  # fmt: skip
CHUNK_COLUMNS = ("id", "kind", "turns", "role", "at", "heading", "text", "tokens", "digest", "standing")


def record_values(record: Record) -> tuple[Any, ...]:
    """In the order of RECORD_COLUMNS."""
    sources = [{"session": source.session, "turns": list(source.turns)} for source in record.sources]
    return (
        record.path,
        record.digest,
        record.kind.value,
        record.key,
        record.id,
        record.title,
        record.body,
        record.tokens,
        record.project,
        _time_text(record.created),
        _time_text(record.updated),
        record.namespace.value if record.namespace else None,
        record.tier.value if record.tier else None,
        record.type.value if record.type else None,
        record.status.value,
        record.importance,
        record.confidence,
        record.valid_from.isoformat() if record.valid_from else None,
        record.valid_to.isoformat() if record.valid_to else None,
        record.superseded_by,
        _json(record.supersedes),
        _json(record.tags),
        _json(sources),
    )


def parse_record(row: Row) -> Record:
    return Record(
        path=row["path"],
        digest=row["digest"],
        kind=Kind(row["kind"]),
        key=row["key"],
        id=row["id"],
        title=row["title"],
        body=row["body"],
        tokens=row["tokens"],
        project=row["project"],
        created=parse_time(row["created"]),
        updated=parse_time(row["updated"]),
        namespace=Namespace(row["namespace"]) if row["namespace"] else None,
        tier=Tier(row["tier"]) if row["tier"] else None,
        type=NoteType(row["type"]) if row["type"] else None,
        status=Status(row["status"]),
        importance=row["importance"],
        confidence=row["confidence"],
        valid_from=date.fromisoformat(row["valid_from"]) if row["valid_from"] else None,
        valid_to=date.fromisoformat(row["valid_to"]) if row["valid_to"] else None,
        superseded_by=row["superseded_by"],
        supersedes=_strings(row["supersedes"]),
        tags=_strings(row["tags"]),
        sources=_sources(row["sources"]),
    )


def chunk_values(chunk: Chunk) -> tuple[Any, ...]:
    """In the order of CHUNK_COLUMNS."""
    return (
        chunk.id,
        chunk.kind.value,
        _json(chunk.turns),
        chunk.role.value if chunk.role else None,
        _time_text(chunk.at),
        chunk.heading,
        chunk.text,
        chunk.tokens,
        chunk.digest,
        int(chunk.standing),
    )


def parse_chunk(row: Row) -> Chunk:
    """From CHUNK_COLUMNS with the document's `path` and its `key` as `parent`."""
    return Chunk(
        id=row["id"],
        kind=Kind(row["kind"]),
        parent=row["parent"],
        path=row["path"],
        text=row["text"],
        tokens=row["tokens"],
        digest=row["digest"],
        turns=parse_turns(row["turns"]),
        heading=row["heading"],
        role=Role(row["role"]) if row["role"] else None,
        at=parse_time(row["at"]),
        standing=bool(row["standing"]),
    )


@lru_cache(4096)
def parse_turns(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


def parse_time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _time_text(time: datetime | None) -> str | None:
    return time.astimezone(UTC).isoformat() if time else None


def _strings(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text != "[]" else ()


def _sources(text: str) -> tuple[Provenance, ...]:
    if text == "[]":
        return ()
    return tuple(Provenance(item["session"], tuple(item["turns"])) for item in json.loads(text))


def _json(value: Sequence[Any]) -> str:
    return json.dumps(value, ensure_ascii=False)

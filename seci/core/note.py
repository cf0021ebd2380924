"""A note: one thing worth knowing, with where it came from."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Namespace(StrEnum):
    BRAIN = "brain"
    PATTERNS = "patterns"
    SOLUTIONS = "solutions"
    RESEARCH = "research"
    CONTENT = "content"
    VOICE = "voice"
    CLIENTS = "clients"
    PROJECTS = "projects"
    DOCS = "docs"
    QUICK_REFERENCE = "quick-reference"


class Tier(StrEnum):
    MEMORY = "memory"
    EPISODE = "episode"
    PROCEDURE = "procedure"
    SOUL = "soul"


class NoteType(StrEnum):
    PREFERENCE = "preference"
    DECISION = "decision"
    FACT = "fact"
    PLAN = "plan"
    EVENT = "event"
    EMOTION = "emotion"
    SOLUTION = "solution"
    PATTERN = "pattern"
    COMMAND = "command"
    REFERENCE = "reference"
    OTHER = "other"


class Status(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    STALE = "stale"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Provenance:
    """The turns of one session that support a note. `session` is a session's `key`."""

    session: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """The content of one markdown file. Times are aware UTC. `extra` holds the user's own frontmatter keys."""

    id: str
    title: str
    body: str
    namespace: Namespace
    tier: Tier = Tier.MEMORY
    type: NoteType = NoteType.OTHER
    tags: tuple[str, ...] = ()
    project: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    importance: float = 0.5
    confidence: float = 0.7
    status: Status = Status.ACTIVE
    sources: tuple[Provenance, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """`<slug>-<last 8 of id>.md`: the name a new note gets. Only the user renames it afterwards."""
        return f"{slugify(self.title)}-{short_id(self.id)}.md"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a distiller proposes, before it has an id, a project and a place."""

    title: str
    body: str
    namespace: Namespace
    tier: Tier
    type: NoteType
    turns: tuple[int, ...]
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 0.7


_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def short_id(id_: str) -> str:
    """The last eight of an id, lower-case: what people type and read."""
    return id_[-8:].lower()


def note_id(created: datetime | None, sources: Sequence[Provenance], title: str) -> str:
    """A ULID (26 Crockford base32 characters): 48 bits of milliseconds, 80 bits that are a hash of the content.

    The hash covers sessions, turns and the normalised title, so that two machines name the same note alike. Without
    a recorded time the time part is zero.
    """
    millis = 0 if created is None else max(0, int(created.timestamp() * 1000))
    parts = [f"{s.session}#{','.join(map(str, s.turns))}" for s in sorted(sources, key=lambda s: s.session)]
    digest = hashlib.sha256("\n".join([*parts, normalise_title(title)]).encode()).digest()[:10]
    number = (millis & ((1 << 48) - 1)) << 80 | int.from_bytes(digest, "big")
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def normalise_title(title: str) -> str:
    """Case, punctuation and spacing removed; letters of every script stay."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+", folded))


_LATIN_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")  # elsewhere a mark makes another letter: か and が


def slugify(title: str, limit: int = 60) -> str:
    """A file name part: lower-case words of any script joined by hyphens, at most `limit` characters, never empty.

    Latin letters lose their accents; other scripts stay as they are, since a slug in ASCII would say nothing there.
    """
    folded = _LATIN_ACCENTS.sub("", unicodedata.normalize("NFKD", title))
    plain = unicodedata.normalize("NFC", folded)
    slug = ""
    for word in re.findall(r"[^\W_]+", plain.lower()):
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > limit:
            break
        slug = longer
    return slug or re.sub(r"[^\w]+", "-", plain.lower())[:limit].strip("-") or "note"

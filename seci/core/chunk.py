"""Chunks: the pieces of text that are embedded and searched, none longer than the model's window."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Which of the two collections a chunk lives in."""

    RAW = "raw"
    DISTILLED = "distilled"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One embedded piece. `parent` is a session's key (raw) or a note's id (distilled); `id` is unique per index.

    `digest` is the hash of what was embedded: equal digests need no second embedding.
    """

    id: str
    kind: Kind
    parent: str
    path: str  # vault-relative file that the text stands in
    text: str
    tokens: int
    digest: str
    turns: tuple[int, ...] = ()

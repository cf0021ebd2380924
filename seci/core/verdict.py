"""How two notes relate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONTRADICTION = "contradiction"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two notes relate, and by which rule. `older` and `newer` are ids, in order of time where it is known.
    `open` says that nothing forbids another relation, so that the opinion of who reads both notes may change it."""

    relation: Relation
    rule: str
    older: str
    newer: str
    open: bool = False

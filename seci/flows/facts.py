"""What the outside world says about notes: use, sessions that were deleted, files and symbols that are gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from seci.core.note import Note, Status
from seci.core.scoring import UsageCount
from seci.core.staleness import CITING, Facts, parse_citations


class Code(Protocol):
    """A project's repository on this machine."""

    def gone(self, files: Iterable[str], symbols: Iterable[str], since: datetime | None) -> tuple[str, ...]:
        """Which of these it had around that time and has no more."""


@dataclass(frozen=True, slots=True)
class FactSteps:
    """The adapters. `usage` counts what was put into contexts; `deleted` says which of these sessions were archived
    once and were deleted; `code` finds the repository that a note speaks of, None where it is not on this machine."""

    usage: Callable[[Iterable[str]], Mapping[str, UsageCount]]
    deleted: Callable[[Iterable[str]], frozenset[str]]
    code: Callable[[Note], Code | None]


def gather_facts(notes: Sequence[Note], steps: FactSteps) -> Facts:
    """Asks only about what could make a note stale."""
    standing = [note for note in notes if note.status is Status.ACTIVE]
    used = {ident: count.last for ident, count in steps.usage(note.id for note in standing).items() if count.last}
    cited = {source.session for note in standing for source in note.sources}
    missing: dict[str, tuple[str, ...]] = {}
    for note in standing:
        if note.namespace not in CITING:
            continue
        files, symbols = parse_citations(note)
        code = steps.code(note) if files or symbols else None
        gone = code.gone(files, symbols, note.updated or note.created) if code else ()
        if gone:
            missing[note.id] = gone
    return Facts(gone_sessions=steps.deleted(cited), missing=missing, used=used)

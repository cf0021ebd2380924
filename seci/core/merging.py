"""What one note becomes when it takes in another that says the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from seci.core.apart import apart_from, refused_patterns, with_apart, with_refused
from seci.core.conflict import read_wording
from seci.core.note import Note, Provenance
from seci.core.terms import telling

MOST_CONFIDENT = 0.99  # however many confirm it, a note may be wrong


def plan_merge(notes: Sequence[Note]) -> Note:
    """The note that stands for several that say the same; its id and wording are those of the clearest.

    Sources and tags are united, `created` and `valid_from` are the oldest, `updated` the latest, importance the
    highest; confidence grows by what sessions confirm independently. The order of `notes` does not matter.
    """
    ranked = sorted(notes, key=_clearness)
    kept, others = ranked[0], ranked[1:]
    lost = {note.id for note in others}
    extra: dict[str, object] = {}
    for note in reversed(ranked):
        extra.update(note.extra)
    apart = {ident for note in notes for ident in apart_from(note)} - {note.id for note in notes}
    refused = {command for note in notes for command in refused_patterns(note)}
    return replace(
        kept,
        tags=tuple(dict.fromkeys(tag for note in ranked for tag in note.tags)),
        project=next((note.project for note in ranked if note.project), None),
        created=_least(note.created for note in notes),
        updated=max((note.updated for note in notes if note.updated), default=None),
        valid_from=min((note.valid_from for note in notes if note.valid_from), default=None),
        importance=max(note.importance for note in notes),
        confidence=unite_confidence(notes),
        sources=unite_sources(notes),
        supersedes=tuple(
            sorted({old for note in notes for old in note.supersedes if old not in lost and old != kept.id})
        ),
        extra=with_refused(with_apart(extra, sorted(apart)), sorted(refused)),
    )


def _clearness(note: Note) -> tuple[int, int, float, datetime | str, str]:
    """Sorts the clearest first: the most facts and content words, then the fewest words, the surest, the oldest."""
    wording = read_wording(note)
    content = len(telling(wording.terms))
    created = note.created.isoformat() if note.created else "9999"
    return (-content, len(wording.words), -note.confidence, created, note.id)


def _least(times: Iterable[datetime | None]) -> datetime | None:
    return min((time for time in times if time), default=None)


def unite_sources(notes: Iterable[Note]) -> tuple[Provenance, ...]:
    """One entry a session, in order of session, with every turn that any of the notes cites."""
    turns: dict[str, set[int]] = {}
    for note in notes:
        for source in note.sources:
            turns.setdefault(source.session, set()).update(source.turns)
    return tuple(Provenance(session, tuple(sorted(turns[session]))) for session in sorted(turns))


def unite_confidence(notes: Sequence[Note]) -> float:
    """1 minus the chance that all independent reports are wrong; reports of one session count as the surest of them.

    Rounded to three digits, never less than the surest and never more than `MOST_CONFIDENT` unless one was surer.
    """
    surest = max(note.confidence for note in notes)
    independent: dict[tuple[str, ...], float] = {}
    for note in notes:
        sessions = tuple(sorted({source.session for source in note.sources}))
        independent[sessions] = max(independent.get(sessions, 0.0), note.confidence)
    seen: set[str] = set()
    doubt = 1.0
    for sessions, confidence in sorted(independent.items(), key=lambda item: (-item[1], item[0])):
        if not sessions or seen.isdisjoint(sessions):
            doubt *= 1.0 - confidence
        seen.update(sessions)
    united = round(min(MOST_CONFIDENT, 1.0 - doubt), 3)
    return max(surest, united) if math.isfinite(united) else surest


_WIKI_LINK = re.compile(r"\[\[([^\]|#]+)((?:#[^\]|]*)?(?:\|[^\]]*)?)\]\]")
_PATH_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?(?:\s+\"[^\"]*\")?\))")


def rewrite_links(body: str, moved: Mapping[str, str]) -> str:
    """The body with links to notes that are gone pointing to what took them in.

    `moved` maps an id, an id's last eight characters, a path or a path without `.md` to its successor of the same
    form. `[[target|label]]` and `[label](target)` keep labels and anchors; anything else stays byte for byte.
    """

    def wiki(match: re.Match[str]) -> str:
        target = match[1].strip()
        return f"[[{moved[target]}{match[2]}]]" if target in moved else match[0]

    def path(match: re.Match[str]) -> str:
        lead, bare = re.fullmatch(r"((?:\.{0,2}/)*)(.*)", match[2], re.DOTALL).groups()  # type: ignore[union-attr]
        return f"{match[1]}{lead}{moved[bare]}{match[3]}" if bare in moved else match[0]

    return _PATH_LINK.sub(path, _WIKI_LINK.sub(wiki, body))

"""The episode of a session: topic, what followed, how it ended, in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.distillers.candidates import Candidate, Topic
from seci.distillers.language import Cues
from seci.distillers.requests import tell_user
from seci.distillers.sentences import Casing, count_words
from seci.distillers.titles import title_from_heading, title_from_sentence

WORDS = 78


def draft_episode(
    topics: Sequence[Topic], candidates: Sequence[Candidate], title: str | None, cues: Cues, casing: Casing
) -> Draft | None:
    """One episode note; None when the session holds nothing that can be told."""
    parts: list[tuple[int, str]] = []
    opening = _opening(topics, cues, casing)
    turns: set[int] = set()
    words = 0
    if opening is not None:
        parts.append((-1, opening[1]))
        turns.add(opening[0])
        words += count_words(opening[1])
    ranked = sorted(candidates, key=lambda c: -c.score)
    last = max(candidates, key=lambda c: c.order, default=None)
    order = ([last] if last else []) + [c for c in ranked if c is not last]
    for candidate in order[:6]:
        if not candidate.units:
            continue
        best = max(candidate.units, key=lambda s: (not s.unit.leans, s.score)).unit
        if best.leans or words + best.words > WORDS or len(parts) >= 5:
            continue
        parts.append((candidate.order, best.text))
        turns.add(best.turn)
        words += best.words
    if not parts or words < 8:
        return None
    parts.sort(key=lambda part: part[0])
    name = title_from_heading(title) if title else ""
    name = name or (title_from_sentence(opening[1]) if opening else "") or title_from_sentence(parts[-1][1])
    return Draft(
        title=f"Session: {name}" if name else "Session notes",
        body=" ".join(text for _, text in parts),
        namespace=Namespace.PROJECTS,
        tier=Tier.EPISODE,
        type=NoteType.EVENT,
        turns=tuple(sorted(turns)),
        importance=0.5,
        confidence=0.8,
    )


def _opening(topics: Sequence[Topic], cues: Cues, casing: Casing) -> tuple[int, str] | None:
    for topic in topics[:2]:
        if topic.asked is None:
            continue
        told = [one for one in tell_user(topic.asked.text, cues, casing) if count_words(one.text) >= 6]
        if told:
            best = next(
                (one for one in told if one.kind in ("request", "wish", "statement", "fact")), told[0]
            )
            return topic.asked.index, best.text
    return None

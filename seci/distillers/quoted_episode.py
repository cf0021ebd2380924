"""The episode of a session that is quoted: what it was about, what came of it, how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session, Turn
from seci.distillers.headlines import headline
from seci.distillers.language import Cues, Voices
from seci.distillers.quotes import Quote, joined, quoted, terms
from seci.distillers.remarks import Remark, read_remarks
from seci.distillers.sentences import count_words
from seci.distillers.topics import Topic

EPISODE_WORDS = 90
EPISODE_SENTENCES = 5
LEAST_EPISODE = 14
TELLING = 7  # words of a request that may stand for what a session is about


def draft_quoted_episode(
    session: Session, topics: Sequence[Topic], quotes: Sequence[Quote], voices: Voices
) -> Draft | None:
    """What the session was about, what came of it and what was asked last, in whole sentences."""
    cues = voices.user
    opening = next((told for topic in topics[:4] if (told := _opening(topic.asked, cues))), None)
    parts: list[tuple[int, int, str]] = []
    if opening is not None:
        parts.append((opening[0], 0, cues.lead["asked"].format(quoted(opening[1].text, cues))))
    words = sum(count_words(text) for _, _, text in parts)
    solved = [q.best for q in quotes if q.best is not None and q.kind == "solution"]
    others = sorted((q for q in quotes if q.best is not None and q.kind != "solution"), key=lambda q: -q.score)
    decided = [(q.turns[-1], q.body) for q in quotes if q.said and q.shelf.type is NoteType.DECISION]
    milestones = [*((one.unit.turn, one.text) for one in solved if one), *decided]
    milestones += [(q.best.unit.turn, q.best.text) for q in others if q.best]
    milestones += [(q.turns[-1], q.body) for q in quotes if q.said and q.shelf.type is not NoteType.DECISION]
    milestones += [(q.turns[-1], q.body) for q in quotes if q.kind == "command"]
    for turn, text in milestones:
        if len(parts) >= EPISODE_SENTENCES or words + count_words(text) > EPISODE_WORDS:
            continue
        if any(text in other or other in text for _, _, other in parts):
            continue
        if opening is not None and opening[1].text in text:
            continue
        parts.append((turn, 1, text))
        words += count_words(text)
    if words < LEAST_EPISODE:
        return None
    parts.sort()
    names = [session.title or ""] if _fits(session) else []
    names += [opening[1].gist] if opening and opening[1].kind != "standing" else []
    titles = [*(headline(name, cues) for name in names), *(q.title for q in sorted(quotes, key=lambda q: -q.score))]
    name = next((title for title in titles if title), "")
    if not name:
        return None
    return Draft(
        cues.lead["session"].format(name),
        joined((text for _, _, text in parts), cues),
        Namespace.PROJECTS,
        Tier.EPISODE,
        NoteType.EVENT,
        tuple(sorted({turn for turn, _, _ in parts})),
        (),
        0.5,
        0.8,
    )


def _opening(turn: Turn | None, cues: Cues) -> tuple[int, Remark] | None:
    """What a user's turn is about: its problem, request or first remark of some length."""
    if turn is None:
        return None
    remarks = [one for one in read_remarks(turn.text, cues) if 4 <= count_words(one.text) <= 40]
    order = {"problem": 0, "decision": 1, "plan": 1, "request": 1}
    best = min(remarks, key=lambda one: order.get(one.kind, 2) + 2 * (count_words(one.text) < TELLING), default=None)
    return (turn.index, best) if best is not None else None


def _fits(session: Session) -> bool:
    """Whether a recorded title speaks of this session: tools have been seen to record another one's."""
    words = frozenset(terms(session.title or ""))
    said = frozenset(terms(" ".join(turn.text for turn in session.turns)))
    return bool(words) and len(words & said) >= 0.6 * len(words)

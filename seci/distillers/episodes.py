"""The episode of a session: topic, what followed, how it ended, in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.distillers.assembly import Scored, content_words, repeats
from seci.distillers.candidate import COMMANDS, Candidate
from seci.distillers.language import Cues
from seci.distillers.naming import name_candidate, name_things
from seci.distillers.openings import tell_closing, tell_opening
from seci.distillers.outcomes import tell_outcome
from seci.distillers.passages import Unit
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.salience import is_substantive
from seci.distillers.sentences import Casing, count_words, split_sentences
from seci.distillers.standing import cut_splice
from seci.distillers.titles import title_from_gist, title_from_heading, title_from_sentence
from seci.distillers.told import Told
from seci.distillers.topics import Topic

LEAD = "Session: "  # of the title
WORDS = 78
SENTENCES = 5
LEAST = 16  # words; an episode of the user's words alone needs LEAST_TOLD
LEAST_TOLD = 18
TOLD_WORDS = 40  # of a sentence in an episode
LISTED_WORDS = 26  # of a list told in one, which makes a poor step of a story
NEARNESS = 0.4  # points for each word that a sentence shares with what was asked
TELLING = 4  # words of four letters and more in an errand that may name a session


def draft_episode(
    session: Session, topics: Sequence[Topic], candidates: Sequence[Candidate], cues: Cues, casing: Casing
) -> Draft | None:
    """One episode note about `topics`; None when they hold nothing that can be told."""
    opening = tell_opening(topics, cues, casing)
    closing = tell_closing(topics, opening[0] if opening else -1, cues, casing)
    name = _name(session, topics, opening, candidates, cues)
    body: list[tuple[float, int, str]] = []
    turns = {opening[0]} if opening else set()
    for told in (opening, closing):
        if told is not None and sum(count_words(text) for _, _, text in body) + count_words(told[1].text) <= WORDS:
            body.append((told[0] - 0.5, told[0], told[1].text))
    words = sum(count_words(text) for _, _, text in body)
    about = content_words(" ".join(text for _, _, text in body))
    outcome = tell_outcome(topics, f"{name} {' '.join(text for _, _, text in body)}", cues, casing)
    for scored in _milestones(candidates, outcome, about, cues):
        if len(body) >= SENTENCES or words + scored.unit.words > WORDS:
            continue
        if repeats(scored.unit.text, (text for _, _, text in body)):
            continue
        body.append((scored.unit.turn, scored.unit.turn, scored.unit.text))
        words += scored.unit.words
    told_only = not any(text for turn, _, text in body if turn == int(turn))
    if words < LEAST or (told_only and words < LEAST_TOLD):
        return None
    body.sort()
    told_on = words - (count_words(opening[1].text) if opening else 0)
    if opening and says_again(opening[1].text, name) and told_on >= STORY:
        body = [part for part in body if part[2] != opening[1].text]
    name = name or next(filter(None, (title_from_sentence(text, cues) for _, _, text in body)), "")
    return Draft(
        title=f"{LEAD}{name}" if name else "Session notes",
        body=" ".join(text for _, _, text in body),
        namespace=Namespace.PROJECTS,
        tier=Tier.EPISODE,
        type=NoteType.EVENT,
        turns=tuple(sorted(turns | {turn for _, turn, _ in body})),
        importance=0.5,
        confidence=0.8,
    )


def says_again(opening: str, title: str) -> bool:
    """Whether the opening sentence says hardly more than the title."""
    mine, theirs = content_words(opening) - _ASKING, content_words(title)
    return len(mine - theirs) <= NEW_WORDS


_ASKING = frozenset({"user", "asked", "plan", "carried"})
STORY = 36  # words that tell a story without its opening
NEW_WORDS = 1  # in an opening that the title makes needless


def _milestones(
    candidates: Sequence[Candidate], outcome: Scored | None, about: frozenset[str], cues: Cues
) -> list[Scored]:
    """A decision first, then what was done last, then the best sentence of the last candidate and of the others."""
    decided = [b for c in candidates if c.asked and c.asked.kind == "decision" and (b := _asked_of(c)) is not None]
    best = [b for c in candidates if (b := _best(c, about, cues)) is not None]
    orders = {
        b.unit.text for c in candidates if c.asked and c.asked.standing and (b := _best(c, about, cues)) is not None
    }
    ranked = sorted(best, key=lambda s: (s.unit.text in orders, -s.score))
    last = max(best, key=lambda s: (s.unit.role != COMMANDS, s.unit.turn), default=None)
    ended = [outcome] if outcome else []
    return [*decided[:1], *ended, *([last] if last else []), *(scored for scored in ranked if scored is not last)]


def _asked_of(candidate: Candidate) -> Scored | None:
    """The user's own sentence of a candidate."""
    if candidate.asked is None:
        return None
    first = split_sentences(candidate.asked.text)[0]
    return Scored(Unit(first, candidate.asked_turn), candidate.score)


def _best(candidate: Candidate, about: frozenset[str], cues: Cues) -> Scored | None:
    """The sentence of a candidate that tells most of the story: one that says something about its subject."""
    if not candidate.units and candidate.asked is not None:
        return _asked_of(candidate)
    alone = [scored for scored in candidate.units if _tells(scored, cues)]
    return max(alone, key=lambda s: s.score + NEARNESS * min(3, len(about & content_words(s.unit.text))), default=None)


def _tells(scored: Scored, cues: Cues) -> bool:
    unit = scored.unit
    if unit.leans or unit.words > (LISTED_WORDS if unit.listed else TOLD_WORDS):
        return False
    return unit.role == COMMANDS or is_substantive(unit, scored.score, cues)


def _fits(session: Session) -> bool:
    """Whether a recorded title speaks of this session: tools have been seen to record another one's."""
    words = content_words(session.title or "")
    said = content_words(" ".join(turn.text for turn in session.turns))
    return bool(words) and len(words & said) >= 0.6 * len(words)


def _name(
    session: Session,
    topics: Sequence[Topic],
    opening: tuple[int, Told] | None,
    candidates: Sequence[Candidate],
    cues: Cues,
) -> str:
    plan = next((plan_title(plan_text(topic.asked, cues)) for topic in topics[:2] if plan_text(topic.asked, cues)), "")
    names = [title_from_heading(plan)] if plan else []
    if session.title and _fits(session):
        names.append(title_from_heading(session.title))
    decided = [c for c in candidates if c.asked and c.asked.kind == "decision"]
    names.extend(name_candidate(c, "", cues) for c in decided[:1])
    if opening and not opening[1].errand:
        names.append(title_from_gist(cut_splice(opening[1].gist)))
    if opening and len(content_words(opening[1].gist)) >= TELLING:
        names.append(title_from_gist(cut_splice(opening[1].gist)))
    names.extend(name_candidate(c, "", cues) for c in sorted(candidates, key=lambda c: -c.score)[:4])
    if opening:
        names.append(title_from_gist(cut_splice(opening[1].gist)))
    names.append(name_things(" ".join(c.body for c in candidates)))
    return next(filter(None, names), "")

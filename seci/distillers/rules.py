"""The default distiller: rules over the form of a session. Deterministic, offline, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from seci.core.note import Draft
from seci.core.session import Role, Session
from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.candidate import Candidate
from seci.distillers.candidates import draft_candidates
from seci.distillers.drafting import draft_notes
from seci.distillers.episodes import draft_episode
from seci.distillers.exchanges import parse_exchanges
from seci.distillers.language import DEFAULT_LANGUAGE, Cues, select_voices
from seci.distillers.naming import name_topic
from seci.distillers.plans import plan_text
from seci.distillers.quoting import quote_session
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.topics import Topic, join_approvals

MAX_NOTES = 12
MIN_SCORE = 2.0
ANSWERS = 2  # notes from the answers of a session that is about the world at large
WORDS_PER_NAME = 150  # an answer that names code at least this often is technical
MAX_OVERLAP = 0.57  # of the content words of the shorter of two notes
FURTHER = 1.0  # points that each further note on one turn must be worth more
REFUTED = 0.25  # of the content words of a note about what the user refuted
TRIVIAL = 2  # topics of a short session, and notes that tell all of one
MOST_OF_DECISION = 0.8  # the same for what the user wants, which is worth telling beside what it was said to
WORTH_TELLING = 1.5  # in the episode


class RulesDistiller:
    """Chooses and cleans the sentences of a session that are worth keeping."""

    name = "rules"

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        """One episode about the fresh part and the notes it is worth; every draft cites a fresh turn."""
        texts = [turn.text for turn in session.turns]
        voices = select_voices(session)
        if voices.user.name != DEFAULT_LANGUAGE:
            return quote_session(session, fresh, voices)
        cues = voices.user
        casing = Casing.of(texts, cues.plain_words)
        topics = join_approvals(parse_exchanges(session, cues))
        candidates: list[Candidate] = []
        for at, topic in enumerate(topics):
            overturned = at + 1 < len(topics) and is_objection(topics[at + 1], cues)
            found = draft_candidates(topic, overturned, cues, casing)
            following = topics[at + 1] if at + 1 < len(topics) else None
            candidates.extend(c for c in found if not (following and overturned and is_undone(c, following, cues)))
            if following is not None and is_refuted(following, cues):
                candidates = [c for c in candidates if c.order != topic.order or not is_false(c, following)]
        candidates = [c for c in candidates if fresh.intersection(c.turns)]
        fresh_topics = [t for t in topics if fresh.intersection(_turns(t))]
        if not is_technical(session):
            candidates = restrain(candidates)
        chosen = select_candidates(candidates, MAX_NOTES, MIN_SCORE)
        names = {topic.order: name_topic(topic, cues, casing) for topic in topics}
        place = PurePath(session.cwd).name if session.cwd else ""
        drafts = draft_notes(chosen, names, place, cues)
        told = [c for c in candidates if c.score >= WORTH_TELLING]
        episode = draft_episode(session, fresh_topics, told, cues, casing)
        news = episode is not None and not is_told(episode, drafts, topics, told, cues)
        if episode is not None and news and fresh.intersection(episode.turns):
            drafts.append(episode)
        return drafts


def is_told(
    episode: Draft, drafts: Sequence[Draft], topics: Sequence[Topic], told: Sequence[Candidate], cues: Cues
) -> bool:
    """Whether the episode of a short session tells no story, or only what its one or two notes tell word for word."""
    if len(topics) > TRIVIAL:
        return False  # more than an exchange or two
    if not drafts:
        return not any(candidate.substantive for candidate in told)
    planned = any(plan_text(topic.asked, cues) for topic in topics)  # that it was carried out is told nowhere else
    notes = {sentence for draft in drafts for sentence in split_sentences(draft.body)}
    return not planned and len(drafts) <= TRIVIAL and notes.issuperset(split_sentences(episode.body))


def is_technical(session: Session) -> bool:
    """Whether the answers speak of particular code, files or commands rather than of the world at large."""
    text = " ".join(turn.text for turn in session.turns if turn.role is Role.ASSISTANT)
    return "```" in text or len(_TECHNICAL.findall(text)) * WORDS_PER_NAME >= len(text.split())


_TECHNICAL = re.compile(r"`[^`\n]+`|\b\w+/\w+\.\w{1,5}\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+")


def restrain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of general advice only the ANSWERS best answers; all that the user says of themselves stays."""
    answers = sorted((c for c in candidates if c.asked is None), key=lambda c: (-c.score, c.order))[:ANSWERS]
    return [c for c in candidates if c.asked is not None or c in answers]


def is_objection(topic: Topic, cues: Cues) -> bool:
    """The user corrects and the answer concedes: what was done before did not last."""
    if topic.asked is None or not topic.answers:
        return False
    return cues.says("corrections", topic.asked.text[:300]) and cues.says("concessions", topic.answers[0].text[:80])


def is_refuted(objection: Topic, cues: Cues) -> bool:
    """The user says that what was told is not so, and the answer admits the mistake."""
    if objection.asked is None or not objection.answers:
        return False
    return cues.says("refutations", objection.asked.text[:120]) and cues.says("admits", objection.answers[0].text[:120])


def is_false(candidate: Candidate, objection: Topic) -> bool:
    """Whether a candidate tells mostly what the objection and its answer speak about."""
    if objection.asked is None or not candidate.units:
        return False
    said = stems(content_words(f"{objection.asked.text[:400]} {objection.answers[0].text[:300]}"))
    return overlap(said, _stems_of(candidate)) >= REFUTED


def is_undone(candidate: Candidate, objection: Topic, cues: Cues) -> bool:
    """What was asked for or done here, when the answer to the objection says that it was taken back."""
    taken_back = any(cues.says("taken_back", turn.text[:600]) for turn in objection.answers)
    requested = candidate.asked is not None and candidate.asked.kind == "request"
    return taken_back and requested and not any(cues.signal("cause", s.unit.text) for s in candidate.units)


def _turns(topic: Topic) -> set[int]:
    turns = {turn.index for turn in topic.answers}
    return turns | ({topic.asked.index} if topic.asked else set())


def select_candidates(candidates: Sequence[Candidate], limit: int, least: float) -> list[Candidate]:
    """The best candidates in session order; of two about the same thing the later stays, unless it is far weaker.

    Each further one on the same turn must be worth more than the one before: a long answer is not many notes."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: (-c.score, c.order)):
        if candidate.score < least or len(kept) >= limit or not candidate.substantive:
            continue
        words = _stems_of(candidate)
        asked_only = candidate.asked is not None and not candidate.units
        most = MOST_OF_DECISION if candidate.decisive or asked_only else MAX_OVERLAP
        alike = [other for other in kept if other.commands or not candidate.commands]  # few words, all used elsewhere
        if any(overlap(words, _stems_of(other)) > most for other in alike):
            continue
        if not asked_only and candidate.score < least + FURTHER * _beside(candidate, kept):
            continue
        kept.append(candidate)
    return sorted(kept, key=lambda c: c.order)


def _beside(candidate: Candidate, kept: Sequence[Candidate]) -> int:
    """How many of `kept` rest on a turn of the candidate's, commands and the user's own words aside."""
    told = [other for other in kept if other.units and not other.commands]
    return 0 if candidate.commands else sum(bool(set(other.turns) & set(candidate.turns)) for other in told)


def _stems_of(candidate: Candidate) -> frozenset[str]:
    return stems(content_words(f"{candidate.subject} {candidate.body}"))

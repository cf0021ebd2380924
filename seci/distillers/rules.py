"""The default distiller: rules over the form of a session. Deterministic, offline, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import PurePath

from seci.core.note import Draft
from seci.core.session import Role, Session
from seci.distillers.candidate import Candidate
from seci.distillers.candidates import draft_candidates
from seci.distillers.drafting import draft_notes
from seci.distillers.echoes import drop_echoes
from seci.distillers.edits import read_edits, tell_state, tell_verdict
from seci.distillers.endings import tell_endings
from seci.distillers.episodes import draft_episode
from seci.distillers.exchanges import parse_exchanges
from seci.distillers.language import DEFAULT_LANGUAGE, Cues, select_voices
from seci.distillers.lastword import is_never_done, keep_last_word
from seci.distillers.naming import name_topic
from seci.distillers.overturned import is_objection, keep_lasting
from seci.distillers.plans import plan_text
from seci.distillers.quoting import quote_session
from seci.distillers.reports import read_reports
from seci.distillers.retelling import drop_told_by, is_retold
from seci.distillers.selection import select_candidates
from seci.distillers.sentences import Casing, count_words, split_sentences
from seci.distillers.topics import Topic, join_approvals
from seci.distillers.verified import drop_checks

MAX_NOTES = 12
MIN_SCORE = 2.0
ANSWERS = 2  # notes from the answers of a session that is about the world at large
WORDS_PER_NAME = 150  # an answer that names code at least this often is technical
TALE = 40  # words of what came of a session that is worth an episode where no note is
TRIVIAL = 2  # topics of a short session, and notes that tell all of one
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
        for topic, following in zip_longest(topics, topics[1:]):
            overturned = following is not None and is_objection(following, cues)
            drafted = drop_echoes(draft_candidates(topic, overturned, cues, casing), topic, cues)
            candidates.extend(keep_lasting(drafted, following, cues))
        candidates = keep_last_word(candidates, topics, cues)
        candidates = [c for c in candidates if fresh.intersection(c.turns)]
        fresh_topics = [t for t in topics if fresh.intersection(_turns(t))]
        if not is_technical(session):
            candidates = restrain(candidates)
        reports = read_reports(topics, cues, casing)
        chosen = tell_endings(select_candidates(candidates, MAX_NOTES, MIN_SCORE), reports, fresh, cues)
        edits = read_edits(topics)
        chosen = [
            tell_verdict(tell_state(one, edits), edits, cues)
            for one in chosen
            if not is_never_done(one, topics, edits, cues)
        ]
        names = {topic.order: name_topic(topic, cues, casing) for topic in topics}
        place = PurePath(session.cwd).name if session.cwd else ""
        drafts = draft_notes(chosen, names, place, cues)
        told = [c for c in candidates if c.score >= WORTH_TELLING]
        fresh_reports = reports.of(frozenset(topic.order for topic in fresh_topics)).lasting
        episode = draft_episode(session, fresh_topics, told, fresh_reports, drafts, cues, casing)
        news = episode is not None and not is_told(episode, drafts, topics, told, cues)
        if episode is not None and news and fresh.intersection(episode.turns):
            drafts = [*drop_told_by(episode, drafts), episode]
        return drafts


def is_told(
    episode: Draft, drafts: Sequence[Draft], topics: Sequence[Topic], told: Sequence[Candidate], cues: Cues
) -> bool:
    """Whether the episode of a short session tells no story, or only what its one or two notes tell word for word; in
    a session of one exchange, in other words too."""
    if len(topics) > TRIVIAL:
        return False  # more than an exchange or two
    planned = any(plan_text(topic.asked, cues) for topic in topics)  # that it was carried out is told nowhere else
    if planned or len(drafts) > TRIVIAL:
        return False
    story = drop_checks(split_sentences(episode.body))
    if not drafts:
        return sum(map(count_words, story[1:])) < TALE and not any(candidate.substantive for candidate in told)
    notes = {sentence for draft in drafts for sentence in split_sentences(draft.body)}
    if notes.issuperset(story):
        return True
    return len(topics) == 1 and is_retold(replace(episode, body=" ".join(story)), drafts)


def is_technical(session: Session) -> bool:
    """Whether the answers speak of particular code, files or commands rather than of the world at large."""
    text = " ".join(turn.text for turn in session.turns if turn.role is Role.ASSISTANT)
    return "```" in text or len(_TECHNICAL.findall(text)) * WORDS_PER_NAME >= len(text.split())


_TECHNICAL = re.compile(r"`[^`\n]+`|\b\w+/\w+\.\w{1,5}\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+")


def restrain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of general advice only the ANSWERS best answers; all that the user says of themselves stays."""
    answers = sorted((c for c in candidates if c.asked is None), key=lambda c: (-c.score, c.order))[:ANSWERS]
    return [c for c in candidates if c.asked is not None or c in answers]


def _turns(topic: Topic) -> set[int]:
    turns = {turn.index for turn in topic.answers}
    return turns | ({topic.asked.index} if topic.asked else set())

"""Sessions in languages that seci does not retell: what is worth keeping, in the words in which it was said.

English is told in the third person, which takes a grammar; every other language is quoted, which takes cues only. What
a note adds to a quotation ("Standing instruction: ...") comes from the language's cue file too.
"""

from __future__ import annotations

import re

from seci.core.note import Draft
from seci.core.session import Role, Session
from seci.distillers.exchanges import parse_exchanges
from seci.distillers.language import Voices
from seci.distillers.quoted_answers import Problem, quote_commands, quote_findings, quote_solution, tell_problem
from seci.distillers.quoted_episode import draft_quoted_episode
from seci.distillers.quoted_user import quote_choice, quote_remark
from seci.distillers.quotes import MOST_SHARED, Quote, select_quotes, shared, terms
from seci.distillers.remarks import KEPT, Remark, read_remarks
from seci.distillers.sentences import count_words
from seci.distillers.statements import read_statements
from seci.distillers.topics import Topic, join_approvals

OPEN = 3  # topics for which a problem may stay unsolved
GENERAL_ANSWERS = 2  # notes from the answers of a session that is about the world at large
WORDS_PER_NAME = 150  # an answer that names code at least this often is technical


def quote_session(session: Session, fresh: frozenset[int], voices: Voices) -> list[Draft]:
    """The notes of a session and one episode, in the session's own words; every draft cites a fresh turn."""
    topics = join_approvals(parse_exchanges(session, voices.user))
    quotes: list[Quote] = []
    problem: Problem | None = None
    for at, topic in enumerate(topics):
        after = topics[at + 1] if at + 1 < len(topics) else None
        problem = tell_problem(topic, voices.user) or problem
        found = draft_quotes(topic, after, problem, voices)
        if any(quote.kind == "solution" for quote in found) or (problem and topic.order - problem.order >= OPEN):
            problem = None
        quotes.extend(found)
    quotes = [quote for quote in quotes if fresh.intersection(quote.turns)]
    if not _is_technical(session):
        general = sorted((q for q in quotes if not q.said), key=lambda q: (-q.score, q.order))[:GENERAL_ANSWERS]
        quotes = [quote for quote in quotes if quote.said or quote in general]
    chosen = select_quotes(quotes)
    drafts = [_draft(quote, voices) for quote in chosen]
    fresh_topics = [topic for topic in topics if fresh.intersection(_turns(topic))]
    episode = draft_quoted_episode(session, fresh_topics, chosen, voices)
    if episode is not None and fresh.intersection(episode.turns) and (drafts or len(topics) > 2):
        drafts.append(episode)
    return drafts


def draft_quotes(topic: Topic, after: Topic | None, problem: Problem | None, voices: Voices) -> list[Quote]:
    """The notes that one topic could give. `after` is the next topic, which may take back what is answered here;
    `problem` what was reported last and is not solved yet."""
    remarks = _remarks(topic, voices)
    taken_back = after is not None and after.asked is not None and _objects(after, voices)
    found = [quote_remark(remark, topic, voices) for remark in remarks if remark.kind in KEPT]
    quotes = [quote for quote in found if quote is not None]
    statements = [
        one
        for turn in topic.answers
        for one in read_statements(turn.text, turn.index, turn is topic.answers[-1], voices.answers)
    ]
    quotes.extend(quote_choice(topic, voices))
    quotes.extend(quote_commands(topic, voices))
    if taken_back:
        return quotes
    solved = quote_solution(topic, problem, statements, voices)
    if solved is not None:
        quotes.append(solved[0])
        statements = [one for one in statements if one not in solved[1]]
    told = frozenset(terms(" ".join(quote.said or quote.body for quote in quotes)))
    fresh = [one for one in statements if shared(frozenset(terms(one.text)), told) <= MOST_SHARED]
    quotes.extend(quote_findings(topic, fresh, voices))
    return quotes


def _remarks(topic: Topic, voices: Voices) -> list[Remark]:
    if topic.asked is None:
        return []
    conceded = bool(topic.answers) and voices.answers.says("concedes", topic.answers[0].text[:80])
    offered = topic.proposal.text if topic.proposal else ""
    return read_remarks(topic.asked.text, voices.user, conceded=conceded, offered=offered)


def _objects(topic: Topic, voices: Voices) -> bool:
    """The user corrects what was answered before, and the answer takes it back."""
    assert topic.asked is not None
    first = topic.answers[0].text[:160] if topic.answers else ""
    return voices.user.says("corrections", topic.asked.text[:200]) and voices.answers.says("concessions", first)


def _draft(quote: Quote, voices: Voices) -> Draft:
    cues = voices.user if quote.said else voices.answers
    shelf = quote.shelf
    confidence = 0.6 if cues.signal("hedge", quote.body) else 0.8
    return Draft(
        quote.title,
        quote.body,
        shelf.namespace,
        shelf.tier,
        shelf.type,
        quote.turns,
        (),
        shelf.importance,
        confidence,
    )


def _is_technical(session: Session) -> bool:
    """Whether the answers name code, files or commands."""
    text = " ".join(turn.text for turn in session.turns if turn.role is Role.ASSISTANT)
    found = re.findall(r"`[^`\n]+`|\b\w+/\w+\.\w{1,5}\b|\b\w+_\w+\b", text)
    return "```" in text or len(found) * WORDS_PER_NAME >= count_words(text)


def _turns(topic: Topic) -> set[int]:
    return {turn.index for turn in topic.answers} | ({topic.asked.index} if topic.asked else set())

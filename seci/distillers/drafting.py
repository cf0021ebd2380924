"""Drafts of the chosen candidates: title, body and shelf of each, and no claim twice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from seci.core.note import Draft
from seci.distillers.assembly import content_words
from seci.distillers.candidate import Candidate
from seci.distillers.classify import classify
from seci.distillers.language import Cues
from seci.distillers.mended import tell_mended, title_of_trouble
from seci.distillers.naming import claim_of, name_candidate
from seci.distillers.outcomes import in_past, names_in
from seci.distillers.retelling import drop_retold
from seci.distillers.sentences import count_words, split_sentences
from seci.distillers.titles import title_from_sentence

LEAST_WORDS = 7  # of a note's body
LEAST_RULE = 5  # of what the user wants, which is terse


def draft_notes(chosen: Sequence[Candidate], names: Mapping[int, str], place: str, cues: Cues) -> list[Draft]:
    """The drafts of `chosen` in their order, without those that no title fits. `names` holds what each topic is about,
    by its place in the session; `place` is the folder that "this project" means."""
    drafts: list[Draft] = []
    for candidate in chosen:
        taken = frozenset(draft.title for draft in drafts)
        draft = _draft(candidate, names.get(candidate.order, ""), taken, place, cues)
        if draft is not None:
            drafts.append(draft)
    return drop_retold(drafts)


_NO_LONGER = re.compile(r"\bno longer (?P<how>\w+)")


def _ended_title(title: str, body: str, cues: Cues) -> str:
    """The sentence that says what is no longer so, where the title tells the same things as if they still were."""
    for sentence in split_sentences(body):
        if "no longer" not in sentence or "no longer" in title:
            continue
        told = title_from_sentence(sentence, cues)
        shared = content_words(title) & content_words(told) and names_in(title) & names_in(told)
        if "no longer" in told and shared:
            return told
    return title


def _ended_body(body: str) -> str:
    """What is no longer so, told as what was in the sentences before."""
    match = _NO_LONGER.search(body)
    if match is None:
        return body
    before, stands = body[: match.start()], re.compile(rf"\b(?P<verb>is|are) (?={match['how']}\b)")
    return stands.sub(lambda found: "was " if found["verb"] == "is" else "were ", before) + body[match.start() :]


_HERE = re.compile(r"\b(?:this|the) (?:service|repo(?:sitory)?|project|codebase|package|app|module|firmware|library)\b")


def _draft(candidate: Candidate, topic: str, taken: frozenset[str], place: str, cues: Cues) -> Draft | None:
    title = name_candidate(candidate, topic, cues)
    if title in taken:  # one heading over two notes: the claim tells them apart
        title = claim_of(candidate, topic, cues) or title
    body = candidate.body
    if place and candidate.asked and candidate.asked.standing and _HERE.search(candidate.asked.text):
        body = body.replace("a standing instruction:", f"a standing instruction for {place}:", 1)
    if candidate.ending:
        title, body = in_past(title), in_past(body)
    if mended := tell_mended(candidate, title, cues):
        title, body = mended
    title = title_of_trouble(title, candidate.ending) or title
    title, body = _ended_title(title, body, cues), _ended_body(body)
    rule = candidate.asked is not None and candidate.asked.kind in ("limit", "wish")
    if not title or count_words(body) < (LEAST_RULE if rule else LEAST_WORDS):
        return None
    shelf = classify(candidate, title, cues)
    return Draft(
        title, body, shelf.namespace, shelf.tier, shelf.type, candidate.turns, (), shelf.importance, shelf.confidence
    )

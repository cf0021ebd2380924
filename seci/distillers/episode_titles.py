"""What a session was about: the title of its episode."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seci.core.session import Session
from seci.distillers.announced import says_little
from seci.distillers.assembly import content_words, stems
from seci.distillers.candidate import Candidate
from seci.distillers.deeds import DONE, Deed
from seci.distillers.language import Cues
from seci.distillers.naming import name_candidate, name_things, name_topic
from seci.distillers.openings import REPORTED, is_fault, is_vague
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.recounting import FIX
from seci.distillers.salience import NAMED
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.standing import cut_splice
from seci.distillers.titles import title_from_gist, title_from_heading, title_from_sentence
from seci.distillers.told import Told
from seci.distillers.topics import Topic

TELLING = 4  # words of four letters and more in an errand that may name a session
FIRST = 3  # exchanges in which the assistant says what it sets out to do
_CHOSEN = " chosen over "  # in the name of a choice between two things
NEAR = 3  # words that what was done shares with what the user came with
BEST = 4  # candidates of which one may name a session


@dataclass(frozen=True, slots=True)
class Name:
    """What a session is called. `fault` marks what was wrong when it began, `claim` what a note says as well."""

    text: str
    fault: bool = False
    claim: bool = False


def name_episode(
    session: Session,
    topics: Sequence[Topic],
    opening: Told | None,
    candidates: Sequence[Candidate],
    done: Sequence[Deed],
    cues: Cues,
    casing: Casing,
) -> Name:
    """The plan's title, the recorded one, what the user wanted or found wrong, what was done, or the best claim."""
    found = next(filter(lambda name: name.text, _names(session, topics, opening, candidates, done, cues, casing)), None)
    return replace(found, text=_plain(found.text)) if found else Name("")


def _names(
    session: Session,
    topics: Sequence[Topic],
    opening: Told | None,
    candidates: Sequence[Candidate],
    done: Sequence[Deed],
    cues: Cues,
    casing: Casing,
) -> Iterator[Name]:
    for topic in topics:
        if plan := plan_title(plan_text(topic.asked, cues)):
            yield Name(title_from_heading(plan))
    if session.title and _fits(session):
        yield Name(title_from_heading(session.title))
    if opening is not None and _is_finding(opening):
        yield Name(_name_finding(opening.gist, cues), not re.search(r"\bshould\b", opening.gist))
    if opening is not None and opening.kind == "statement" and not opening.text.startswith("The user "):
        yield Name(title_from_gist(cut_splice(opening.gist)))
    if opening is not None and opening.text.startswith(REPORTED):
        yield Name(title_from_gist(cut_splice(opening.gist)), True)
    decided = [name_candidate(c, "", cues) for c in candidates if c.asked and c.asked.kind == "decision"]
    yield from (Name(name) for name in decided if _CHOSEN in name)
    wanted = (
        title_from_gist(cut_splice(_FOR_ME.sub(r"\g<do> ", opening.gist)))
        if opening is not None and not opening.standing
        else ""
    )
    telling = opening is not None and len(content_words(opening.gist)) >= TELLING
    weak = opening is None or is_vague(opening) or says_little(opening, cues)
    if opening is not None and not opening.errand and telling and not weak:
        yield Name(wanted)
    yield from (Name(name) for name in decided if len(content_words(name)) >= TELLING)
    asks = opening is not None and opening.kind == "question"
    if opening is not None and asks and is_fault(opening.gist):
        yield Name(title_from_gist(_ASKS.sub("", opening.gist)), True)
    if telling and not weak:
        yield Name(wanted)
    if weak or not wanted:
        yield from map(Name, _name_deeds([deed for deed in done if _FIXES.match(deed.text)], opening, cues))
        yield from (Name(title_from_sentence(text, cues), True) for text in reversed(find_root(candidates)))
    yield Name(_name_intent(topics[:FIRST], cues))
    yield from (Name(name_topic(topic, cues, casing)) for topic in topics[:1] if weak or asks)
    if weak or not wanted:
        yield from map(Name, _name_deeds(done, opening, cues))
    if opening is not None and not opening.errand and not is_vague(opening):
        yield Name(wanted)
    best = sorted(candidates, key=lambda c: -c.score)[:BEST]
    yield from (Name(name_candidate(c, "", cues), claim=True) for c in best)
    yield Name(wanted)
    yield Name(name_things(" ".join(c.body for c in candidates)))


def find_root(candidates: Sequence[Candidate]) -> list[str]:
    """The sentences that say what was wrong."""
    return [one.unit.text for c in candidates for one in c.units if ROOT.match(one.unit.text) and not one.unit.listed]


ROOT = re.compile(r"The (?:\w+ )?(?:bug|issue|problem|cause|culprit) (?:is|was)\b")
_FOR_ME = re.compile(r"^(?P<do>\w+) (?:them|me|us) (?=(?:an?|the|some|more)\b)")  # "give me a list"


_MEANS = re.compile(r" by \w+ing .*$")
_FIXES = re.compile(rf"{DONE}(?:fixed|resolved|corrected) ")


def _name_deeds(done: Sequence[Deed], opening: Told | None, cues: Cues) -> Iterator[str]:
    """What was done as a title: what is nearest to what the user came with, else how things are since."""
    asked = stems(content_words(opening.text if opening else ""))
    near = {deed: len(asked & stems(content_words(deed.text.removeprefix(DONE)))) for deed in done if not deed.beside}
    for deed in sorted(near, key=lambda deed: -near[deed] if near[deed] >= NEAR else 0):
        title = title_from_sentence(_MEANS.sub("", deed.text), cues) if not FIX.match(deed.text) else ""
        named = NAMED.search(title) and ': "' not in deed.text and len(title.split()) >= TELLING
        if near[deed] >= NEAR or (named and (_FIXES.match(deed.text) or not deed.is_change or len(done) == 1)):
            yield title


# What a user asks for behind what they tell is wrong.
_ASKS = re.compile(
    r"[,.;]? (?:and )?(?:can|could|would|will) you\b.*$|[,.;]? (?:what is|what's|please|any idea)\b.*$", re.IGNORECASE
)


def _plain(wish: str) -> str:
    """A wish without the words that tie it to the talk before it."""
    return re.sub(r" then(?=,| and\b|$)| (?:instead|just)$", "", wish)


def _fits(session: Session) -> bool:
    """Whether a recorded title speaks of this session: tools have been seen to record another one's."""
    words = content_words(session.title or "")
    said = content_words(" ".join(turn.text for turn in session.turns))
    return bool(words) and len(words & said) >= 0.6 * len(words)


def _is_finding(opening: Told) -> bool:
    return opening.text.startswith("The user passed on a finding: ")


_BUT = re.compile(r",? but (?:then )?(?P<what>.+)$")
_PRONOUN = re.compile(r"(?:it|they) (?:(?:also|still|only) )*", re.IGNORECASE)


def _name_finding(gist: str, cues: Cues) -> str:
    """The claim of a finding: what stands after its "but", under the subject before it where only "it" is said."""
    match = _BUT.search(gist)
    if match is not None:
        claim = re.split(r", (?:so|which|and|meaning|causing)\b|;", match["what"])[0]
        pronoun = _PRONOUN.match(claim)
        subject = _subject_of(gist, cues) if pronoun else ""
        if pronoun and subject:
            claim = f"{subject} {claim[pronoun.end() :]}"
        if not pronoun or subject:
            claim = claim.strip(" .")
            if title := title_from_sentence(f"{claim}.", cues) or title_from_gist(claim):
                return title
    return title_from_gist(cut_splice(gist))


def _subject_of(claim: str, cues: Cues) -> str:
    """The words before the first verb of a claim; empty where none is known for one."""
    for match in re.finditer(r"(?<=\s)[a-z]\w+", claim):
        rest = claim[match.start() :]
        if cues.says("third_person_verbs", rest) or cues.finite.match(rest):
            return claim[: match.start()].rstrip()
    return ""


# "I'll help you implement the task hooks ...", "I'll work on X - moving ...".
_INTENT = re.compile(
    r"I(?:['’]ll| will) (?:now |first )?(?:help (?:you )?(?:with |to )?|work on )?(?P<what>[\w`][^:]{12,110})\.$"
)
_POINTS = re.compile(r"\b(?:this|these|those|it|them)\b")
_EXPLORES = re.compile(
    r"(?:read|look|check|start|begin|explore|search|run|find|investigate|review|see|use|update|launch|analy[sz]e|trace|"
    r"first|also|take|try|go|do|perform|verify|continue|need|create (?:a|the) (?:todo|task|plan))\b"
)


def _name_intent(topics: Sequence[Topic], cues: Cues) -> str:
    """What the assistant says it sets out to do, when that is more than reading and checking."""
    answers = [answer for topic in topics for answer in topic.answers[:2]]
    for sentence in [
        one for answer in answers for part in answer.text.split("\n\n")[:2] for one in split_sentences(part)
    ]:
        match = _INTENT.match(sentence)
        if (
            match is None
            or _EXPLORES.match(match["what"])
            or _POINTS.search(match["what"])
            or len(content_words(match["what"])) < TELLING
        ):
            continue
        if title := title_from_gist(match["what"].rstrip(".")):
            return title
    return ""

"""Which of a candidate's words name it: its heading, its best claim, the user's wish, or the topic it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import content_words
from seci.distillers.candidate import COMMANDS, Candidate
from seci.distillers.deed_sentences import STATE
from seci.distillers.general import is_general
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.outcomes import names_in
from seci.distillers.passages import Unit
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.requests import tell_user
from seci.distillers.salience import NAMED, narrates, says_why
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.standing import cut_splice
from seci.distillers.titles import (
    LIMIT,
    THING,
    WHOLE_LIMIT,
    lead_with_claim,
    names_something,
    title_from_gist,
    title_from_heading,
    title_from_parts,
    title_from_sentence,
)
from seci.distillers.told import PERSONAL
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change, is_report_heading, strip_openers

LEAST_CLAIM = -1.0  # points of a claim that is taken for a title
LAST_CLAIM = -2.0  # the same where nothing else names the note
TELLING = 4  # words of four letters and more in a request that names a note
THIN = 3  # words of a heading that name a note when nothing else does
TOP_LEVEL = 2  # of the headings that name a whole answer


def name_candidate(candidate: Candidate, topic: str, cues: Cues) -> str:
    """The title of a candidate, after the thing that the question named where it points at it; empty when nothing in it
    can be one."""
    title = lead_with_claim(_choose_name(candidate, topic, cues))
    about = candidate.about
    if not about or about in title or not title:
        return title
    if advised := _ADVISED.match(title):
        told = f"{advised['deed'].capitalize()} `{about}` was {advised['verb']}{advised['rest']}"
        if len(told) <= WHOLE_LIMIT:
            return told
    if (candidate.led or _DOES_IT.search(title)) and len(title) + len(about) + 4 <= WHOLE_LIMIT:
        return f"`{about}`: {title[0].lower()}{title[1:]}" if title.startswith("The ") else f"`{about}`: {title}"
    return title


def _choose_name(candidate: Candidate, topic: str, cues: Cues) -> str:
    named = bool(candidate.subject) and not is_general(candidate.subject)
    heading = title_from_heading(candidate.subject) if named else ""
    if heading and candidate.units and candidate.units[0].unit.role == COMMANDS:
        return heading
    asked = candidate.asked
    gist = title_from_gist(cut_splice(asked.gist)) if asked and not asked.errand else ""
    if asked and asked.kind == "request" and not names_something(gist):
        gist = ""  # "Add another option"
    if heading and cues.starts("imperative", heading):
        if since := _since(heading, candidate.ending, cues):
            return since
        if (
            topic
            and not NAMED.search(heading)
            and len(heading) + len(topic) + 2 <= LIMIT
            and _speaks_of(topic, heading)
        ):
            return f"{topic}: {heading[0].lower()}{heading[1:]}"
    if heading and not is_vague(heading) and (NAMED.search(heading) or _speaks_of(heading, candidate.body)):
        return heading
    if asked and not candidate.units and asked.kind in PERSONAL - {"limit"}:
        first = split_sentences(asked.text)[0]
        if title := title_from_sentence(first, cues):
            return title
    if not gist and asked and asked.standing:
        gist = title_from_parts(asked.gist)
    if gist and asked and (asked.kind in PERSONAL | {"decision"} or not candidate.units):
        return gist
    title = claim_of(candidate, topic, cues)
    if title and gist.startswith("Consider "):
        return title  # what a reviewer proposed says less than what came of it
    wanted = content_words(gist)
    beside = len(wanted) >= TELLING and not wanted & content_words(" ".join(s.unit.text for s in candidate.units))
    if title and named and _COMPARES.search(candidate.subject) and _speaks_of(heading, title):
        told = f"{heading}: {title[0].lower()}{title[1:]}"
        title = told if len(told) <= WHOLE_LIMIT else title
    if title and not beside:  # what is beside the request does not name it
        return title
    if _ASKS.search(heading):
        heading = ""
    if heading and topic and topic.lower() not in heading.lower() and len(heading) + len(topic) + 2 <= LIMIT:
        if _ROLE.fullmatch(heading):
            return topic
        titled = len(re.findall(r"\b[A-Z]", heading)) > 1
        return f"{topic}: {heading if titled else heading[0].lower() + heading[1:]}"
    thin = len(heading.split()) < THIN and not NAMED.search(heading)
    if thin or not _speaks_of(heading, candidate.body):
        heading = ""
    topic = topic if _speaks_of(topic, candidate.body) else ""
    last = claim_of(candidate, topic, cues, LAST_CLAIM)
    return ("" if _ASKS.search(gist) and last else gist) or heading or last or topic


def _since(heading: str, ending: str, cues: Cues) -> str:
    """What a step of a plan came to, where the report of it names the same thing and says how it is since."""
    title = title_from_sentence(ending, cues) if STATE.search(ending) else ""
    return title if names_in(title) & names_in(heading) else ""


def claim_of(candidate: Candidate, topic: str, cues: Cues, least: float = LEAST_CLAIM) -> str:
    """The claim among a candidate's sentences that names it best; empty when none can."""
    asked = candidate.asked
    _, stated, claim = (asked.text if asked else "").partition("The user said that ")
    said = [(Unit(claim, -1), 1.0)] if stated and not claim.startswith('"') else []
    lead = f"{candidate.subject}: " if candidate.subject and is_vague(candidate.subject) else ""
    told = (s for s in candidate.units if not (lead and s.unit.listed and s.unit.text.startswith(lead)))
    claims = [*said, *((scored.unit, scored.score) for scored in told)]
    return select_claim(claims, cues, least, f"{topic} {candidate.subject} {asked.gist if asked else ''}")


def select_claim(units: Sequence[tuple[Unit, float]], cues: Cues, least: float = LEAST_CLAIM, about: str = "") -> str:
    """The claim of `units` that names its subject best, whole or one of its main clauses; empty when none can.

    A claim speaks for a note when its words come back in the others and in `about`, what the note is about."""
    best, most = "", least
    troubled = any(cues.signal("failure", unit.text) or cues.signal("cause", unit.text) for unit, _ in units)
    for at, (unit, worth) in enumerate(units):
        others = content_words(" ".join([about, *(other.text for i, (other, _) in enumerate(units) if i != at)]))
        for clause in _listed_clauses(unit.text, cues) if unit.listed else _clauses(unit.text):
            title = title_from_sentence(clause, cues)
            subjectless = cues.says("third_person_verbs", title) and not cues.starts("imperative", title)
            if not title or subjectless:
                continue
            central = CENTRAL * min(len(content_words(title) & others), MOST_CENTRAL)
            points = score_claim(title, unit, worth, cues) + central
            points -= PART if clause != unit.text and len(unit.text) <= WHOLE_LIMIT + 1 else 0.0
            points -= HARMLESS if clause == unit.text and _before_but(title, unit.text) else 0.0
            points -= HARMLESS if troubled and _HARMLESS.search(title) else 0.0
            points -= OVERCOME if is_overcome(title, [other.text for other, _ in units[at + 1 :]]) else 0.0
            if points > most:
                best, most = title, points
    return best


def _before_but(title: str, sentence: str) -> bool:
    """Whether a title was cut off where the sentence comes to its point ("It copies the mails, but not ...")."""
    at = re.search(r"(?:,| [-–—]) but\b", sentence)
    return at is not None and len(title) <= at.start() + 1


def is_overcome(claim: str, following: Sequence[str]) -> bool:
    """Whether a sentence after a claim says of the same things that it is so no longer."""
    mine = set(_WORDS.findall(claim.lower()))
    return any(
        _NO_LONGER.search(text) and len(mine.intersection(_WORDS.findall(text.lower()))) >= SHARED for text in following
    )


_NO_LONGER = re.compile(r"\b(?:no longer|not (?:\w+ )?any ?more|ha(?:s|ve) been (?:removed|fixed|replaced))\b")
_HARMLESS = re.compile(r"\b(?:correctly|properly|successfully|as expected|works? (?:fine|well|now))\b", re.IGNORECASE)
PART = 1.2  # points that a clause loses where the sentence is short enough for a title
HANGS = 1.5  # points that a claim loses beside, which names what is taken and not what it is taken for
HARMLESS = 2.0  # points that what works loses where the note tells of trouble, and what stands before "but"
INTRODUCES = 2.0  # points that a claim loses which only introduces a piece of code
OVERCOME = 2.0  # points that a claim loses which a later sentence of the note ends
SHARED = 3  # words of such two sentences
_WORDS = re.compile(r"(?!the|and|not|for|was|are|its?\b)[a-z]{3,}")
CENTRAL = 0.3  # points for each word of a claim that comes back in what else the note says
MOST_CENTRAL = 3


# A pronoun before anything that it could stand for, or one that no title should have.
_LEFT_BEHIND = re.compile(
    r"^(?:\S+ ){0,4}(?:it|they|them|its|their)\b|\b(?:we|you|your|our|I|one)\b|\b(?:it|they|them)$", re.IGNORECASE
)


def _clauses(sentence: str) -> list[str]:
    """The sentence, and those of its clauses that can stand as a claim of their own; what stands before a colon
    announces and claims nothing."""
    found = [sentence]
    start = 0
    text = sentence.rstrip(".")
    for match in [*_JOINT.finditer(text), None]:
        end = match.start() if match else len(text)
        announces = match is not None and match[0] == ": "
        if announces and _PROPOSES.search(text[start:end]):
            break  # what stands after "we could" is not claimed either
        part = text[start:end]
        if part != text and len(part.split()) >= 5 and not announces and not re.match(r"\w+, ", part):
            found.append(part)
        start = match.end() if match else end
    return found


def _listed_clauses(sentence: str, cues: Cues) -> list[str]:
    """A list told in one sentence, and its lead with each item that only lacks a subject ("The label: cuts ...")."""
    lead, colon, items = sentence.rstrip(".").partition(": ")
    found = [sentence]
    if colon and not cues.finite.search(lead):
        subject = re.sub(r"(?: now)$", "", lead)
        parts = [re.sub(r"^and ", "", part) for part in re.split(r"[;,] (?=and |\w+s )|; ", items)]
        told = (p for p in parts if p.partition(" ")[0].endswith("s") and cues.says("third_person_verbs", p))
        found.extend(f"{subject} {part}" for part in told)
    return found


_PROPOSES = re.compile(r"\b(?:could|might|would)\b(?!n)", re.IGNORECASE)
_JOINT = re.compile(r"; | because | — | – |: |, but (?=the |an? |no |`)")


def score_claim(title: str, unit: Unit, worth: float, cues: Cues) -> float:
    """Points of a title: it names its subject early, says a cause or a rule, and points at nothing left behind."""
    points = 0.25 * worth
    words = title.split()
    named = THING.search(title)
    points += 0.8 if named else 0.0
    points += 0.6 if named and named.start() < 24 else 0.0
    points += 0.5 if any(cues.signal(name, title) for name in ("cause", "rule", "instead")) else 0.0
    if cues.signal("choice", title):
        points += 2.0 if says_why(unit.text, cues) else 0.5
    points += 0.8 if _CONCLUDES.match(unit.text) else 0.0
    points -= 0.8 if cues.signal("hedge", title) else 0.0
    points -= 2.4 if cues.starts("unnamed", title) else 0.0
    points -= 3.0 if re.search(r"\b(?:this|these|those)\b", title, re.IGNORECASE) else 0.0
    points -= 1.2 if _LEFT_BEHIND.search(title) else 0.0
    points -= 3.0 if re.search(r"\bthe change\b|^\w+ed:", title, re.IGNORECASE) else 0.0
    points -= 1.5 if re.search(r"\bthe same\b|\bhere\b", title, re.IGNORECASE) else 0.0
    points -= 1.5 if _DOES_IT.search(title) else 0.0
    points -= 2.0 if re.search(r"\balready (?:has|have|does|do|imports?|uses?|exists?|knows?)\b", title) else 0.0
    points -= 1.0 if is_change(unit.text) else 0.0
    points -= 0.6 if unit.leans else 0.0
    points -= INTRODUCES if unit.shows else 0.0
    points -= 1.5 if is_general(title) else 0.0
    points -= 0.6 if cues.starts("imperative", title) else 0.0
    points -= 2.5 if cues.starts("no_subject", title) else 0.0
    points -= 1.5 if narrates(title) or _HANGS.search(title) else 0.0
    points -= HANGS if title.endswith(" instead") else 0.0
    points -= 1.5 if _SUPPOSES.search(title) else 0.0
    points -= 0.7 if len(words) < 6 else 0.0
    points -= 0.5 if unit.listed else 0.0
    return points


_ADVISED = re.compile(r"^The assistant (?P<verb>\w+ed) (?P<deed>\w+ing) it\b(?P<rest>.*)$")
# What is done to something that stands elsewhere ("keeping it").
_DOES_IT = re.compile(r"^(?:\S+ ){0,4}\w+ing (?:it|them)\b")
# A comparison with what is left unsaid, and what is only supposed.
_HANGS = re.compile(r"\b(?:instead|anyway|though|either|too|as well)$", re.IGNORECASE)
_SUPPOSES = re.compile(r"\bwould\b")
# A sentence that says what is to be done about it.
_CONCLUDES = re.compile(r"^the (?:[\w-]+ )?(?:fix|solution|approach|answer|remedy|goal) (?:is|was) to\b", re.IGNORECASE)


def _speaks_of(heading: str, body: str) -> bool:
    """Whether the heading shares a word with what stands under it; one that does not only comments on it."""
    theirs = {word[:5] for word in content_words(body)}
    return any(word[:5] in theirs for word in content_words(heading))


def name_things(text: str) -> str:
    """The things that a text names, as a title of last resort ("`resume` and `HasUncommittedChanges()`")."""
    names = list(dict.fromkeys(match for match in NAMED.findall(text) if 2 < len(match) <= 36 and " " not in match))
    counted = sorted(names, key=lambda name: (-text.count(name), text.index(name)))[:2]
    return " and ".join(sorted(counted, key=text.index)) if len(counted) == 2 else ""


def name_topic(topic: Topic, cues: Cues, casing: Casing) -> str:
    """A short name for what an exchange is about; empty when nothing names it."""
    plan = plan_title(plan_text(topic.asked, cues))
    names = [title_from_heading(plan)] if plan else []
    for turn in reversed(topic.answers):
        for block in parse_blocks(turn.text):
            if block.kind != "heading" or block.level > TOP_LEVEL:
                continue
            heading = title_from_heading(strip_openers(block.text, cues))
            if heading and not is_vague(heading) and not cues.generic_heading.fullmatch(block.text):
                names.append(heading)
    if topic.asked is not None and not plan:
        wishes = (title_from_gist(one.gist) for one in tell_user(topic.asked.text, cues, casing) if not one.errand)
        names.extend(wish for wish in wishes if names_something(wish))
    return next((name for name in names if name), "")


# A heading that says what kind of thing stands under it.
_ROLE = re.compile(
    r"(?:\w+ )?(?:behaviou?r|overview|design|architecture|implementation|approach|logic|details|requirements|changes)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?$|^(?:why|what|who|where|when)\b", re.IGNORECASE)


_COMPARES = re.compile(r"\b(?:vs\.?|versus|or|compared (?:to|with))\b", re.IGNORECASE)


def is_vague(heading: str) -> bool:
    """A heading that could stand over anything ("Critical issues"), that asks, supposes or compares, or that tells
    what was done ("Fixed the warning")."""
    if is_report_heading(heading) or any(p.search(heading) for p in (_ASKS, _PROPOSES, _COMPARES)):
        return True
    return len(heading.split()) <= 4 and not NAMED.search(heading) and ":" not in heading

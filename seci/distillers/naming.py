"""Which of a candidate's words name it: its heading, its best claim, the user's wish, or the topic it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import content_words
from seci.distillers.candidates import COMMANDS, Candidate
from seci.distillers.language import Cues
from seci.distillers.passages import Unit
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.requests import PERSONAL, tell_user
from seci.distillers.salience import NAMED
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.standing import cut_splice
from seci.distillers.titles import LIMIT, title_from_gist, title_from_heading, title_from_parts, title_from_sentence
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change, is_report_heading, strip_openers

LEAST_CLAIM = -1.0  # points of a claim that is taken for a title
LAST_CLAIM = -2.4  # the same where nothing else names the note
_TOP_HEADING = re.compile(r"^#{1,2}\s+(.{4,80}?)\s*#*$", re.MULTILINE)


def name_candidate(candidate: Candidate, topic: str, cues: Cues) -> str:
    """The title of a candidate; empty when nothing in it can be one."""
    heading = title_from_heading(candidate.subject) if candidate.subject else ""
    if heading and candidate.units and candidate.units[0].unit.role == COMMANDS:
        return heading
    asked = candidate.asked
    gist = title_from_gist(cut_splice(asked.gist)) if asked and not asked.errand else ""
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
    _, stated, claim = (asked.text if asked else "").partition("The user said that ")
    said = [(Unit(claim, -1), 1.0)] if stated and not claim.startswith('"') else []
    if title := select_claim([*said, *((scored.unit, scored.score) for scored in candidate.units)], cues):
        return title
    if heading and topic and topic.lower() not in heading.lower() and len(heading) + len(topic) + 2 <= LIMIT:
        return f"{topic}: {heading[0].lower()}{heading[1:]}"
    heading = "" if heading.endswith("?") else heading
    spare = select_claim([(scored.unit, scored.score) for scored in candidate.units], cues, LAST_CLAIM)
    return gist or heading or spare or name_things(candidate.body) or topic


def select_claim(units: Sequence[tuple[Unit, float]], cues: Cues, least: float = LEAST_CLAIM) -> str:
    """The claim of `units` that names its subject best, whole or one of its main clauses; empty when none can."""
    best, most = "", least
    for unit, worth in units:
        for clause in _clauses(unit.text):
            title = title_from_sentence(clause, cues)
            if title and (points := score_claim(title, unit, worth, cues)) > most:
                best, most = title, points
    return best


THING = re.compile(r"`[^`]+`|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+_[a-z_]+\b")  # what is named in code
# A pronoun before anything that it could stand for, or one that no title should have.
_LEFT_BEHIND = re.compile(
    r"^(?:\S+ ){0,3}(?:it|they|them|its|their)\b|\b(?:we|you|your|our|I|one)\b|\b(?:it|they|them)$", re.IGNORECASE
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
        part = text[start:end]
        if part != text and len(part.split()) >= 5 and not announces:
            found.append(part)
        start = match.end() if match else end
    return found


_JOINT = re.compile(r"; | because | — | – |: ")


def score_claim(title: str, unit: Unit, worth: float, cues: Cues) -> float:
    """Points of a title: it names its subject early, says a cause or a rule, and points at nothing left behind."""
    points = 0.25 * worth
    words = title.split()
    named = THING.search(title)
    points += 0.8 if named else 0.0
    points += 0.6 if named and named.start() < 24 else 0.0
    points += 0.5 if any(cues.signal(name, title) for name in ("cause", "rule", "instead")) else 0.0
    points -= 0.8 if cues.signal("hedge", title) else 0.0
    points -= 2.4 if cues.starts("unnamed", title) else 0.0
    points -= 3.0 if re.search(r"\b(?:this|these|those)\b", title, re.IGNORECASE) else 0.0
    points -= 1.2 if _LEFT_BEHIND.search(title) else 0.0
    points -= 3.0 if re.search(r"\bthe change\b|^\w+ed:", title, re.IGNORECASE) else 0.0
    points -= 1.5 if re.search(r"\bthe same\b", title, re.IGNORECASE) else 0.0
    points -= 1.0 if is_change(unit.text) else 0.0
    points -= 0.6 if unit.leans else 0.0
    points -= 0.6 if cues.starts("imperative", title) else 0.0
    points -= 2.5 if cues.starts("no_subject", title) else 0.0
    points -= 0.7 if len(words) < 6 else 0.0
    points -= 0.5 if unit.listed else 0.0
    return points


def _speaks_of(heading: str, body: str) -> bool:
    """Whether the heading shares a word with what stands under it; one that does not only comments on it."""
    theirs = {word[:5] for word in content_words(body)}
    return any(word[:5] in theirs for word in content_words(heading))


def name_things(text: str) -> str:
    """The things that a text names, as a title of last resort ("`resume` and `HasUncommittedChanges()`")."""
    names = list(dict.fromkeys(match for match in NAMED.findall(text) if 2 < len(match) <= 36))
    if not names:
        return ""
    counted = sorted(names, key=lambda name: (-text.count(name), text.index(name)))[:2]
    return " and ".join(sorted(counted, key=text.index))


def name_topic(topic: Topic, cues: Cues, casing: Casing) -> str:
    """A short name for what an exchange is about; empty when nothing names it."""
    plan = plan_title(plan_text(topic.asked, cues))
    names = [title_from_heading(plan)] if plan else []
    for turn in reversed(topic.answers):
        for match in _TOP_HEADING.finditer(turn.text):
            heading = title_from_heading(strip_openers(match[1].replace("*", ""), cues))
            if heading and not is_vague(heading) and not cues.generic_heading.fullmatch(match[1]):
                names.append(heading)
    if topic.asked is not None and not plan:
        names.extend(title_from_gist(one.gist) for one in tell_user(topic.asked.text, cues, casing) if not one.errand)
    return next((name for name in names if name), "")


def is_vague(heading: str) -> bool:
    """A heading that could stand over anything ("Critical issues") or tells what was done ("Fixed the warning")."""
    if is_report_heading(heading) or heading.endswith("?"):
        return True
    return len(heading.split()) <= 4 and not NAMED.search(heading) and ":" not in heading

"""Which of a candidate's words name it: its heading, its best claim, the user's wish, or the topic it belongs to."""

from __future__ import annotations

import re

from seci.distillers.candidates import Candidate, Topic
from seci.distillers.language import Cues
from seci.distillers.plans import plan_text, plan_title
from seci.distillers.requests import PERSONAL, tell_user
from seci.distillers.salience import NAMED
from seci.distillers.sentences import Casing, split_sentences
from seci.distillers.titles import LIMIT, title_from_gist, title_from_heading, title_from_sentence
from seci.distillers.voice import is_change, is_report_heading, strip_openers

_TOP_HEADING = re.compile(r"^#{1,2}\s+(.{4,80}?)\s*#*$", re.MULTILINE)


def name_candidate(candidate: Candidate, topic: str, cues: Cues) -> str:
    """The title of a candidate; empty when nothing in it can be one."""
    heading = title_from_heading(candidate.subject) if candidate.subject else ""
    asked = candidate.asked
    gist = title_from_gist(asked.gist) if asked and not asked.errand else ""
    if heading and not is_vague(heading):
        return heading
    if asked and not candidate.units and asked.kind in PERSONAL - {"limit"}:
        first = split_sentences(asked.text)[0]
        if title := title_from_sentence(first, cues):
            return title
    if gist and asked and (not candidate.units or asked.kind in PERSONAL | {"decision"}):
        return gist
    ranked = sorted(candidate.units, key=lambda s: (is_change(s.unit.text), s.unit.leans, s.unit.listed, -s.score))
    claims = [title_from_sentence(scored.unit.text, cues) for scored in ranked]
    claims = [claim for claim in claims if claim]
    if claims:  # one that names something before one that does not
        return next((claim for claim in claims if NAMED.search(claim)), claims[0])
    if heading and topic and topic.lower() not in heading.lower() and len(heading) + len(topic) + 2 <= LIMIT:
        return f"{topic}: {heading[0].lower()}{heading[1:]}"
    return gist or heading or topic


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
    if is_report_heading(heading):
        return True
    return len(heading.split()) <= 4 and not NAMED.search(heading) and ":" not in heading

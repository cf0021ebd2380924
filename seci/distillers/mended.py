"""Notes on a fault that was mended: nobody may take what was for what is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import content_words, shared_stems, stems
from seci.distillers.candidate import Candidate
from seci.distillers.deed_sentences import STATE
from seci.distillers.deeds import DONE, Deed, is_beside
from seci.distillers.general import is_general
from seci.distillers.language import Cues
from seci.distillers.outcomes import names_in
from seci.distillers.passages import Unit
from seci.distillers.past import is_verb, tell_past
from seci.distillers.salience import NAMED
from seci.distillers.sentences import hide_code
from seci.distillers.titles import WHOLE_LIMIT, shorten_claim, title_from_sentence
from seci.distillers.voice import is_change

FIXED = "Fixed: "
SAID = 0.8  # of the words of a title that a fault tells
NAMING = 3  # content words by which a report says what was fixed
ENDED = 0.5  # of the words of what is told gone

_FAULT = re.compile(
    r"n't\b|\b(?:not(?! (?:just|only))|never|nothing|cannot|without|but|only|still|even (?:if|though|when)|silently|"
    r"unconditionally|always|early|instead of|rather than|inconsistent|mismatch|missing|lacks?|ignores?|hard-?coded|"
    r"wrong|too|inaccurate|unused|outdated|duplicated?|undefined|unnecessar(?:y|ily)|unbounded|visible)\b",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"\b(?:should|could|needs?|must|makes (?:\w+ )?sense|ought)\b|"
    r"\b(?:fix|solution|approach|change|plan) (?:is|would be) to\b",
    re.IGNORECASE,
)
# What should be done, without a reason.
_SHOULD = re.compile(
    r"(?:We|You|I|The [\w -]+?|The (?:[\w ]+ )?`[^`]+`(?: \w+)?) (?:should|need to|needs to|must)\b"
    r"(?!.*\b(?:because|since|so that|otherwise|to (?:avoid|prevent|ensure))\b)"
)
_BECAUSE = re.compile(r" (?:because|since) ")
_MADE = re.compile(r"The (?:\w+ )?(?:fix|change|patch|solution) was to\b")
_PROPOSED = re.compile(r"The proposed \w+ is to\b")
_REMOVED = re.compile(rf"{DONE}(?:removed|dropped|deleted)\b")
# What only makes a fault visible.
_WATCHES = re.compile(r"\b(?:debug|warning|error)?[- ]?log(?:s|ging|ged)?\b|\bwarnings?\b", re.IGNORECASE)
_SILENT = re.compile(r"\bsilent(?:ly)?\b|\bvisib|\bno (?:log|trace|error|warning)", re.IGNORECASE)
# A name that stands alone as the subject: a tool, which no change here mends.
_FOREIGN = re.compile(
    r"(?!(?:The|An?|This|These|Those|That|It|There|When|If|In|On|For|All|Both|Each|Every|No|Only|Even|Some|Any)\b)"
    r"[A-Z][a-z]+(?:[ -][A-Z]?[a-z]+)?(?:['\u2019]s)? (?:\w+ly )?(?P<verb>is|was|has|\w+n't|does|\w+s) "
)
_FIXED = re.compile(rf"{DONE}(?:fixed|resolved|corrected) (?P<what>.+)$")
_BUG = re.compile(rf"{DONE}(?:fixed|resolved|corrected) (?:an?|the) (?:bug|issue|problem) (?:where|in which|that) ")
_FINE = re.compile(
    r"\b(?:fine|safe|acceptable|okay|expected|intentional|intended|correct|by design)\b|→", re.IGNORECASE
)
_TROUBLE = re.compile(r"\b(?:issues?|problems?|bugs?|risks?)\b", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:moved|removed|replaced|no longer|instead of|rather than)\b")
_WAS = re.compile(r"\b(?:was|were|had|did)\b|n't\b")


def tell_mended(candidate: Candidate, title: str, cues: Cues) -> tuple[str, str] | None:
    """(title, body) of a candidate that tells of a fault and of what mended it; None where it does not."""
    units = [scored.unit for scored in candidate.units]
    faults, deed = _find(units, candidate.ending, cues)
    if not faults or not title:
        return None
    past = {fault: _in_past(fault, cues) for fault in faults}
    kept = [unit for at, unit in enumerate(units) if not _is_carried_out(units[at : at + 2])]
    texts = [unit.text for unit in kept]
    if all(past.values()):
        texts = [past.get(text, text) for text in texts]
    else:
        first = texts.index(faults[0])
        texts[first] = f"Fixed since: {_after_colon(texts[first])}"
    asked = [candidate.asked.text] if candidate.asked else []
    ending = [candidate.ending] if candidate.ending else []
    done = [*(unit.text for unit in units if unit not in kept), *([deed] if _MADE.match(deed) else [])]
    if _PROPOSES.search(title) or _said_by(title, done):
        named = (title_from_sentence(fault, cues) for fault in faults)
        title = next((one for one in named if one and _sounds_wrong(one, cues)), title)
    return _title(title, faults, deed, cues), " ".join([*asked, *texts, *ending])


def _in_past(fault: str, cues: Cues) -> str:
    """A fault in the past, but what only explains it; empty where that cannot be told."""
    because = _BECAUSE.search(fault)
    if because and not _sounds_wrong(fault[because.end() :], cues):
        effect = fault[: because.start()]
        past = tell_past(effect)
        if past != effect:
            return past and past + fault[because.start() :]
    return tell_past(fault) or (fault if _WAS.search(fault) else "")


def _is_carried_out(units: Sequence[Unit]) -> bool:
    """Whether the first unit says no more than what should be done, which the report tells, and nothing leans on it."""
    return bool(_SHOULD.match(units[0].text)) and not any(unit.leans for unit in units[1:])


def _said_by(title: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts says what a title does."""
    mine = content_words(title)
    return any(len(mine & content_words(text)) >= SAID * len(mine) for text in texts)


def _find(units: Sequence[Unit], ending: str, cues: Cues) -> tuple[list[str], str]:
    """(the sentences that tell a fault, what mended it); empty where nothing did."""
    deeds = [(at, unit.text) for at, unit in enumerate(units) if at and _mends(unit.text) and _reports(unit.text)]
    deeds += [(len(units), ending)] if ending and _mends(ending) else []
    for at, deed in deeds:
        all_done = " ".join(text for _, text in deeds)
        if faults := _faults(units[:at], all_done, cues):
            return faults, deed
    return [], ""


def _mends(text: str) -> bool:
    """Whether a report says what was done rather than what would be right, and not only to tests and comments."""
    deed = Deed(text, -1)
    if _MADE.match(text):
        return True
    return not deed.proposed and not _PROPOSED.match(text) and not (is_beside(text) and deed.is_change)


def _reports(text: str) -> bool:
    """Whether a sentence says what was done, or how it is since."""
    return is_change(text) or bool(_MADE.match(text) or STATE.search(hide_code(text)))


def _faults(units: Sequence[Unit], deeds: str, cues: Cues) -> list[str]:
    """The sentences that tell what was wrong, with those that lean on them."""
    if _REMOVED.match(deeds) and any(name in deeds for unit in units for name in NAMED.findall(unit.text)):
        return []  # they say why it had to go
    if _WATCHES.search(deeds) and not any(_SILENT.search(unit.text) for unit in units):
        return []
    found: list[str] = []
    led = False
    for at, unit in enumerate(units):
        led = _may_be_fault(unit) and (_is_fault(unit.text, deeds, cues) or (led and unit.leans))
        if led and unit.leans and at and units[at - 1].text not in found and _may_be_fault(units[at - 1]):
            found.append(units[at - 1].text)
        if led:
            found.append(unit.text)
    plain = hide_code(deeds.replace(DONE, ""))
    near = bool(_MADE.match(deeds)) or any(
        names_in(fault) & names_in(deeds) or len(shared_stems(fault, plain)) >= NAMING for fault in found
    )
    return found if near else []


def _may_be_fault(unit: Unit) -> bool:
    """Whether a sentence tells of the project, and neither proposes nor approves nor says how it is since."""
    text = unit.text
    if unit.listed or is_general(text) or _is_foreign(text):
        return False
    return not any(pattern.search(text) for pattern in (_PROPOSES, _FINE, STATE))


def _is_fault(text: str, deeds: str, cues: Cues) -> bool:
    if _ENDED.search(deeds) and len(shared_stems(text, deeds)) >= ENDED * len(stems(content_words(text))):
        return True
    return _sounds_wrong(text, cues)


def _is_foreign(text: str) -> bool:
    match = _FOREIGN.match(text)
    return match is not None and (not match["verb"].endswith("s") or is_verb(match["verb"]))


def _sounds_wrong(text: str, cues: Cues) -> bool:
    plain = re.sub(r"`[^`]*`|\([^()]*\)", "x", text)
    return bool(_FAULT.search(plain)) or cues.signal("failure", plain)


def _title(title: str, faults: Sequence[str], deed: str, cues: Cues) -> str:
    """What was mended: how it is since, else the fault as what was fixed; the title itself where it tells no fault."""
    if _said_by(title, [fault[because.end() :] for fault in faults if (because := _BECAUSE.search(fault))]):
        return title  # the cause, which may hold on
    told = _said_by(title, faults)
    wrong = _sounds_wrong(title, cues)
    if STATE.search(title) or not (told or (wrong and len(shared_stems(title, deed.removeprefix(DONE))) >= NAMING)):
        return title
    since = title_from_sentence(deed, cues) if STATE.search(deed) else ""
    if since and NAMED.search(since) and not cues.starts("unnamed", since):
        return since
    if (bug := _BUG.match(deed)) and (short := _short(deed[bug.end() :])):
        return f"{FIXED}{short}"
    past = tell_past(title)
    if not wrong and (named := _fixed_title(deed)):
        return named
    if past and (not wrong or (past == title and not _WAS.search(title))):
        return past  # nobody takes it for the present
    return f"{FIXED}{_after_colon(past or title)}"


def title_of_trouble(title: str, deed: str) -> str:
    """A heading over trouble ("Potential issues with URLs"), named by the report that it was fixed where there is one;
    empty for another title."""
    return _fixed_title(deed) if _TROUBLE.search(title) else ""


def _fixed_title(deed: str) -> str:
    match = _FIXED.match(deed)
    short = _short(match["what"]) if match else ""
    return f"Fixed {short}" if len(content_words(short)) >= NAMING else ""


def _short(what: str) -> str:
    """What was fixed in the room that a title has for it, as it began."""
    what = what.rstrip(".")
    short = what if len(what) < WHOLE_LIMIT - len(FIXED) else shorten_claim(what)
    return what[0] + short[1:] if short else ""


def _after_colon(text: str) -> str:
    """The text with a small letter where it begins with a common word."""
    return text[0].lower() + text[1:] if _COMMON.match(text) else text


_COMMON = re.compile(
    r"(?:The|An?|When|If|This|These|Those|In|On|For|Since|Both|All|Each|Every|Unlike|There|It|Even|No|Any|Some|Most|"
    r"Other|Only|After|Before|While|With|Without)\b"
)

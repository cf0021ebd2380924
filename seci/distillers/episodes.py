"""The episode of a session: what the user came with, what was found or decided, how it ended, in whole sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.distillers.assembly import Scored, content_words, overlap, stems
from seci.distillers.candidate import COMMANDS, Candidate
from seci.distillers.deeds import DONE, Deed
from seci.distillers.echoes import takes_over
from seci.distillers.edits import read_edits, tell_state
from seci.distillers.episode_titles import ROOT, name_episode
from seci.distillers.heads import shorten_deed
from seci.distillers.language import Cues
from seci.distillers.left_open import tell_open
from seci.distillers.mended import FIXED
from seci.distillers.openings import PASSED_ON, is_fault, tell_closing, tell_opening, tell_turning
from seci.distillers.outcomes import ends_problem, in_past
from seci.distillers.passages import Unit
from seci.distillers.past import tell_past
from seci.distillers.plan_purpose import tell_plan_cause
from seci.distillers.recounting import FIX, drop_planned, fit_deeds, join_deeds, says_again, select_deeds
from seci.distillers.reports import Report
from seci.distillers.salience import is_passing, is_substantive, says_why
from seci.distillers.sentences import Casing, count_words, split_sentences
from seci.distillers.titles import title_from_sentence
from seci.distillers.told import Told
from seci.distillers.topics import Topic
from seci.distillers.verified import is_measured, tell_verified
from seci.distillers.voice import is_change

LEAD = "Session: "  # of the title
CLAIMED = "Acted on the claim: "  # before a fault that nothing in the session shows
TAKEN_OVER = "The user passed on a claim that the answer took as it was: "
WORDS = 78
LEAST = 16  # words; an episode of the user's words alone needs LEAST_TOLD
LEAST_TOLD = 18
TOLD_WORDS = 40  # of a sentence in an episode without an outcome
STEP_WORDS = 30  # of one in an episode with one
LISTED_WORDS = 26  # of a list told in one, which makes a poor step of a story
REASON_WORDS = 36  # of a sentence and the one that gives its reason
NEARNESS = 0.4  # points for each word that a sentence shares with what was asked and done
LATER = 1.0  # points of what was found after the last thing done
WHY = 0.8  # points of a cause or a reason
CAUSE = 1.5  # points of a sentence that says what was wrong
KNOWN = 0.8  # points that a sentence costs which a note of the session says word for word
FINDINGS = 3  # sentences of an episode without an outcome
LONG = 32  # words of an opening beside which what was done comes before what was found
SHORT = 50  # words of a story that has room for a second finding beside its outcome
SAME_FAULT = 0.7  # of the words of two titles of one fault
NEAR = 2  # words that a finding shares with the rest of the story


@dataclass(frozen=True, slots=True)
class _Scene:
    """What a finding is weighed by: the words of the story so far, the sentences that notes tell, and whether the user
    came with something that was wrong."""

    about: frozenset[str]
    known: frozenset[str]
    troubled: bool

    def tell(self, unit: Unit, done: Sequence[Deed]) -> str:
        """A finding as it is told beside what was done: a fault that was mended as what was."""
        past = tell_past(unit.text)
        mended = any(not deed.proposed for deed in done) and unit.turn <= _ended(done) and ROOT.match(unit.text)
        if past and (mended or past in self.known):
            return past
        return in_past(unit.text) if done else unit.text


@dataclass(slots=True)
class _Story:
    """The parts of an episode while it is put together: (place, turn, text), told in the order of the places."""

    parts: list[tuple[float, int, str]] = field(default_factory=list)

    @property
    def words(self) -> int:
        return sum(count_words(text) for _, _, text in self.parts)

    @property
    def text(self) -> str:
        return " ".join(text for _, _, text in sorted(self.parts))

    def add(self, place: float, turn: int, text: str) -> bool:
        """Whether the part was taken: it fits and says something new."""
        new = not says_again(text, (told for _, _, told in self.parts))
        if new and self.words + count_words(text) <= WORDS:
            self.parts.append((place, turn, text))
            return True
        return False


def draft_episode(
    session: Session,
    topics: Sequence[Topic],
    candidates: Sequence[Candidate],
    reports: Sequence[Report],
    notes: Sequence[Draft],
    cues: Cues,
    casing: Casing,
) -> Draft | None:
    """One episode note about `topics`; None when they hold nothing that can be told."""
    opening = tell_opening(topics, cues, casing)
    claimed = _is_claimed(opening, topics, candidates, cues)
    edits = read_edits(topics)
    reports = drop_planned(reports, topics, cues)
    left = tell_open(topics, cues)
    if left is None:
        candidates = [tell_state(candidate, edits) for candidate in candidates]
    wish = opening[1] if opening else None
    story = _Story()
    if opening is not None:
        told_first = opening[1].text
        story.add(-1, opening[0], told_first.replace(PASSED_ON, TAKEN_OVER, 1) if claimed else told_first)
        if wish is not None and wish.kind == "plan" and (cause := tell_plan_cause(topics, cues)) is not None:
            story.add(-0.5, cause[0], cause[1])
    if opening is not None and _is_bare(opening[0], topics, candidates):
        turning = tell_turning(topics, opening, reports, cues, casing)
        if turning is not None and story.add(-0.5, turning[0], _THEN.sub("Then they asked", turning[1].text)):
            wish = turning[1]
    opened = story.words
    known = frozenset(sentence for note in notes for sentence in split_sentences(note.body))
    topic = name_episode(session, topics, wish, candidates, (), cues, casing).text
    done = select_deeds(reports, story.text, f"{topic} {story.text}", cues)
    name = name_episode(session, topics, wish, candidates, done, cues, casing)
    room = WORDS - (count_words(left[1]) if left else 0)
    about = stems(content_words(f"{topic} {story.text} {join_deeds(done[:1])}"))
    scene = _Scene(about, known, wish is not None and is_fault(wish.text))
    checked = tell_verified(topics, max((report.order for report in reports), default=-1)) if done else None
    if checked is not None and (is_measured(checked[1]) or (wish is not None and _CHECKED.search(wish.text))):
        room -= count_words(checked[1])  # it is what the user came for
    reported = frozenset(report.order for report in reports if not report.deed.beside)
    closing = tell_closing(topics, opening[0] if opening else -1, reported, cues, casing)
    wrong = closing is not None and is_fault(closing[1].text)  # which was found since
    spare = room - (count_words(closing[1].text) if closing is not None and wrong else 0)
    findings = _findings(candidates, scene, done, cues)
    least = [shorten_deed(deed).words for deed in done]
    _tell_findings(story, _decisions(candidates), scene, 1, spare - sum(least[:1]), done[:1])
    if opened <= LONG:  # else the room is left to what was done
        sure = [at for at, deed in enumerate(done[:2]) if at == 0 or ends_problem(deed)]
        _tell_findings(story, findings, scene, 1, spare - sum(least[at] for at in sure), [done[at] for at in sure])
    found = [text for place, _, text in story.parts if place >= 0]
    fresh = [deed for at, deed in enumerate(done) if at == 0 or not says_again(deed.text, found)]
    told = fit_deeds(fresh, reports, room - story.words)
    if left is None:  # else nothing says that it was accepted
        told = [replace(deed, text=edits.state(deed.text, deed.turn)) for deed in told]
    if told:
        ended = max(deed.turn for deed in told)
        story.parts.append((_AFTER + ended, ended, join_deeds(told)))
    if closing is not None and story.words + count_words(closing[1].text) <= room:
        if wrong and checked is not None and closing[0] > checked[0]:
            checked = None  # all was well only before
        taken = story.add(_AFTER + closing[0], closing[0], closing[1].text)
        if wrong and not taken and closing[1].text not in story.text:  # it is told in the words of what was asked
            story.parts.append((_AFTER + closing[0], closing[0], closing[1].text))
    if not told or story.words < SHORT:
        scene = replace(scene, about=about | stems(content_words(join_deeds(told))))
        findings = _findings(candidates, scene, told, cues)
        _tell_findings(story, findings, scene, 1 if told else FINDINGS - 1, room, told)
    if left is not None:
        story.add(2 * _AFTER, left[0], left[1])
    if told and checked is not None:
        story.add(1.5 * _AFTER, checked[0], checked[1])
    told_only = story.words == opened
    if story.words < LEAST or (told_only and story.words < LEAST_TOLD):
        return None
    title = name.text or next(filter(None, (title_from_sentence(text, cues) for _, _, text in sorted(story.parts))), "")
    title = (_mended_title(title, notes) if name.claim else "") or (in_past(title) if told and not claimed else title)
    if name.fault and claimed:
        title = f"{CLAIMED}{casing.lower_first(title)}"
    elif name.fault and not title.startswith(FIXED) and any(not deed.proposed for deed in told):
        title = f"{FIXED}{casing.lower_first(tell_past(title) or title)}"
    turns = {turn for _, turn, _ in story.parts} | {deed.turn for deed in told}
    return Draft(
        title=f"{LEAD}{title}" if title else "Session notes",
        body=story.text,
        namespace=Namespace.PROJECTS,
        tier=Tier.EPISODE,
        type=NoteType.EVENT,
        turns=tuple(sorted(turns)),
        importance=0.5,
        confidence=0.8,
    )


def _is_claimed(
    opening: tuple[int, Told] | None, topics: Sequence[Topic], candidates: Sequence[Candidate], cues: Cues
) -> bool:
    """Whether the session began with a finding to which the answer agreed and added nothing."""
    if opening is None or not opening[1].text.startswith(PASSED_ON):
        return False
    topic = next(topic for topic in topics if topic.asked is not None and topic.asked.index == opening[0])
    return takes_over(topic, candidates, cues)


def _is_bare(turn: int, topics: Sequence[Topic], candidates: Sequence[Candidate]) -> bool:
    """Whether the exchange that a turn begins holds nothing to tell."""
    return not any(c.order == t.order for t in topics for c in candidates if t.asked and t.asked.index == turn)


def _mended_title(title: str, notes: Sequence[Draft]) -> str:
    """The title of the note that says of the same fault that it was mended; empty where there is none."""
    mine = stems(content_words(title))
    fixed = (note.title for note in notes if note.title.startswith(FIXED))
    return next((one for one in fixed if overlap(mine, stems(content_words(one))) >= SAME_FAULT), "")


_AFTER = 10_000.0  # places after all turns


def _tell_findings(
    story: _Story, findings: Sequence[Scored], scene: _Scene, most: int, room: int, done: Sequence[Deed]
) -> None:
    """Up to `most` findings that fit into `room` words beside what is told and say something else than what was
    `done`; what was found after that is told after it."""
    for scored in findings:
        if most < 1:
            return
        unit = scored.unit
        if story.words + unit.words > room or says_again(unit.text, (deed.text for deed in done)):
            continue
        place = float(unit.turn) if unit.turn <= _ended(done) else _AFTER + unit.turn
        most -= story.add(place, unit.turn, scene.tell(unit, done))


def _ended(done: Sequence[Deed]) -> float:
    """The turn of the last report; for none, after all turns."""
    return max((float(deed.turn) for deed in done), default=_AFTER)


def _findings(candidates: Sequence[Candidate], scene: _Scene, done: Sequence[Deed], cues: Cues) -> list[Scored]:
    """The sentences that tell most of what was found, first the nearest to the rest and the ones that came after what
    was `done`. Where nothing was done they stand alone."""
    found = [b for c in candidates if (b := _best(c, scene, not done, cues)) is not None]
    near = [b for b in found if not done or len(scene.about & stems(content_words(b.unit.text))) >= NEAR]
    late = [Scored(b.unit, b.score + (LATER if b.unit.turn > _ended(done) else 0.0)) for b in near]
    return sorted(late, key=lambda scored: -scored.score)


def _decisions(candidates: Sequence[Candidate]) -> list[Scored]:
    """What the user decided, in their own sentences."""
    return [b for c in candidates if c.asked and c.asked.kind == "decision" and (b := _asked_of(c)) is not None]


def _asked_of(candidate: Candidate) -> Scored | None:
    """The user's own sentence of a candidate."""
    if candidate.asked is None:
        return None
    first = split_sentences(candidate.asked.text)[0]
    return Scored(Unit(first, candidate.asked_turn), candidate.score)


def _best(candidate: Candidate, scene: _Scene, alone: bool, cues: Cues) -> Scored | None:
    """The sentence of a candidate that tells most of the story, with points for what it shares with the rest."""
    if not candidate.units:
        return _asked_of(candidate) if alone else None
    telling = [scored for scored in candidate.units if _tells(scored, alone, cues)]
    valued = [Scored(scored.unit, _value(scored, scene, cues)) for scored in telling]
    best = max(valued, key=lambda s: s.score, default=None)
    return None if best is None else Scored(_with_reason(best.unit, candidate, cues), best.score)


def _with_reason(unit: Unit, candidate: Candidate, cues: Cues) -> Unit:
    """The sentence with the one after it where that leans on it and gives its reason."""
    units = [scored.unit for scored in candidate.units]
    at = units.index(unit)
    if at + 1 == len(units):
        return unit
    reason = units[at + 1]
    fits = reason.leans and reason.turn == unit.turn and unit.words + reason.words <= REASON_WORDS
    return replace(unit, text=f"{unit.text} {reason.text}") if fits and says_why(reason.text, cues) else unit


def _value(scored: Scored, scene: _Scene, cues: Cues) -> float:
    text = scored.unit.text
    near = min(3, len(scene.about & stems(content_words(text))))
    why = WHY if says_why(text, cues) else 0.0
    why += CAUSE if scene.troubled and ROOT.match(text) else 0.0
    return scored.score + why + NEARNESS * near - (KNOWN if text in scene.known else 0.0)


def _tells(scored: Scored, alone: bool, cues: Cues) -> bool:
    unit = scored.unit
    most = LISTED_WORDS if unit.listed else TOLD_WORDS if alone else STEP_WORDS
    if (
        unit.leans
        or unit.words > most
        or unit.text.startswith(DONE)
        or is_change(unit.text)
        or _is_advice(unit.text, cues)
    ):
        return False
    if "←" in unit.text or (unit.listed and ("→" in unit.text or is_passing(unit.text))):
        return False  # a sketch, or a way through the code
    if not alone and (FIX.match(unit.text) or cues.signal("result", unit.text) or cues.signal("hedge", unit.text)):
        return False  # what was done is told by the reports, and what was supposed was found out
    if not alone and _ALL_WELL.search(unit.text):
        return False
    return unit.role == COMMANDS or is_substantive(unit, scored.score, cues)


_THEN = re.compile(r"^The user asked(?= to )")
_CHECKED = re.compile(r"\b(?:tests?|lint\w*|CI|pipeline|build)\b")
_ALL_WELL = re.compile(r"\b(?:is|are) (?:also |still )?(?:fine|ok|okay|good|correct)\b")  # nothing was to be done
_FILE = re.compile(r"^`?[\w./-]+\.\w{1,5}`?:? ")
_CONDITION = re.compile(r"(?:when|if|for|once|before|after|unless)\b[^,]*, (?P<main>.+)$", re.IGNORECASE)


def _is_advice(text: str, cues: Cues) -> bool:
    """What somebody could do, which is no step of a story."""
    condition = _CONDITION.match(text)
    main = _FILE.sub("", condition["main"] if condition else text)
    return bool(cues.starts("imperative", main) or re.match(r"(?:only|you|\w+ (?:it|them)) ", main, re.IGNORECASE))

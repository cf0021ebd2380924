"""The episode of a session: what the user came with, what was found or decided, how it ended, in whole sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.distillers.assembly import Scored, content_words, stems
from seci.distillers.candidate import COMMANDS, Candidate
from seci.distillers.deeds import DONE, Deed
from seci.distillers.episode_titles import name_episode
from seci.distillers.language import Cues
from seci.distillers.left_open import tell_open
from seci.distillers.openings import tell_closing, tell_opening
from seci.distillers.outcomes import ends_problem, in_past
from seci.distillers.passages import Unit
from seci.distillers.recounting import fit_deeds, join_deeds, says_again, select_deeds
from seci.distillers.reports import Report
from seci.distillers.salience import is_substantive, says_why
from seci.distillers.sentences import Casing, count_words, split_sentences
from seci.distillers.titles import title_from_sentence
from seci.distillers.topics import Topic
from seci.distillers.voice import is_change

LEAD = "Session: "  # of the title
WORDS = 78
LEAST = 16  # words; an episode of the user's words alone needs LEAST_TOLD
LEAST_TOLD = 18
TOLD_WORDS = 40  # of a sentence in an episode without an outcome
STEP_WORDS = 30  # of one in an episode with one
LISTED_WORDS = 26  # of a list told in one, which makes a poor step of a story
NEARNESS = 0.4  # points for each word that a sentence shares with what was asked and done
LATER = 1.0  # points of what was found after the last thing done
WHY = 0.8  # points of a cause or a reason
KNOWN = 0.8  # points that a sentence costs which a note of the session says word for word
FINDINGS = 3  # sentences of an episode without an outcome
LONG = 32  # words of an opening beside which what was done comes before what was found
SHORT = 50  # words of a story that has room for a second finding beside its outcome
NEAR = 2  # words that a finding shares with the rest of the story


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
    name = name_episode(session, topics, opening[1] if opening else None, candidates, cues)
    story = _Story()
    if opening is not None:
        story.add(-1, opening[0], opening[1].text)
    opened = story.words
    known = frozenset(sentence for note in notes for sentence in split_sentences(note.body))
    done = select_deeds(reports, f"{name} {story.text}", WORDS - opened, cues)
    left = tell_open(topics, cues)
    room = WORDS - (count_words(left[1]) if left else 0)
    about = stems(content_words(f"{name} {story.text} {join_deeds(done[:1])}"))
    findings = _findings(candidates, about, known, done, cues)
    _tell_findings(story, _decisions(candidates), 1, room - sum(deed.words for deed in done[:1]), done[:1])
    if opened <= LONG:  # else the room is left to what was done
        sure = [deed for at, deed in enumerate(done[:2]) if at == 0 or ends_problem(deed)]
        _tell_findings(story, findings, 1, room - sum(deed.words for deed in sure), sure)
    found = [text for place, _, text in story.parts if place >= 0]
    fresh = [deed for deed in done if not says_again(deed.text, found)]
    told = fit_deeds(fresh, reports, room - story.words)
    if told:
        ended = max(deed.turn for deed in told)
        story.parts.append((_AFTER + ended, ended, join_deeds(told)))
    reported = frozenset(report.order for report in reports if not report.deed.beside)
    closing = tell_closing(topics, opening[0] if opening else -1, reported, cues, casing)
    if closing is not None and story.words + count_words(closing[1].text) <= room:
        story.add(_AFTER + closing[0], closing[0], closing[1].text)
    if not told or story.words < SHORT:
        _tell_findings(story, findings, 1 if told else FINDINGS - 1, room, told)
    if left is not None:
        story.add(2 * _AFTER, left[0], left[1])
    told_only = story.words == opened
    if story.words < LEAST or (told_only and story.words < LEAST_TOLD):
        return None
    name = name or next(filter(None, (title_from_sentence(text, cues) for _, _, text in sorted(story.parts))), "")
    name = in_past(name) if told else name
    turns = {turn for _, turn, _ in story.parts} | {deed.turn for deed in told}
    return Draft(
        title=f"{LEAD}{name}" if name else "Session notes",
        body=story.text,
        namespace=Namespace.PROJECTS,
        tier=Tier.EPISODE,
        type=NoteType.EVENT,
        turns=tuple(sorted(turns)),
        importance=0.5,
        confidence=0.8,
    )


_AFTER = 10_000.0  # places after all turns


def _tell_findings(story: _Story, findings: Sequence[Scored], most: int, room: int, done: Sequence[Deed]) -> None:
    """Up to `most` findings that fit into `room` words beside what is told and say something else than what was
    `done`; what was found after that is told after it."""
    for scored in findings:
        if most < 1:
            return
        unit = scored.unit
        if story.words + unit.words > room or says_again(unit.text, (deed.text for deed in done)):
            continue
        place = float(unit.turn) if unit.turn <= _ended(done) else _AFTER + unit.turn
        most -= story.add(place, unit.turn, in_past(unit.text) if done else unit.text)


def _ended(done: Sequence[Deed]) -> float:
    """The turn of the last report; for none, after all turns."""
    return max((float(deed.turn) for deed in done), default=_AFTER)


def _findings(
    candidates: Sequence[Candidate], about: frozenset[str], known: frozenset[str], done: Sequence[Deed], cues: Cues
) -> list[Scored]:
    """The sentences that tell most of what was found, first the nearest to the rest and the ones that came after what
    was `done`. Where nothing was done they stand alone."""
    found = [b for c in candidates if (b := _best(c, about, known, not done, cues)) is not None]
    near = [b for b in found if not done or len(about & stems(content_words(b.unit.text))) >= NEAR]
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


def _best(candidate: Candidate, about: frozenset[str], known: frozenset[str], alone: bool, cues: Cues) -> Scored | None:
    """The sentence of a candidate that tells most of the story, with points for what it shares with the rest."""
    if not candidate.units:
        return _asked_of(candidate) if alone else None
    telling = [scored for scored in candidate.units if _tells(scored, alone, cues)]
    valued = [Scored(scored.unit, _value(scored, about, known, cues)) for scored in telling]
    return max(valued, key=lambda s: s.score, default=None)


def _value(scored: Scored, about: frozenset[str], known: frozenset[str], cues: Cues) -> float:
    near = min(3, len(about & stems(content_words(scored.unit.text))))
    why = WHY if says_why(scored.unit.text, cues) else 0.0
    return scored.score + why + NEARNESS * near - (KNOWN if scored.unit.text in known else 0.0)


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
    if "←" in unit.text or (unit.listed and "→" in unit.text):
        return False  # a sketch
    if not alone and (cues.signal("result", unit.text) or cues.signal("hedge", unit.text)):
        return False  # what was done is told by the reports, and what was supposed was found out
    if not alone and _ALL_WELL.search(unit.text):
        return False
    return unit.role == COMMANDS or is_substantive(unit, scored.score, cues)


_ALL_WELL = re.compile(r"\b(?:is|are) (?:also |still )?(?:fine|ok|okay|good|correct)\b")  # nothing was to be done
_FILE = re.compile(r"^`?[\w./-]+\.\w{1,5}`?:? ")
_CONDITION = re.compile(r"(?:when|if|for|once|before|after|unless)\b[^,]*, (?P<main>.+)$", re.IGNORECASE)


def _is_advice(text: str, cues: Cues) -> bool:
    """What somebody could do, which is no step of a story."""
    condition = _CONDITION.match(text)
    main = _FILE.sub("", condition["main"] if condition else text)
    return bool(cues.starts("imperative", main) or re.match(r"(?:only|you|\w+ (?:it|them)) ", main, re.IGNORECASE))

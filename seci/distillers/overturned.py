"""What did not last: the user objected next, or said that it is not so."""

from __future__ import annotations

from collections.abc import Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.candidate import Candidate
from seci.distillers.language import Cues
from seci.distillers.selection import stems_of
from seci.distillers.topics import Topic

REFUTED = 0.25  # of the content words of a note about what the user refuted


def keep_lasting(candidates: Sequence[Candidate], following: Topic | None, cues: Cues) -> list[Candidate]:
    """The candidates of one topic without what the `following` one took back or showed to be wrong."""
    if following is None:
        return list(candidates)
    objected, refuted = is_objection(following, cues), is_refuted(following, cues)
    lasting = [c for c in candidates if not (objected and is_undone(c, following, cues))]
    return [c for c in lasting if not (refuted and is_false(c, following))]


def is_objection(topic: Topic, cues: Cues) -> bool:
    """The user corrects and the answer concedes: what was done before did not last."""
    if topic.asked is None or not topic.answers:
        return False
    return cues.says("corrections", topic.asked.text[:300]) and cues.says("concessions", topic.answers[0].text[:80])


def is_refuted(objection: Topic, cues: Cues) -> bool:
    """The user says that what was told is not so, and the answer admits the mistake."""
    if objection.asked is None or not objection.answers:
        return False
    return cues.says("refutations", objection.asked.text[:120]) and cues.says("admits", objection.answers[0].text[:120])


def is_false(candidate: Candidate, objection: Topic) -> bool:
    """Whether a candidate tells mostly what the objection and its answer speak about."""
    if objection.asked is None or not candidate.units:
        return False
    said = stems(content_words(f"{objection.asked.text[:400]} {objection.answers[0].text[:300]}"))
    return overlap(said, stems_of(candidate)) >= REFUTED


def is_undone(candidate: Candidate, objection: Topic, cues: Cues) -> bool:
    """What was asked for or done here, when the answer to the objection says that it was taken back."""
    taken_back = any(cues.says("taken_back", turn.text[:600]) for turn in objection.answers)
    requested = candidate.asked is not None and candidate.asked.kind == "request"
    return taken_back and requested and not any(cues.signal("cause", s.unit.text) for s in candidate.units)

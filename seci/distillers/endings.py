"""Candidates told with what came of them: a problem, a request or a finding is followed by what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seci.distillers.assembly import BODY_WORDS, Scored, content_words, repeats, shared_stems, stems
from seci.distillers.candidate import Candidate
from seci.distillers.deeds import Deed
from seci.distillers.language import Cues
from seci.distillers.outcomes import NEARNESS, find_outcomes
from seci.distillers.reports import Reports
from seci.distillers.sentences import count_words
from seci.distillers.voice import is_change

FIRST = 1.0  # points of the sentence that a candidate begins with, which the others build on
OFFERS = 2  # reports of which one may end a candidate
FURTHER = 3  # words that a change shares with a candidate that already tells how things are


def tell_endings(
    candidates: Sequence[Candidate], reports: Reports, fresh: frozenset[int], cues: Cues
) -> list[Candidate]:
    """The candidates, each with the report of what was done about it where there is one and it leaves room, and without
    what did not last. Of the candidates of one turn a report ends only the one that it is nearest to."""
    candidates = [kept for candidate in candidates if (kept := _lasting(candidate, reports, fresh)) is not None]
    offers = [
        (points, at, deed)
        for at, candidate in enumerate(candidates)
        for points, deed in _endings(candidate, reports, fresh, cues)
    ]
    ended = list(candidates)
    told_of: dict[Deed, set[int]] = {}  # the turns of the candidates that a report ends
    for _, at, deed in sorted(offers, key=lambda offer: (-offer[0], offer[1])):
        turns = told_of.setdefault(deed, set())
        if ended[at].ending or turns.intersection(candidates[at].turns):
            continue
        if (told := _ended(candidates[at], deed)) is not None:
            ended[at] = told
            turns.update(candidates[at].turns)
    return ended


def _endings(candidate: Candidate, reports: Reports, fresh: frozenset[int], cues: Cues) -> list[tuple[float, Deed]]:
    if (
        candidate.commands
        or any(is_change(scored.unit.text) for scored in candidate.units)
        or _instructs(candidate, cues)
    ):
        return []
    found = find_outcomes(candidate, reports.lasting, cues)
    stated = any(cues.signal("result", scored.unit.text) for scored in candidate.units)
    return [
        (points, deed)
        for points, deed in found[:OFFERS]
        if _is_worth_citing(deed.turn, candidate.turns, fresh) and (not stated or _goes_on(deed, candidate))
    ]


def _lasting(candidate: Candidate, reports: Reports, fresh: frozenset[int]) -> Candidate | None:
    """The candidate without a change that was given up later, and with what took its place; None where it tells
    nothing else."""
    anew = _told_anew(candidate, reports, fresh)
    if candidate.units and not anew.units and not candidate.decisive:
        return None
    candidate = anew
    for at, scored in enumerate(candidate.units):
        gone = reports.undone.get(scored.unit.text)
        if gone is None:
            continue
        end = at + 1
        while end < len(candidate.units) and candidate.units[end].unit.leans:
            end += 1
        units = candidate.units[:at] + candidate.units[end:]
        if not units and candidate.asked is None:
            return None
        deeds = (report.deed for report in reports.lasting if report.deed.turn >= gone)
        deed = next((deed for deed in deeds if not (deed.leans or deed.beside)), None)
        if deed is None or not _is_worth_citing(deed.turn, candidate.turns, fresh):
            return candidate
        return _ended(replace(candidate, units=units), deed) or candidate
    return candidate


def _told_anew(candidate: Candidate, reports: Reports, fresh: frozenset[int]) -> Candidate:
    """The candidate with what a later exchange reports of the same things in place of the report that it overtook,
    or without either where the later one is not worth citing."""
    mine = {report.deed.text for report in reports.lasting if report.order == candidate.order}
    later = [report.deed for report in reports.lasting if report.order > candidate.order]
    units: list[Scored] = []
    turns = set(candidate.turns)
    for scored in candidate.units:
        text = scored.unit.text
        anew = [one for one in later if text in mine and one.text != text and not one.leans and _says_anew(one, text)]
        if anew and not _is_worth_citing(anew[-1].turn, candidate.turns, fresh):
            continue
        if anew:
            scored = replace(scored, unit=replace(scored.unit, text=anew[-1].text, turn=anew[-1].turn))
            turns.add(anew[-1].turn)
        units.append(scored)
    return replace(candidate, units=tuple(units), turns=tuple(sorted(turns)))


def _says_anew(deed: Deed, text: str) -> bool:
    """Whether a report begins with the thing that an earlier one begins with, and says the same of it."""
    return deed.text.split()[:2] == text.split()[:2] and repeats(deed.text, [text])


def _instructs(candidate: Candidate, cues: Cues) -> bool:
    """Whether it tells the steps of something to be done by hand, which nothing done here ends."""
    first = candidate.units[0].unit if candidate.units and candidate.asked is None else None
    return first is not None and first.listed and bool(cues.starts("imperative", first.text.partition(": ")[2]))


def _ended(candidate: Candidate, deed: Deed) -> Candidate | None:
    units = _make_room(candidate, deed)
    if units is None:
        return None
    return replace(candidate, units=units, ending=deed.text, turns=tuple(sorted({*candidate.turns, deed.turn})))


def _goes_on(deed: Deed, candidate: Candidate) -> bool:
    """Whether a change is about what a candidate tells the state of."""
    return deed.is_change and len(shared_stems(deed.text, candidate.body)) >= FURTHER


def _is_worth_citing(turn: int, turns: Sequence[int], fresh: frozenset[int]) -> bool:
    """Whether at most half of the turns that the note then rests on hold nothing worth keeping."""
    cited = {*turns, turn}
    return 2 * len(cited - fresh) <= len(cited)


def _make_room(candidate: Candidate, deed: Deed) -> tuple[Scored, ...] | None:
    """The units that leave room for `deed`, without the least of them if need be: the one with the fewest points that
    has least to do with it, rather not the first. None where too little would be left."""
    least = 2 if candidate.asked else 3
    units = list(candidate.units)
    done = stems(content_words(deed.text))
    words = BODY_WORDS - deed.words - (count_words(candidate.asked.text) if candidate.asked else 0)
    while sum(scored.unit.words for scored in units) > words:
        spare = [at for at in range(len(units)) if at + 1 == len(units) or not units[at + 1].unit.leans]
        if len(units) < least or not spare:
            return None
        units.pop(min(spare, key=lambda at: (_worth(units[at], done) + (FIRST if at == 0 else 0.0), -at)))
    return tuple(units)


def _worth(scored: Scored, done: frozenset[str]) -> float:
    return scored.score + NEARNESS * len(done & stems(content_words(scored.unit.text)))

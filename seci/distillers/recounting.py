"""What an episode tells of what was done: the last word and the best of the rest, in a sentence or two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.deeds import DONE, Deed
from seci.distillers.language import Cues
from seci.distillers.outcomes import FIXED, NEARNESS, PROPOSED, ends_problem
from seci.distillers.reports import Report
from seci.distillers.salience import score_sentence
from seci.distillers.sentences import enumerate_parts

MOST_NEAR = 5  # words that a report shares with what a session is about, as far as they count
LATEST = 0.8  # points of the last exchange that reports anything
BESIDE = 1.5  # points that tests, comments and documents cost, which only follow what was done
LEANING = 2.0  # points of a report that points at what was said before it
WEIGHT = 30  # words of a report that fills the room of two
HEAVY = 1.5  # points that it costs
AGAIN = 0.6  # points that a report costs beside another of its exchange
LEAST_DEED = 1.2  # points of a report that is told beside the last one
MOST_DEEDS = 3
OUTCOME_WORDS = 54  # of all of them
MOST_JOINED = 3
FEW = 6  # words of a text that is short
SHARED_FEW = 0.8  # of the words of a short text that says the same as another
SHARED = 0.5  # of the words of the shorter of two texts that say the same


def select_deeds(reports: Sequence[Report], about: str, room: int, cues: Cues) -> list[Deed]:
    """What was done, in the order in which it is to be told if there is room: the best report of the last exchange
    that has one, then the best of all that say something else."""
    ranked = _rank(reports, about, cues)
    plain = [(points, report) for points, report in ranked if not (report.deed.beside or report.deed.leans)]
    plain = plain or [pair for pair in ranked if not pair[1].deed.leans][:1] or ranked[:1]
    fitting = [(points, report) for points, report in plain if report.deed.words <= room]
    if not fitting:
        return []
    last = max(report.order for _, report in plain)
    first = next((report for _, report in fitting if report.order == last), fitting[0][1])
    chosen = [first]
    while len(chosen) < MOST_DEEDS:
        orders = {report.order for report in chosen}
        texts = [report.deed.text for report in chosen]
        others = [
            (points - (AGAIN if report.order in orders else 0.0), report)
            for points, report in fitting
            if not says_again(report.deed.text, texts)
        ]
        points, best = max(others, key=lambda pair: pair[0], default=(0.0, first))
        if points < LEAST_DEED or best in chosen:
            break
        chosen.append(best)
    return [report.deed for report in chosen]


def fit_deeds(chosen: Sequence[Deed], reports: Sequence[Report], room: int) -> list[Deed]:
    """Those that fit, in the order of the session."""
    told: list[Deed] = []
    for deed in chosen:
        if sum(one.words for one in told) + deed.words <= (room if not told else min(room, OUTCOME_WORDS)):
            told.append(deed)
    order = {report.deed: at for at, report in enumerate(reports)}
    return sorted(told, key=lambda deed: order[deed])


def _rank(reports: Sequence[Report], about: str, cues: Cues) -> list[tuple[float, Report]]:
    """The reports with their points, best first: near to what a session is about, late, and not beside it."""
    mine = stems(content_words(about))
    last = next((r.order for r in reversed(reports) if not r.deed.beside), reports[-1].order if reports else -1)
    ranked: list[tuple[float, Report]] = []
    for report in reports:
        deed = report.deed
        near = min(len(mine & stems(content_words(deed.text.removeprefix(DONE)))), MOST_NEAR)
        points = score_sentence(deed.text, deed.words, cues) + NEARNESS * near
        points += (FIXED if ends_problem(deed) else 0.0) + (LATEST if report.order == last else 0.0)
        points -= (PROPOSED if deed.proposed else 0.0) + (BESIDE if deed.beside else 0.0)
        points -= (LEANING if deed.leans else 0.0) + (HEAVY if deed.words > WEIGHT else 0.0)
        ranked.append((points, report))
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].deed.turn))


def join_deeds(deeds: Sequence[Deed]) -> str:
    """Reports in order as whole sentences; changes that follow one another are told in one."""
    told: list[list[str]] = []
    before = False  # whether the deed before was a change
    for deed in deeds:
        part = deed.text.rstrip(".!")
        if deed.is_change and before and len(told[-1]) < MOST_JOINED and "; and " not in f"{told[-1]} {part}":
            told[-1].append(part.removeprefix(DONE))
        else:
            told.append([part])
        before = deed.is_change
    return " ".join(_joined(parts) for parts in told)


def _joined(parts: Sequence[str]) -> str:
    plain = not any(re.search(r"[;:]|, ", part) for part in parts)
    mark = ", " if plain else "; "
    return f"{enumerate_parts(parts, mark, ' ' if plain and len(parts) == 2 else mark)}."


def says_again(text: str, others: Iterable[str]) -> bool:
    """Whether half of the words of the shorter of two texts are in the other, whatever their endings; of a few words
    nearly all."""
    mine = stems(content_words(text.removeprefix(DONE)))
    for other in others:
        theirs = stems(content_words(other.removeprefix(DONE)))
        if overlap(mine, theirs) >= (SHARED if min(len(mine), len(theirs)) >= FEW else SHARED_FEW):
            return True
    return False

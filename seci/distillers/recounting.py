"""What an episode tells of what was done: the last word and the best of the rest, in a sentence or two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.deeds import DONE, Deed
from seci.distillers.heads import shorten_deed
from seci.distillers.language import Cues
from seci.distillers.outcomes import FIXED, NEARNESS, PROPOSED, ends_problem
from seci.distillers.plans import plan_text
from seci.distillers.reports import Report
from seci.distillers.salience import score_sentence
from seci.distillers.sentences import enumerate_parts, hide_code
from seci.distillers.topics import Topic

MOST_NEAR = 5  # words that a report shares with what a session is about, as far as they count
LATEST = 0.8  # points of the last exchange that reports anything
BESIDE = 1.5  # points that tests, comments and documents cost, which only follow what was done
LEANING = 2.0  # points of a report that points at what was said before it
WEIGHT = 30  # words of a report that fills the room of two
HEAVY = 1.5  # points that it costs
SHORT = 9  # words of a report of which many can be told
BRIEF = 0.8  # points of it, which a short sentence that stands alone loses
AGAIN = 0.6  # points that a report costs beside another of its exchange
LEAST_DEED = 0.2  # points of a report that is told beside the last one
MOST_AGAIN = 1  # times
MOST_DEEDS = 7
OUTCOME_WORDS = 60  # of all of them
MOST_JOINED = 7
FEW = 6  # words of a text that is short
SHARED_FEW = 0.8  # of the words of a short text that says the same as another
SHARED_DEED = 0.6  # the same where both are reports
SHARED = 0.5  # of the words of the shorter of two texts that say the same
PLANNED = 0.5  # of the words of a report that a plan has, which was carried out after it
REPEATED = 0.7  # of those of a report that says no more than what the user came with


_NOTED = re.compile(r" \([^()]*\)")
# A thing that only the answer before it told from others, a file name that stood above what is said, a verb alone.
_HANGS = re.compile(
    r"(?:The|Both|All) (?:file|function|method|class|module|script|document|component)s? [^`]*$|`[^`]+` [A-Z][a-z]+ |"
    r"(?:Always|Also|Never|Only|Still) \w+s\b|.*\bthe same (?!\w+ (?:as|for|that)\b)|"
    r".*\bthe (?:fix|change|issue|problem|bug)\.$"
)
FIX = re.compile(r"The fix (?!is to\b|was to\b)")


def drop_planned(reports: Sequence[Report], topics: Sequence[Topic], cues: Cues) -> list[Report]:
    """The reports without those of what a plan was made of: it was carried out in a later exchange, which tells it as
    it came to be."""
    plans = [(topic.order, stems(content_words(plan))) for topic in topics if (plan := plan_text(topic.asked, cues))]
    return [
        report
        for report in reports
        if not any(
            report.order < order
            and overlap(stems(content_words(report.deed.text.removeprefix(DONE))), words) >= PLANNED
            for order, words in plans
        )
    ]


def select_deeds(reports: Sequence[Report], opening: str, about: str, cues: Cues) -> list[Deed]:
    """What was done, in the order in which it is to be told if there is room: the best report of the last exchange
    that has one, then the best of all that say something else than those and the `opening`."""
    ranked = _rank(reports, about, cues)
    standing = [pair for pair in ranked if not (pair[1].deed.leans or _HANGS.match(pair[1].deed.text))] or ranked[:1]
    plain = [report for _, report in standing if not report.deed.beside] or [report for _, report in standing[:1]]
    fixes = [report for report in plain if FIX.match(report.deed.text)]
    plain = [report for report in plain if report not in fixes or report.order == max(one.order for one in fixes)]
    news = [report for report in plain if not says_again(report.deed.text, [opening], REPEATED)] or plain
    if not news:
        return []
    last = max(report.order for report in news)
    chosen = [next(report for report in news if report.order == last)]
    while len(chosen) < MOST_DEEDS:
        orders = [report.order for report in chosen]
        texts = [report.deed.text for report in chosen]
        others = [
            (points - AGAIN * min(orders.count(report.order), MOST_AGAIN), report)
            for points, report in standing
            if not says_again(report.deed.text, texts, few=SHARED_DEED) and (report in news or report.deed.beside)
        ]
        points, best = max(others, key=lambda pair: pair[0], default=(0.0, chosen[0]))
        if points < LEAST_DEED or best in chosen:
            break
        chosen.append(best)
    return [report.deed for report in chosen]


def fit_deeds(chosen: Sequence[Deed], reports: Sequence[Report], room: int) -> list[Deed]:
    """As many as fit by their heads, in the order of the session and of one answer the changes first; whole where there
    is room, the first before others."""
    order = {report.deed: at for at, report in enumerate(reports)}
    room = min(room, OUTCOME_WORDS)
    told: dict[Deed, Deed] = {}  # each with the form in which it is told
    for deed in chosen:
        head = shorten_deed(deed)
        if head.words <= room:
            told[deed] = head
            room -= head.words
    for deed, head in told.items():
        if deed.words - head.words <= room:
            told[deed] = deed
            room -= deed.words - head.words
    changes = Counter(deed.turn for deed in told if deed.is_change)
    places = {deed: (deed.turn, not deed.is_change and changes[deed.turn] > 1, order[deed]) for deed in told}
    return [told[deed] for deed in sorted(told, key=places.__getitem__)]


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
        points += BRIEF if deed.is_change and deed.words < SHORT else 0.0
        points -= (LEANING if deed.leans else 0.0) + (HEAVY if deed.words > WEIGHT else 0.0)
        ranked.append((points, report))
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].deed.turn))


def join_deeds(deeds: Sequence[Deed]) -> str:
    """Reports in order as whole sentences; changes that follow one another are told in one."""
    told: list[list[str]] = []
    before = False  # whether the deed before was a change
    for deed in deeds:
        part = (deed.text if deed.is_change else _say_since(deed.text)).rstrip(".!")
        if deed.is_change and before and len(told[-1]) < MOST_JOINED and "; and " not in f"{told[-1]} {part}":
            told[-1].append(part.removeprefix(DONE))
        else:
            told.append([part])
        before = deed.is_change
    return " ".join(_joined(parts) for parts in told)


def _say_since(text: str) -> str:
    """How things are since, with a "now" where only the answer said so."""
    bare = hide_code(text)
    return text if re.search(r"\b(?:now|no longer)\b", bare) else _WILL.sub(r"\g<who> will now ", text)


_WILL = re.compile(r"^(?P<who>(?:`[^`]*`|[\w-]+)(?: [\w-]+){0,3}) will (?!not\b)")


def _joined(parts: Sequence[str]) -> str:
    verbs = {part.removeprefix(DONE).partition(" ")[0] for part in parts}
    if len(verbs) == 1 and not any(re.search(r"[;,]|: | and ", _NOTED.sub("", part)) for part in parts):
        parts = [parts[0], *(part.partition(" ")[2] for part in parts[1:])]  # one verb for all of them
    plain = not any(re.search(r"[;:]|, ", part) for part in parts)
    mark = ", " if plain else "; "
    return f"{enumerate_parts(parts, mark, ' ' if plain and len(parts) == 2 else mark)}."


def says_again(text: str, others: Iterable[str], shared: float = SHARED, few: float = SHARED_FEW) -> bool:
    """Whether half of the words of the shorter of two texts are in the other, whatever their endings; of a few words
    nearly all."""
    mine = stems(content_words(text.removeprefix(DONE)))
    for other in others:
        theirs = stems(content_words(other.removeprefix(DONE)))
        if overlap(mine, theirs) >= (shared if min(len(mine), len(theirs)) >= FEW else few):
            return True
    return False

"""How a matter ended: of all that a session reports, the sentence that tells what was done about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.assembly import content_words, overlap, stems
from seci.distillers.candidate import Candidate
from seci.distillers.deeds import DONE, Deed, beside_words
from seci.distillers.language import Cues
from seci.distillers.reports import Report
from seci.distillers.salience import NAMED, score_sentence
from seci.distillers.sentences import split_sentences

NEARNESS = 0.4  # points for each word that a report shares with what it is looked for, beside points of a sentence
NAME = 2.0  # points for each name that it shares, beside one for each word
MOST_NAMES = 2
WORTH = 0.3  # of the points that the sentence has by itself
FIXED = 0.8  # points of what ends a problem
PROPOSED = 1.5  # points that a fix costs which was only said to be right
BESIDE = 3.0  # points that tests, comments and documents cost
LAST_WORD = 2.0  # points of the last answer that reports anything about the matter
LEAST_NEAR = 2  # words that a report shares with the matter that it ends, with two names among them
LEAST_UNNAMED = 3  # the same with fewer names
LEAST_AFAR = 3  # the same in a later exchange
SAID = 0.7  # of the words of a report that are in a sentence that tells it already

_FILE = re.compile(
    r"[^/]+\.(?:c|cc|cpp|cs|css|cfg|go|h|html|ini|java|jsx?|json|kt|lock|md|mod|php|py|rb|rs|scss|sh|sql|swift|toml|tsx?|"
    r"txt|vue|xml|ya?ml)$"
)
_ENDS = re.compile(r"\bchange (?:fixed|resolved|corrected)\b|\bno longer\b")
_PAST = {"is": "was", "are": "were"}
_STANDS = re.compile(
    r"\b(?P<verb>is|are)(?= (?:currently |still |now )?(?:failing|broken|crashing|hanging|flaky|missing|wrong)\b)"
)


def find_outcomes(candidate: Candidate, reports: Sequence[Report], cues: Cues) -> list[tuple[float, Deed]]:
    """The reports that may tell what was done about the matter of a candidate, the best first: of those about the same
    things the last one, of one answer the nearest. What its answers say already is not told again."""
    text, turns, order = candidate.body, candidate.turns, candidate.order
    mine, names = stems(content_words(text)), names_in(text)
    said = [content_words(one) for scored in candidate.units for one in split_sentences(scored.unit.text)]
    failing = bool(_STANDS.search(text))  # what ends it may be done to the tests that fail
    found: list[tuple[float, Deed]] = []
    for report in reports:
        deed = report.deed
        words = content_words(deed.text.removeprefix(DONE))
        if deed.leans and deed.turn not in turns:
            continue
        if report.order < order or deed.turn < min(turns) or any(overlap(words, one) >= SAID for one in said):
            continue
        near, named = len(mine & stems(words)), len(names & names_in(deed.text))
        tested = failing and report.order == order and bool(beside_words(text) & beside_words(deed.text))
        if near < (LEAST_NEAR if named > 1 or tested else LEAST_UNNAMED) or not (named or report.order == order):
            continue
        if (deed.beside and not (named or tested)) or (report.order != order and near < LEAST_AFAR):
            continue
        points = near + NAME * min(named, MOST_NAMES) + WORTH * score_sentence(deed.text, deed.words, cues)
        points += (2 * FIXED if ends_problem(deed) else 0.0) - (BESIDE if deed.beside else 0.0)
        points -= PROPOSED if deed.proposed else 0.0
        found.append((points, deed))
    latest = max((deed.turn for _, deed in found if not deed.beside), default=-1)
    ranked = [(points + (LAST_WORD if deed.turn == latest else 0.0), deed) for points, deed in found]
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].turn))


def ends_problem(deed: Deed) -> bool:
    """Whether it says that something was mended, or is no longer so."""
    return bool(_ENDS.search(deed.text))


def names_in(text: str) -> frozenset[str]:
    """What a text names in code, without marks of calls, values set and paths before it."""
    names = (re.split(r"[(:=]", name.strip("`"))[0].rstrip("/") for name in NAMED.findall(text))
    return frozenset(_last_part(name) for name in names if name)


def _last_part(name: str) -> str:
    file = _FILE.search(name)
    return file[0] if file else re.split(r"[/.](?=\w+$)", name)[-1]


def in_past(text: str) -> str:
    """A fault that was mended, told as what was."""
    return _STANDS.sub(lambda match: _PAST[match["verb"]], text)

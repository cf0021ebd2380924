"""How well turns answer a question: named evidence, weighted and added up.

Dense, lexical and contextual evidence is fused by score, not by rank: a linear combination of scaled scores keeps how
much better one turn is than the next, and beats reciprocal rank fusion wherever a few questions are there to set the
weights (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). Cosines are taken as
they are; BM25 (Robertson et al., TREC-3, 1994) is divided by the question's best value.

The weights were set by coordinate search (`seci bench fit`) on the development files of LoCoMo, BEAM 100K and 23 coding
sessions at once; nothing in them knows which of these it is looking at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from seci.core.inquiry import Inquiry
from seci.core.layout import AROUND_VECTORS, ROLE_CODES, Layout
from seci.core.session import Role
from seci.core.temporal import score_nearness
from seci.core.wordmatch import Matches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Absolute relevance: a logistic curve over the cosine and the share of the question's terms, fitted on the development
# files, the best turn of a question's own conversation against the best turn of another one.
CALIBRATION = (-7.7, 15.5, 6.4)  # bias, cosine, coverage


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence counts. The first six are similarities and add up to about 1; 0 leaves one out."""

    turn_cosine: float = 0.357  # best window of the turn
    near_cosine: float = 0.164  # mean of the turn and its neighbours
    session_cosine: float = 0.082  # mean of the session
    turn_terms: float = 0.184  # BM25 of the turn
    near_terms: float = 0.094  # BM25 of the turn with two on each side
    session_terms: float = 0.119  # BM25 of the session
    date: float = 0.457  # nearness of the turn's day to the days that the question names
    present: float = 0.268  # a speaker whom the question names takes part in the session
    speaker: float = 0.067  # and said the turn
    windows: float = -0.053  # times ln(windows): the best of many windows is high by chance; not for summaries
    assistant: float = -0.129  # the assistant's turn, where the question speaks of "I"; not for summaries
    standing: float = 0.044  # the turn states a standing instruction or preference
    standing_asked: float = 0.14  # and the question asks for something to be done


WEIGHTS = Weights()
FEATURES = tuple(field.name for field in fields(Weights))
DENSE_FEATURES = ("turn_cosine", "near_cosine", "session_cosine")
LEXICAL_FEATURES = ("turn_terms", "near_terms", "session_terms")


def gather_evidence(
    inquiry: Inquiry,
    layout: Layout,
    cosines: NDArray[np.float32] | None,
    matches: Matches | None,
    peaks: tuple[float, float, float],
    named: Iterable[int] = (),
) -> dict[str, Floats]:
    """Each kind of evidence by its name in `Weights`, (T,) each; what the question does not call for is left out.

    `cosines` are those of the shelf's rows, `peaks` the best BM25 values over all shelves that are asked, `named` the
    codes of the speakers whom the question names.
    """
    import numpy as np

    evidence: dict[str, Floats] = {}
    if cosines is not None:
        by_row = cosines[layout.rows].astype(np.float64)
        evidence |= zip(DENSE_FEATURES, _cosines(by_row, layout), strict=True)
    if matches is not None:
        for name, scores, peak in zip(
            LEXICAL_FEATURES, (matches.turn, matches.near, matches.session), peaks, strict=True
        ):
            evidence[name] = scores / peak if peak > 0 else scores
    if inquiry.intervals:
        evidence["date"] = score_nearness(layout.day, inquiry.intervals)
    if codes := list(named):
        said = np.isin(layout.speaker, codes).astype(np.float64)
        evidence["speaker"] = said
        evidence["present"] = np.maximum.reduceat(said, layout.session_starts)[layout.session_of]
    if not inquiry.summary:
        evidence["windows"] = layout.log_windows
        if inquiry.first_person:
            evidence["assistant"] = (layout.role == ROLE_CODES[Role.ASSISTANT]).astype(np.float64)
    evidence["standing"] = layout.standing.astype(np.float64)
    if inquiry.request:
        evidence["standing_asked"] = evidence["standing"]
    return evidence


def _cosines(by_row: Floats, layout: Layout) -> tuple[Floats, Floats, Floats]:
    """The cosine of each turn's nearest row, and of the turn with those around it and of its session as wholes."""
    import numpy as np

    if layout.alone:
        whole = by_row / layout.turn_length
        return by_row, whole / layout.near_length, whole / layout.session_length
    whole = np.add.reduceat(by_row, layout.starts) / layout.turn_length
    session = np.add.reduceat(whole, layout.session_starts) / layout.session_length
    return (
        np.maximum.reduceat(by_row, layout.starts),
        layout.sum_around(whole, AROUND_VECTORS) / layout.near_length,
        session[layout.session_of],
    )


def score_evidence(evidence: Mapping[str, Floats], weights: Weights = WEIGHTS) -> Floats:
    """(T,) weighted sum; it orders the turns of one question and means nothing by itself."""
    import numpy as np

    size = next((len(values) for values in evidence.values()), 0)
    score = np.zeros(size)
    for name in FEATURES:
        weight = getattr(weights, name)
        if weight and name in evidence:
            score += weight * evidence[name]
    return score


def score_relevance(cosine: float | None, coverage: float) -> float:
    """0..1: whether a turn with this cosine and this share of the question's terms is about the question at all.
    Without a cosine the coverage stands for it."""
    from math import exp

    if cosine is None:
        return max(0.0, min(1.0, coverage))
    bias, by_cosine, by_coverage = CALIBRATION
    return 1.0 / (1.0 + exp(-(bias + by_cosine * cosine + by_coverage * coverage)))

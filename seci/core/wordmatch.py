"""BM25 at three granularities (the turn, the turns around it, the session) from one set of postings.

Turns stand on a line with gaps between the sessions, so that what lies around a turn is found by shifting along the
line, with no look at where sessions end. A term that few turns hold costs by the turns that hold it; one that many
hold, a few passes over the whole line. Both add the same numbers in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    FindTerm = Callable[[str], tuple[NDArray[np.int32], NDArray[np.float32]]]

K1 = 1.5
B = 0.5
AROUND_TERMS = 2  # turns on each side whose terms are counted with a turn's own
_DENSE_SHARE = 0.02  # of the line; a term held by more is spread over all of it at once


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """BM25 over turns, neighbourhoods and sessions, each (T,). `held` has for each of the question's terms its rarity
    and the places, in order, that hold it."""

    turn: Floats
    near: Floats
    session: Floats
    held: tuple[tuple[float, Ints], ...]
    line: TermLine

    def coverage(self, turns: Sequence[int]) -> list[float]:
        """The share of the question's terms, weighted by rarity, that each of these turns holds. Looked up for the few
        that are asked for: adding it up for all would cost a third of the match."""
        import numpy as np

        places = self.line.place_of_turn[np.asarray(turns, np.int64)]
        covered = np.zeros(len(places))
        for rarity, holding in self.held:
            if len(holding):
                found = np.minimum(np.searchsorted(holding, places), len(holding) - 1)
                covered += rarity * (holding[found] == places)
        total = sum(rarity for rarity, _ in self.held)
        share: list[float] = (covered / total if total else covered).tolist()
        return share

    def peaks(self) -> tuple[float, float, float]:
        """The best value of each granularity."""
        return tuple(float(scores.max(initial=0.0)) for scores in (self.turn, self.near, self.session))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, eq=False)
class TermLine:
    """T turns of S sessions on a line of L places, gaps of `AROUND_TERMS` before, between and after the sessions.

    The norms are what BM25 adds to a frequency below the line: k1 (1 - b + b length / mean length).
    """

    place_of_row: Ints  # (size,) place of each row's turn, -1 where the row is not live
    place_of_turn: Ints  # (T,)
    taken: NDArray[np.bool_]  # (L,) whether a turn stands there
    session_at: Ints  # (L,) the session of the turn there
    session_of: Ints  # (T,)
    turn_norm: Floats  # (L,)
    near_norm: Floats  # (L,)
    session_norm: Floats  # (S,)


def arrange_terms(
    turn_of: Ints, session_of: Ints, session_starts: Ints, turn_terms: Floats, near_terms: Floats
) -> TermLine:
    """The line of a shelf. `turn_of` is (size,), -1 where a row is not live; the counts of terms are (T,)."""
    import numpy as np

    places = np.arange(len(session_of)) + AROUND_TERMS * (session_of + 1)
    size = len(session_of) + AROUND_TERMS * (len(session_starts) + 1)
    session_terms = np.add.reduceat(turn_terms, session_starts) if len(session_starts) else turn_terms
    taken, session_at = np.zeros(size, np.bool_), np.zeros(size, np.int64)
    taken[places], session_at[places] = True, session_of
    turn_norm, near_norm = np.ones(size), np.ones(size)
    turn_norm[places], near_norm[places] = _norm(turn_terms), _norm(near_terms)
    place_of_row = np.where(turn_of >= 0, places[turn_of] if len(places) else -1, -1)
    return TermLine(
        place_of_row, places, taken, session_at, session_of, turn_norm, near_norm, _norm(session_terms)
    )  # fmt: skip


def match_terms(terms: Iterable[str], line: TermLine, find: FindTerm) -> Matches:
    """Scores of every turn. `find` gives the rows that hold a term, in order, and how often each does."""
    import numpy as np

    size, turns, sessions = len(line.taken), len(line.place_of_turn), len(line.session_norm)
    turn, session = np.zeros(size), np.zeros(sessions)
    alone = sessions == turns  # notes: what stands around a turn, and its session, is the turn itself
    near = None if alone else _Neighbourhoods(line)
    held: list[tuple[float, Ints]] = []
    for term in dict.fromkeys(terms):
        rows, counts = find(term)
        places, frequency = _add_up(line.place_of_row[rows], counts)
        rarity = _rarity(turns, len(places))
        held.append((rarity, places))
        if not len(places):
            continue
        turn[places] += rarity * _saturate(frequency, line.turn_norm[places])
        if near is None:
            continue
        near.add(places, frequency)
        whole: Floats = np.bincount(line.session_at[places], frequency, sessions).astype(np.float64)
        session += _rarity(sessions, int(np.count_nonzero(whole))) * _saturate(whole, line.session_norm)
    at_turn = line.place_of_turn
    if near is None:
        alike = turn[at_turn]
        return Matches(alike, alike, alike, tuple(held), line)
    return Matches(turn[at_turn], near.scores[at_turn], session[line.session_of], tuple(held), line)


class _Neighbourhoods:
    """BM25 of every turn with those around it, term by term. What is as long as the line is made once and reused:
    getting fresh memory for it would cost more than the sums."""

    def __init__(self, line: TermLine) -> None:
        import numpy as np

        size = len(line.taken)
        self._line = line
        self.scores = np.zeros(size)
        self._held, self._around, self._norm = np.empty(size), np.empty(size), np.empty(size)
        self._has = np.empty(size, np.bool_)

    def add(self, places: Ints, frequency: Floats) -> None:
        """Takes in a term from the places that hold it, in order, and how often each does."""
        add = self._add_everywhere if len(places) > _DENSE_SHARE * len(self._held) else self._add_around
        add(places, frequency)

    def _add_everywhere(self, places: Ints, frequency: Floats) -> None:
        import numpy as np

        held, around, norm, has = self._held, self._around, self._norm, self._has
        held.fill(0.0)
        held[places] = frequency
        np.copyto(around, held)
        for distance in range(1, AROUND_TERMS + 1):
            around[distance:] += held[:-distance]
            around[:-distance] += held[distance:]
        np.not_equal(around, 0.0, out=has)
        has &= self._line.taken
        rarity = _rarity(len(self._line.place_of_turn), int(np.count_nonzero(has)))
        np.add(around, self._line.near_norm, out=norm)
        around *= K1 + 1
        around /= norm
        around *= rarity
        self.scores += around

    def _add_around(self, places: Ints, frequency: Floats) -> None:
        import numpy as np

        shifts = np.arange(-AROUND_TERMS, AROUND_TERMS + 1)
        reached = (places[:, None] + shifts).ravel()
        before = np.repeat(np.append(-1, places[:-1] + AROUND_TERMS), len(shifts))
        reached = reached[reached > before]  # each place once
        around = self._around
        around[reached] = 0.0
        for shift in shifts:
            around[places + shift] += frequency
        reached = reached[self._line.taken[reached]]
        rarity = _rarity(len(self._line.place_of_turn), len(reached))
        self.scores[reached] += rarity * _saturate(around[reached], self._line.near_norm[reached])


def _add_up(places: Ints, counts: NDArray[np.float32]) -> tuple[Ints, Floats]:
    """(distinct places, sum of the counts at each); equal places stand side by side, -1 stands for none."""
    import numpy as np

    frequency: Floats = counts.astype(np.float64)
    fresh = np.ones(len(places), np.bool_)
    np.not_equal(places[1:], places[:-1], out=fresh[1:])
    if not fresh.all():
        starts = np.flatnonzero(fresh)
        places, frequency = places[starts], np.add.reduceat(frequency, starts)
    alive = places >= 0
    return (places, frequency) if alive.all() else (places[alive], frequency[alive])


def _rarity(count: int, holding: int) -> float:
    """Inverse document frequency that stays positive for what most hold."""
    return log(1 + (count - holding + 0.5) / (holding + 0.5))


def _norm(lengths: Floats) -> Floats:
    mean = max(float(lengths.mean()), 1e-9) if len(lengths) else 1.0
    norm: Floats = K1 * (1 - B + B * lengths / mean)
    return norm


def _saturate(frequency: Floats, norm: Floats) -> Floats:
    result: Floats = frequency * (K1 + 1) / (frequency + norm)
    return result

"""Lifts, among the hits of a question, what tells how things are now above the older statement that it outdates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.core.chunk import Kind
from seci.core.currency import FIGURE_LOOKED_AT, Statement, asks_for_now, find_lifts, states_change
from seci.core.document import Record
from seci.core.figures import asks_for_figure
from seci.core.layout import ROLE_CODES
from seci.core.ports import Shelf
from seci.core.ranking import Hit, Query, Unit
from seci.core.session import Role


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A hit, and the row of the shelf where it was seen. `text` is that of its chunk, where it was looked up."""

    hit: Hit
    shelf: Shelf
    row: int
    record: Record
    text: str | None


def lift_current(query: Query, sighted: Sequence[Sighting]) -> list[Hit]:
    """The hits in order. A lifted one gets the score and the relevance of the hit that it stands above, and its
    ranks say to which place it was lifted. Sessions are not lifted for a word of change: most have one."""
    hits = [one.hit for one in sighted]
    turns = query.unit in (None, Unit.TURN) and asks_for_now(query.text)
    first = sighted[:FIGURE_LOOKED_AT]
    if not asks_for_figure(query.text) and not (turns and any(_says_change(one) for one in first)):
        return hits
    vectors = [one.shelf.vectors([one.row])[0] for one in first]
    statements = [
        Statement(
            text=one.text if one.text is not None else one.shelf.chunks([one.row])[0].text,
            changes=turns and _says_change(one),
            told=one.hit.kind is Kind.DISTILLED or _is_users(one),
            at=_when(one),
            score=one.hit.score,
        )
        for one in first
    ]
    order = list(range(len(sighted)))
    for number, above in find_lifts(query.text, statements, lambda a, b: float(vectors[a] @ vectors[b])):
        older = hits[above]
        relevance = max(hits[number].relevance, older.relevance)
        order.remove(number)
        place = order.index(above)
        ranks = {**hits[number].ranks, "lifted": place + 1}
        hits[number] = replace(hits[number], score=older.score, relevance=relevance, ranks=ranks)
        order.insert(place, number)
    return [hits[number] for number in order]


def _when(one: Sighting) -> tuple[float, int]:
    """A note holds since the session that it was taken from."""
    if one.hit.kind is Kind.DISTILLED:
        return (one.record.created.timestamp() if one.record.created else float("nan"), -1)
    return float(one.shelf.at[one.row]), int(one.shelf.turn[one.row])


def _is_users(one: Sighting) -> bool:
    return one.hit.kind is Kind.RAW and int(one.shelf.role[one.row]) == ROLE_CODES[Role.USER]


def _says_change(one: Sighting) -> bool:
    """Whether a user said it, word for word, and speaks of a change."""
    return _is_users(one) and one.text is not None and states_change(one.text)

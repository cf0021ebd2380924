"""Lifts, among the hits of a question, the turn that tells of a change above the older one that it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.core.chunk import Kind
from seci.core.currency import LOOKED_AT, Statement, asks_for_now, lift_changes, states_change
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
    text: str | None


def lift_current(query: Query, sighted: Sequence[Sighting]) -> list[Hit]:
    """The hits in order. A lifted one gets the score and the relevance of the hit that it stands above, and its
    ranks say to which place it was lifted."""
    hits = [one.hit for one in sighted]
    if query.unit not in (None, Unit.TURN) or not asks_for_now(query.text):
        return hits
    first = sighted[:LOOKED_AT]
    if not any(_may_lift(one) for one in first[1:]):
        return hits
    vectors = [one.shelf.vectors([one.row])[0] for one in first]
    statements = [
        Statement(
            text=one.text if one.text is not None else one.shelf.chunks([one.row])[0].text,
            changes=_may_lift(one),
            at=(float(one.shelf.at[one.row]), int(one.shelf.turn[one.row])),
            score=one.hit.score,
        )
        for one in first
    ]
    lifted = lift_changes(query.text, statements, lambda a, b: float(vectors[a] @ vectors[b]))
    order = list(range(len(sighted)))
    for number, above in lifted.items():
        older = sighted[above].hit
        relevance = max(hits[number].relevance, older.relevance)
        order.remove(number)
        place = order.index(above)
        ranks = {**hits[number].ranks, "lifted": place + 1}
        hits[number] = replace(hits[number], score=older.score, relevance=relevance, ranks=ranks)
        order.insert(place, number)
    return [hits[number] for number in order]


def _may_lift(one: Sighting) -> bool:
    """Whether a user said it, word for word, and speaks of a change."""
    said = one.hit.kind is Kind.RAW and int(one.shelf.role[one.row]) == ROLE_CODES[Role.USER]
    return said and one.text is not None and states_change(one.text)

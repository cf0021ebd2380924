"""What can be looked up in an index: rankings, records, the words of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from seci.core.document import Record
from seci.core.note import Tier
from seci.core.ports import Embedder, Index
from seci.core.ranking import Hit, Query, Ranking
from seci.flows.search import Finder, search


class IndexLibrary:
    """Implements `flows.remember.Library` on an index."""

    def __init__(self, index: Index, embedder: Embedder, terms: Callable[[str], list[str]]) -> None:
        self._index = index
        self._finder = Finder(index, embedder, terms)

    def search(self, query: Query) -> Ranking:
        return search(query, self._finder)

    def record(self, path: str) -> Record | None:
        return self._index.record(path)

    def soul(self) -> Iterable[Record]:
        return self._index.records(Tier.SOUL)

    def turn_text(self, hit: Hit) -> str:
        """The turn's chunks, joined: a long turn lies in several."""
        wanted = set(hit.turns)
        return "\n".join(chunk.text for chunk in self._index.chunks_at(hit.path) if wanted & set(chunk.turns))

"""What can be looked up in an index: rankings, records, the words of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from seci.core.document import Record
from seci.core.note import Tier
from seci.core.ports import Embedder, Index
from seci.core.ranking import Hit, Query, Ranking
from seci.flows.search import Finder, search, search_each

_KEPT_QUESTIONS = 8


class IndexLibrary:
    """Implements `flows.remember.Library` on an index."""

    def __init__(self, index: Index, embedder: Embedder, terms: Callable[[str], list[str]]) -> None:
        self._index = index
        # One question is looked up among notes and among turns: it is embedded once.
        self._finder = Finder(index, lru_cache(_KEPT_QUESTIONS)(embedder.embed_query), terms)

    def search(self, query: Query) -> Ranking:
        return search(query, self._finder)

    def search_each(self, queries: Sequence[Query]) -> list[Ranking]:
        return search_each(queries, self._finder)

    def records(self, paths: Iterable[str]) -> Mapping[str, Record]:
        return self._index.records_at(paths)

    def soul(self) -> Iterable[Record]:
        return self._index.records_of(Tier.SOUL)

    def turn_texts(self, hits: Sequence[Hit]) -> list[str]:
        """Each turn's chunks, joined: a long turn lies in several."""
        found = self._index.chunks_at([(hit.path, hit.turns) for hit in hits])
        return ["\n".join(chunk.text for chunk in chunks) for chunks in found]

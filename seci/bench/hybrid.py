"""What seci itself runs: a real vault, a real index, and the search that `seci search` and `seci remember` call."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from seci.app import App, create_vault
from seci.bench.datasets import Case, Place
from seci.config import LanguageModelConfig, load_config
from seci.core.chunk import Kind
from seci.core.ports import Embedder
from seci.core.ranking import Hit, Query, Ranking, Unit
from seci.core.relevance import FEATURES, WEIGHTS, Weights
from seci.core.session import Session

ARCHIVE_ONLY = "none"


class TemporaryVault:
    """A vault in a temporary folder, its index held by this process, as a resident's is. The user's settings, vaults
    and processes stay out of it."""

    def __init__(self, environ: Mapping[str, str], embedder: Embedder) -> None:
        self._environ = environ
        self._embedder = embedder
        self._held = ExitStack()
        self.app: App | None = None

    def fill(self, sessions: Sequence[Session], distiller: str) -> App:
        """A new vault that holds these sessions, indexed; the one before is deleted. `distiller` writes notes as well,
        unless it is ARCHIVE_ONLY."""
        self.close()
        folder = self._held.enter_context(tempfile.TemporaryDirectory(prefix="seci-bench-"))
        app = make_vault(Path(folder), self._environ, self._embedder)
        self._held.enter_context(app.keeper.hold())
        if distiller == ARCHIVE_ONLY:
            archive_sessions(app, sessions)
            app.reindex()
        else:
            app.distill(sessions, distiller=distiller)
        self.app = app
        return app

    def close(self) -> None:
        self.app = None
        self._held.close()

    def size(self) -> int:
        """Bytes of the index on the disk."""
        if self.app is None:
            return 0
        return sum(path.stat().st_size for path in (self.app.state / "index").rglob("*") if path.is_file())


def make_vault(folder: Path, environ: Mapping[str, str], embedder: Embedder) -> App:
    """An empty vault in the folder, with settings of its own and that embedder."""
    own = {"HOME": str(folder), "SECI_CONFIG": str(folder / "config.toml"), "SECI_RESIDENT": "off"}
    environ = {**environ, **own, **_language_model(environ)}
    vault = create_vault(folder / "vault", environ).path
    app = App(vault, load_config(vault, environ), folder, environ)
    app.embedder = embedder
    return app


def _language_model(environ: Mapping[str, str]) -> dict[str, str]:
    """The user's language model, and where its answers are kept: a vault of the bench asks for nothing twice."""
    from seci.embedding.exports import default_cache

    llm = load_config(None, environ).llm
    if llm is None:
        return {}
    named = {"SECI_LLM_URL": llm.base_url, "SECI_LLM_MODEL": llm.model, "SECI_CACHE": str(default_cache(environ))}
    key = environ.get(llm.key_env)
    return {**named, LanguageModelConfig("", "").key_env: key} if key else named


def archive_sessions(app: App, sessions: Sequence[Session]) -> None:
    """Redacts sessions and writes them into the vault's archive, one commit, as distilling does, without notes."""
    ledger = app.ledger()
    changes: dict[str, str | None] = dict(ledger.render(app.redact(session)[0]) for session in sessions)
    app.transaction.write(changes, "Archive sessions")


class Hybrid:
    """Indexes what seci does: every turn of the archived sessions in windows that the model reads whole, dense and by
    keyword; asks `App.search`. With a distiller, the notes that it writes count for the units they cite."""

    def __init__(self, vault: TemporaryVault, distiller: str = ARCHIVE_ONLY) -> None:
        self._vault = vault
        self._distiller = distiller
        self._unit = Unit.SESSION

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._unit = unit
        self._vault.fill(sessions, self._distiller)

    def rank(self, case: Case, depth: int) -> list[Place]:
        app = self._vault.app
        if app is None:
            return []
        if self._distiller == ARCHIVE_ONLY:
            return [place_of(hit, self._unit) for hit in app.search(raw_query(case, self._unit, depth)).hits]
        both = replace(raw_query(case, self._unit, depth), kinds=frozenset(Kind))
        return gather_places(app, app.search(both), self._unit)[:depth]

    def size(self) -> int:
        return self._vault.size()


class HybridWithout:
    """Indexes nothing of its own: searches the index of `hybrid`, which must run before it, with one kind of evidence
    left out."""

    def __init__(self, vault: TemporaryVault, feature: str) -> None:
        self._vault = vault
        self._weights = drop_feature(feature)
        self._unit = Unit.SESSION

    def index(self, sessions: Sequence[Session], unit: Unit) -> None:
        self._unit = unit

    def rank(self, case: Case, depth: int) -> list[Place]:
        if self._vault.app is None:
            return []
        ranking = search_weighted(self._vault.app, raw_query(case, self._unit, depth), self._weights)
        return [place_of(hit, self._unit) for hit in ranking.hits]

    def size(self) -> int:
        return 0


def drop_feature(feature: str) -> Weights:
    """The weights of the house without one of them. Raises ValueError for a name that is none."""
    if feature not in FEATURES:
        raise ValueError(f"{feature!r} is not one of {', '.join(FEATURES)}")
    return replace(WEIGHTS, **{feature: 0.0})


def search_weighted(app: App, query: Query, weights: Weights) -> Ranking:
    """As `App.search`, with other weights."""
    from seci.flows.search import Finder, search
    from seci.index.tables import question_terms

    with app.keeper.read() as index:
        return search(query, Finder(index, app.embedder.embed_query, question_terms, weights))


def raw_query(case: Case, unit: Unit, depth: int) -> Query:
    """`seci search QUESTION --in raw --unit UNIT -k DEPTH --now ASKED`."""
    return Query(case.text, limit=depth, kinds=frozenset({Kind.RAW}), unit=unit, now=case.asked)


def place_of(hit: Hit, unit: Unit) -> Place:
    """The unit of a raw hit; a session's hit also names its best turn, which is no part of the unit."""
    return Place(hit.session or hit.id, None if unit is Unit.SESSION else hit.turns[0])


def gather_places(app: App, ranking: Ranking, unit: Unit) -> list[Place]:
    """The units of raw hits and those that notes cite, each at its best rank."""
    places: dict[Place, None] = {}
    with app.keeper.read() as index:
        records = index.records_at(hit.path for hit in ranking.hits if hit.kind is Kind.DISTILLED)
        for hit in ranking.hits:
            record = records.get(hit.path)
            cited = record.sources if record else ()
            for source in cited:
                for turn in source.turns:
                    places.setdefault(Place(source.session, None if unit is Unit.SESSION else turn))
            if not cited:
                places.setdefault(place_of(hit, unit))
    return list(places)

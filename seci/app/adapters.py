"""Adapters that need no vault, chosen by the user's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.config import DEFAULT_MODEL, Config, load_config
from seci.core.ports import Decision, Distiller, Embedder, PairReader
from seci.core.session import Failure, Session
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.router.inference import OnnxRouter
    from seci.router.workbench import Workbench


def notes_schema() -> dict[str, Any]:
    """The JSON schema of what `distill --notes` takes."""
    from seci.distillers.agent import notes_schema as schema

    return schema()


def make_embedder(config: Config, environ: Mapping[str, str]) -> Embedder:
    """The embedding model of the user's settings."""
    if config.embedding_model != DEFAULT_MODEL:
        from seci.embedding.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(config.embedding_model)
    from seci.embedding.cache import open_embedder
    from seci.embedding.exports import default_cache

    return open_embedder(default_cache(environ))


def make_reader(environ: Mapping[str, str], trained: Path | None = None) -> PairReader:
    """What reads two notes at once: the shipped cross-encoder or the one in `trained`, whatever the embedding model."""
    from seci.embedding.crossencoder.inference import open_reader
    from seci.embedding.exports import default_cache

    return open_reader(default_cache(environ), trained=trained)


def bench_embedder(environ: Mapping[str, str]) -> Embedder:
    """The embedding model for a measure that needs no vault."""
    return make_embedder(load_config(None, environ), environ)


def router_workbench(environ: Mapping[str, str]) -> Workbench:
    """What trains, measures and opens memory routers, with the user's embedding model."""
    from seci.embedding.cache import packaged_weights
    from seci.embedding.exports import default_cache
    from seci.router.workbench import Workbench

    return Workbench(bench_embedder(environ), packaged_weights(), default_cache(environ))


class LateRouter:
    """The shipped router, opened when there is a session to decide about: most runs find nothing new."""

    def __init__(self, config: Config, environ: Mapping[str, str], embedder: Callable[[], Embedder]) -> None:
        self._config = config
        self._environ = environ
        self._embedder = embedder
        self._opened: OnnxRouter | None = None

    def prepared(self, items: Iterable[Session | Failure]) -> Iterator[Session | Failure]:
        """The same items; what the router needs is exported before the first session, where it is missing. That takes
        half a minute once, and distilling decides under the vault's write lock: nobody else may wait for it."""
        asked = False
        for item in items:
            if not asked and isinstance(item, Session):
                asked = True
                if not self._is_exported():
                    self._open()
            yield item

    def decide(self, session: Session) -> list[Decision]:
        """Admits from the user's `router.threshold` on; without one, what the router keeps and the turns of people that
        it is unsure of."""
        opened = self._open()
        return opened.admit(session) if self._config.router_threshold is None else opened.decide(session)

    def _is_exported(self) -> bool:
        from seci.embedding.cache import FOLDER
        from seci.embedding.exports import default_cache, is_sound
        from seci.router.weights import graph_of, shipped_weights

        cache = default_cache(self._environ)
        return graph_of(shipped_weights(), cache).is_file() and is_sound(cache / FOLDER)

    def _open(self) -> OnnxRouter:
        if self._opened is None:
            from seci.embedding.cache import packaged_weights
            from seci.embedding.exports import default_cache
            from seci.router.inference import open_router

            cache, threshold = default_cache(self._environ), self._config.router_threshold
            self._opened = open_router(self._embedder(), packaged_weights(), cache, threshold=threshold)
        return self._opened


def read_sessions(paths: Iterable[Path]) -> Iterator[Session | Failure]:
    """The sessions of files and folders, for a command that needs no vault."""
    from seci.sources.registry import load_registry

    return load_registry().read(paths)


def make_distiller(name: str, max_tokens: int | None, environ: Mapping[str, str]) -> Distiller:
    """By name. Raises UserError for an unknown one, or for one that has no settings."""
    if name == "rules":
        from seci.distillers.rules import RulesDistiller

        return RulesDistiller()
    if name != "llm":
        raise UserError(f"{name!r} is not a distiller; there are rules and llm", subject="--distiller")
    from seci.config import user_config_path
    from seci.distillers.completions import CompletionCache
    from seci.distillers.endpoint import EndpointSettings, OpenAiEndpoint
    from seci.distillers.llm import LlmDistiller, LlmSettings
    from seci.distillers.rules import RulesDistiller
    from seci.embedding.exports import default_cache

    llm = load_config(None, environ).llm
    if llm is None:
        raise UserError(
            "no language model is set",
            subject=str(user_config_path(environ)),
            hint='add [llm] with base_url = "http://127.0.0.1:11434/v1" and model = "…", or set SECI_LLM_URL and '
            "SECI_LLM_MODEL",
        )
    return LlmDistiller(
        OpenAiEndpoint(EndpointSettings(llm.base_url, llm.model, environ.get(llm.key_env))),
        LlmSettings(llm.model, max_tokens=max_tokens),
        RulesDistiller(),
        CompletionCache(default_cache(environ) / "completions"),
    )


def describe_spending(distiller: Distiller) -> dict[str, object] | None:
    """What a language model's distiller has cost so far, None for one that costs nothing."""
    if distiller.name != "llm":
        return None
    from dataclasses import asdict

    from seci.distillers.llm import LlmDistiller

    return asdict(distiller.report()) if isinstance(distiller, LlmDistiller) else None

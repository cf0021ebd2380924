"""The real model, exported once a run, and its tokenizer, which needs no export."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.embedding.cache import FOLDER, packaged_weights, prepare_model
from seci.embedding.export import TOKENIZER_FILE
from seci.embedding.exports import default_cache, is_sound
from seci.embedding.onnx import OnnxEmbedder, load_tokenizer
from seci.embedding.tokens import TokenizerCounter


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the exported model: the one that is there already where SECI_CACHE names one, else made now."""
    import os

    cache = default_cache(os.environ) if os.environ.get("SECI_CACHE") else tmp_path_factory.getbasetemp().parent
    if not is_sound(cache / FOLDER):
        prepare_model(cache, packaged_weights())
    return cache / FOLDER


@pytest.fixture(scope="session")
def embedder(exported: Path) -> OnnxEmbedder:
    return OnnxEmbedder(exported, threads=1)


@pytest.fixture(scope="session")
def counter() -> TokenizerCounter:
    return TokenizerCounter(load_tokenizer(packaged_weights() / TOKENIZER_FILE))

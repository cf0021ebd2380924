"""Any sentence-transformers model, by name or folder: `embedding.model` in the user's settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.embedding.prompts import Prompts, select_prompts
from seci.embedding.tokens import TokenizerCounter
from seci.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

LARGEST_WINDOW = 8192  # for models that state no limit of their own
BATCH_TEXTS = 16
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.model", "*.txt")


class SentenceTransformerEmbedder:
    """Implements `core.ports.Embedder`. `window` counts a text's own tokens: the model's special tokens and its
    passage prompt are already taken off. Longer texts are cut by the model."""

    def __init__(self, model: str, device: str | None = None) -> None:
        """`model` is a folder, or a name that sentence-transformers finds or downloads. Raises ModelError."""
        self._model = _load(model, device)
        self._tokenizer = _fast_tokenizer(self._model, model)
        self._prompts = select_prompts(_family(model, self._model), dict(self._model.prompts or {}))
        self.name = f"{model}@{_version(model, self._model)}/{_prompt_mark(self._prompts)}"
        self.dimensions = 0  # until the model has shown its own
        self.dimensions = int(self._encode(["dimensions"], "").shape[1])
        self.window = self._window()

    @property
    def counter(self) -> TokenizerCounter:
        return TokenizerCounter(self._tokenizer)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encode(texts, self._prompts.passage)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._encode([text], self._prompts.query)[0]
        return vector

    def _encode(self, texts: Sequence[str], prompt: str) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        vectors = self._model.encode(
            list(texts),
            prompt=prompt or None,
            batch_size=BATCH_TEXTS,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, np.float32)

    def _window(self) -> int:
        most = int(min(self._model.max_seq_length or LARGEST_WINDOW, LARGEST_WINDOW))
        special = int(self._tokenizer.num_special_tokens_to_add(is_pair=False))
        window = most - special - self.counter.count(self._prompts.passage)
        if window < 1:
            raise ModelError(f"its window of {most} tokens leaves no room for a text", subject=self.name)
        return window


def _load(model: str, device: str | None) -> Any:
    try:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(model, device=device)
    except Exception as error:  # the library lets through whatever torch, transformers and the network raise
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise ModelError(
            f"the embedding model cannot be loaded: {first}",
            subject=model,
            hint="embedding.model is a sentence-transformers model's folder, or its name where it can be downloaded",
        ) from error


def _fast_tokenizer(loaded: Any, model: str) -> Tokenizer:
    """A copy of the model's own, so that counting without truncation does not change what the model reads."""
    from tokenizers import Tokenizer

    backend = getattr(loaded.tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ModelError("its tokenizer gives no offsets (no tokenizer.json), so texts cannot be cut", subject=model)
    return Tokenizer.from_str(backend.to_str())


def _family(model: str, loaded: Any) -> str:
    """A name that tells the model's family: a local folder may be called anything."""
    own = getattr(getattr(loaded[0], "auto_model", None), "name_or_path", "") or ""
    return f"{own} {model}"


def _version(model: str, loaded: Any) -> str:
    """What tells two states of one name apart: the hash of a folder's files, or the commit that was downloaded."""
    folder = Path(model)
    if folder.is_dir():
        digest = hashlib.sha256()
        for path in sorted({path for pattern in _WEIGHTS for path in folder.rglob(pattern)}):
            digest.update(path.relative_to(folder).as_posix().encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:12]
    commit = getattr(getattr(getattr(loaded[0], "auto_model", None), "config", None), "_commit_hash", None)
    return str(commit or "unknown")[:12]


def _prompt_mark(prompts: Prompts) -> str:
    return hashlib.sha256(f"{prompts.query}\0{prompts.passage}".encode()).hexdigest()[:8]

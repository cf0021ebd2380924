"""The default embedder: all-MiniLM-L6-v2 on onnxruntime, without torch.

The same text always gives the same bits, whatever else is in its batch: the transformer's hidden states do not depend
on batch, padding or threads (measured; a test holds it), and the mean is taken here, token by token in order. That is
what makes a rebuilt index answer exactly as the old one did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.embedding.export import INPUTS, MODEL_FILE, TOKENIZER_FILE, WEIGHTS_SHA256
from seci.embedding.tokens import TokenizerCounter
from seci.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MAX_SEQUENCE = 256  # tokens that the model was made for, [CLS] and [SEP] among them
SPECIAL_TOKENS = 2
BATCH_TOKENS = 512  # padding included; larger batches leave the processor cache and cost a third more
BATCH_TEXTS = 32
MAX_THREADS = 4


class ExportedModel:
    """A model and its tokenizer in a folder of the cache."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        """`folder` holds model.onnx and tokenizer.json. Each is loaded by the first call that needs it, which raises
        ModelError when it cannot be: who only compares an index with its vault waits for neither."""
        self._folder = folder
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return _open_session(self._folder / MODEL_FILE, self._threads)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._folder / TOKENIZER_FILE)


class OnnxEmbedder(ExportedModel):
    """Implements `core.ports.Embedder` on an exported model. `window` counts a text's own tokens, without [CLS] and
    [SEP]; a longer text is cut there, as sentence-transformers does."""

    name = f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:12]}/onnx-fp32"
    dimensions = 384
    window = MAX_SEQUENCE - SPECIAL_TOKENS

    @cached_property
    def counter(self) -> TokenizerCounter:
        """One for everybody: it remembers what it counted."""
        return TokenizerCounter(self._tokenizer)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        ids = self._token_ids(texts)
        for batch in plan_batches([len(row) for row in ids]):
            vectors[batch] = self._run([ids[i] for i in batch])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """As `embed`: this model has no query prompt."""
        vector: NDArray[np.float32] = self._run(self._token_ids([text]))[0]
        return vector

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """One text after the other: the tokenizer's own threads would warn at every later fork, for a percent of the
        time."""
        rows = (self._tokenizer.encode(text).ids for text in texts)
        return [ids if len(ids) <= MAX_SEQUENCE else [*ids[: MAX_SEQUENCE - 1], ids[-1]] for ids in rows]

    def _run(self, rows: list[list[int]]) -> NDArray[np.float32]:
        import numpy as np

        shape = (len(rows), max(map(len, rows)))
        ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        (hidden,) = self._session.run(None, dict(zip(INPUTS, (ids, mask), strict=True)))
        vectors = np.stack([hidden[n, : len(row)].sum(axis=0) / len(row) for n, row in enumerate(rows)])
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        normal: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
        return normal


def plan_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions in batches of like length: at most BATCH_TEXTS, and at most BATCH_TOKENS with their padding."""
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i], i))
    batch: list[int] = []
    for position in order:
        if batch and (len(batch) == BATCH_TEXTS or (len(batch) + 1) * lengths[position] > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def load_tokenizer(path: Path) -> Tokenizer:
    """Without truncation and padding. Raises ModelError when the file is missing or damaged."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the library raises no other
        raise ModelError(f"the tokenizer cannot be read: {error}", subject=str(path)) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _open_session(path: Path, threads: int | None) -> Any:
    import os

    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or min(MAX_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # it keeps the largest batch's memory for ever and buys nothing measurable
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting must not cost CPU
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's share no base of their own
        raise ModelError(f"the model cannot be loaded: {error}", subject=str(path)) from error

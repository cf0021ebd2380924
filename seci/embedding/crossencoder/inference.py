"""The cross-encoder at work: onnxruntime, no torch. Implements `core.ports.PairReader`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.core.note import Note
from seci.core.opinion import Opinion
from seci.embedding.cache import packaged_weights
from seci.embedding.crossencoder.weights import MAX_TOKENS, adapters_digest, shipped_adapters
from seci.embedding.export import MODEL_FILE, TOKENIZER_FILE
from seci.embedding.exports import FORMAT, Export, is_sound, prepare_export
from seci.embedding.onnx import load_tokenizer, open_session, plan_batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

START, END = 101, 102  # [CLS] and [SEP] in the vocabulary of BERT
_DIGITS = 3  # of a probability: what arithmetic in another order may change lies far below


def open_reader(cache: Path, *, trained: Path | None = None, threads: int | None = None) -> OnnxPairReader:
    """The shipped cross-encoder, or the one in the folder `trained`, exported into `cache` first where that is missing.
    Raises ModelError."""
    adapters = trained or shipped_adapters()
    digest = adapters_digest(adapters)
    folder = cache / f"pairs-{digest[:12]}-onnx{FORMAT}"
    if not is_sound(folder):
        arguments = (str(packaged_weights()), str(adapters))
        module = "seci.embedding.crossencoder.export"
        prepare_export(cache, Export(folder.name, module, arguments, digest, "cross-encoder"))
    return OnnxPairReader(folder, threads)


class OnnxPairReader:
    """Reads pairs of notes, older first. Longer notes are cut after MAX_TOKENS; two of those fit the model's window."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self._folder = folder
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return open_session(self._folder / MODEL_FILE, self._threads)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._folder / TOKENIZER_FILE)

    def read(self, pairs: Sequence[tuple[Note, Note]]) -> list[Opinion]:
        """One opinion for each pair, in order. Raises ModelError when the model cannot be loaded."""
        opinions: list[Opinion | None] = [None] * len(pairs)
        rows = [(self._tokens(older), self._tokens(newer)) for older, newer in pairs]
        for batch in plan_batches([len(a) + len(b) + 3 for a, b in rows]):
            for place, row in zip(batch, self._run([rows[i] for i in batch]), strict=True):
                opinions[place] = Opinion(*(round(float(value), _DIGITS) for value in row))
        return [opinion for opinion in opinions if opinion is not None]

    def _tokens(self, note: Note) -> list[int]:
        ids: list[int] = self._tokenizer.encode(word_note(note), add_special_tokens=False).ids
        return ids[:MAX_TOKENS]

    def _run(self, rows: Sequence[tuple[list[int], list[int]]]) -> NDArray[np.float64]:
        """(n, 4) probabilities."""
        import numpy as np

        shape = (len(rows), max(len(a) + len(b) for a, b in rows) + 3)
        ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
        for number, (older, newer) in enumerate(rows):
            row = [START, *older, END, *newer, END]
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
            types[number, len(older) + 2 : len(row)] = 1
        logits = self._session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})[0]
        powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return probabilities


def word_note(note: Note) -> str:
    """What the cross-encoder reads of a note."""
    return f"{note.title}. {note.body}".strip(". ")

"""The cross-encoder at work: onnxruntime, no torch. Implements `core.ports.PairReader`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seci.core.note import Note
from seci.core.opinion import Opinion
from seci.embedding.cache import packaged_weights
from seci.embedding.crossencoder.export import INPUTS
from seci.embedding.crossencoder.inputs import TokenPair, count_tokens, lay_out, read_tokens
from seci.embedding.crossencoder.weights import RELATIONS, adapters_digest, shipped_adapters
from seci.embedding.exports import FORMAT, Export, is_sound, prepare_export
from seci.embedding.onnx import ExportedModel, plan_batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class OnnxPairReader(ExportedModel):
    """Reads pairs of notes, older first."""

    def read(self, pairs: Sequence[tuple[Note, Note]]) -> list[Opinion]:
        """One opinion for each pair, in order. Raises ModelError when the model cannot be loaded."""
        import numpy as np

        rows = [read_tokens(self._tokenizer, older, newer) for older, newer in pairs]
        probabilities = np.zeros((len(rows), len(RELATIONS)))
        for batch in plan_batches([count_tokens(row) for row in rows]):
            probabilities[batch] = self._run([rows[i] for i in batch])
        return [Opinion(*(round(float(value), _DIGITS) for value in row)) for row in probabilities]

    def _run(self, rows: Sequence[TokenPair]) -> NDArray[np.float64]:
        """(n, 4) probabilities."""
        import numpy as np

        (logits,) = self._session.run(None, dict(zip(INPUTS, lay_out(rows), strict=True)))
        powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return probabilities

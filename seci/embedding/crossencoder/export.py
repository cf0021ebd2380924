"""`python -m seci.embedding.crossencoder.export ENCODER TRAINED TARGET`: the cross-encoder to ONNX, in a child process.

The adapters are multiplied out into the transformer's own weights first, so that they cost nothing afterwards.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

from seci.embedding.export import MODEL_FILE, OPSET, TOKENIZER_FILE, WEIGHTS_FILE, ExportError, check_weights
from seci.errors import ModelError

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "logits"
_TOLERANCE = 1e-3  # of a logit


def export_pairs(encoder: Path, trained: Path, target: Path) -> None:
    """Writes `model.onnx` and `tokenizer.json` into the existing folder `target`. Raises ExportError when the export
    does not agree with the network it was made from, ModelError when the adapters are damaged."""
    import torch

    from seci.embedding.crossencoder.network import load_network

    check_weights(encoder / WEIGHTS_FILE)
    network = load_network(trained, encoder)
    torch.manual_seed(0)
    ids = torch.randint(1000, 20000, (2, 12))
    types = torch.tensor([[0] * 6 + [1] * 6, [0] * 4 + [1] * 8])
    sample = (ids, torch.ones_like(ids), types)
    axes = {0: "pairs", 1: "length"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        expected = network(*sample).numpy()
        network.merge()
        torch.onnx.export(
            network,
            sample,
            str(target / MODEL_FILE),
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes={**dict.fromkeys(INPUTS, axes), OUTPUT: {0: "pairs"}},
            opset_version=OPSET,
            dynamo=False,
        )
    (target / TOKENIZER_FILE).write_bytes((encoder / TOKENIZER_FILE).read_bytes())
    _compare(target / MODEL_FILE, dict(zip(INPUTS, (tensor.numpy() for tensor in sample), strict=True)), expected)


def _compare(model: Path, sample: dict[str, Any], expected: Any) -> None:
    import numpy as np
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    worst = float(np.abs(session.run(None, sample)[0] - expected).max())
    if worst > _TOLERANCE:
        raise ExportError(f"the exported cross-encoder disagrees with the trained one by {worst:.2g}")


def main(arguments: list[str]) -> int:
    encoder, trained, target = map(Path, arguments)
    try:
        export_pairs(encoder, trained, target)
    except (ExportError, ModelError) as error:
        print(json.dumps({"error": str(error)}), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m seci.embedding.export WEIGHTS TARGET`: all-MiniLM-L6-v2 from sentence-transformers to ONNX.

It runs as a child process, once: torch and sentence-transformers take seconds and most of a gigabyte, and the process
that asked never sees them. What is exported is the transformer up to its last hidden state; the mean over the tokens
and the normalisation are done by whoever runs it, since a reduction inside the graph adds up in another order for one
text than for a batch and the same text would get different bits (seci.embedding.onnx).
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
WEIGHTS_FILE = "model.safetensors"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INPUTS = ("input_ids", "attention_mask")
OUTPUT = "last_hidden_state"
OPSET = 17
_CHECK = ("A short text.", "Numbers 8080, naïve accents and 漢字.", "A longer text that goes on. " * 60)
_LEAST_COSINE = 0.9999


class ExportError(Exception):
    """Said on standard error by `main`, so that the parent process can pass it on."""


def export_model(weights: Path, target: Path) -> None:
    """Writes `model.onnx` and `tokenizer.json` into the existing folder `target`.

    Raises ExportError when the weights are not those of all-MiniLM-L6-v2 or the export does not agree with
    sentence-transformers.
    """
    check_weights(weights / WEIGHTS_FILE)
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(weights), device="cpu")
    _export_transformer(model, target / MODEL_FILE)
    (target / TOKENIZER_FILE).write_bytes((weights / TOKENIZER_FILE).read_bytes())
    _compare(model, target)


def check_weights(path: Path) -> None:
    """Raises ExportError unless the file has the sha256 of the upstream weights."""
    if not path.is_file():
        raise ExportError(f"{path}: there are no weights")
    found = sha256_of(path)
    if found != WEIGHTS_SHA256:
        raise ExportError(f"{path}: sha256 is {found}, not {WEIGHTS_SHA256}: not the weights of all-MiniLM-L6-v2")


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _export_transformer(model: Any, path: Path) -> None:
    import torch

    class HiddenState(torch.nn.Module):
        def __init__(self, transformer: torch.nn.Module) -> None:
            super().__init__()
            self.transformer = transformer

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            hidden: torch.Tensor = self.transformer(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=torch.zeros_like(input_ids)
            )[0]
            return hidden

    transformer = model[0].auto_model.eval()
    transformer.set_attn_implementation("eager")
    sample = torch.ones(2, 8, dtype=torch.long)
    axes = {0: "batch", 1: "sequence"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            HiddenState(transformer).eval(),
            (sample, sample),
            str(path),
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes=dict.fromkeys((*INPUTS, OUTPUT), axes),
            opset_version=OPSET,
            dynamo=False,
        )


def _compare(model: Any, target: Path) -> None:
    from seci.embedding.onnx import OnnxEmbedder

    ours = OnnxEmbedder(target).embed(_CHECK)
    theirs = model.encode(list(_CHECK), normalize_embeddings=True)
    worst = float((ours * theirs).sum(axis=1).min())
    if worst < _LEAST_COSINE:
        raise ExportError(f"the exported model disagrees with sentence-transformers: cosine {worst:.6f}")


def main(arguments: list[str]) -> int:
    weights, target = arguments
    try:
        export_model(Path(weights), Path(target))
    except ExportError as error:
        print(json.dumps({"error": str(error)}), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

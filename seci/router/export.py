"""`python -m seci.router.export TRAINED ENCODER TARGET`: a trained router to ONNX, once, in a child process.

The child pays for torch; the process that asked goes on without it. The graph takes the sequences, their mask and the
plain features of n turns and gives the probability of ADD and the content type's number.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

INPUTS = ("sequences", "mask", "features")
OUTPUTS = ("probability", "type")
OPSET = 17
_TOLERANCE = 1e-4


class ExportError(Exception):
    """Said on standard error by `main`, so that the parent process can pass it on."""


def export_router(trained: Path, encoder: Path, target: Path) -> None:
    """Writes the ONNX file `target`. Raises ExportError when it does not agree with the network it was made from."""
    import torch

    from seci.router.persist import load_model
    from seci.router.weights import read_card

    model = load_model(trained, encoder).eval()
    card = read_card(trained)

    class Decider(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.router = model

        def forward(
            self, sequences: torch.Tensor, mask: torch.Tensor, features: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor]:
            operation, kind = self.router(sequences, mask, features)
            return operation.softmax(-1)[:, 1], kind.argmax(-1)

    length = (card.settings.chunks if card.settings.history else 0) + 1
    torch.manual_seed(0)
    sample = (
        torch.nn.functional.normalize(torch.randn(3, length, card.width), dim=-1),
        torch.ones(3, length, dtype=torch.long),
        torch.rand(3, len(card.features)),
    )
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Decider().eval(),
            sample,
            str(target),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes={name: {0: "turns"} for name in (*INPUTS, *OUTPUTS)},
            opset_version=OPSET,
            dynamo=False,
        )
        expected = Decider()(*sample)[0].numpy()
    _compare(target, [tensor.numpy() for tensor in sample], expected)


def _compare(target: Path, sample: list[object], expected: object) -> None:
    import numpy as np
    import onnxruntime as ort

    session = ort.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    given = {item.name: value for item, value in zip(session.get_inputs(), _present(session, sample), strict=True)}
    found = session.run([OUTPUTS[0]], given)[0]
    worst = float(np.abs(found - expected).max())
    if worst > _TOLERANCE:
        raise ExportError(f"the exported router disagrees with the trained one by {worst:.2g}")


def _present(session: object, sample: list[object]) -> list[object]:
    """The sample without inputs that the graph lost because the settings do not use them."""
    names = {item.name for item in session.get_inputs()}  # type: ignore[attr-defined]
    return [value for name, value in zip(INPUTS, sample, strict=True) if name in names]


def main(arguments: list[str]) -> int:
    trained, encoder, target = map(Path, arguments)
    try:
        export_router(trained, encoder, target)
    except ExportError as error:
        print(json.dumps({"error": str(error)}), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

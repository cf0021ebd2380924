"""The default embedder: the same vectors as sentence-transformers, and the same bits every time."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seci.embedding.cache import packaged_weights
from seci.embedding.onnx import BATCH_TEXTS, BATCH_TOKENS, OnnxEmbedder, plan_batches
from seci.errors import ModelError

PLAIN = "the hook registry must be rebuilt after an agent is added because its cache keeps old paths on port 8080"
ODD = (
    "naïve Straße 東京都 документация 배포 deploy(config) => { return null; } https://example.org/a?b=c # ** `x` \n 😀"
)
WORDS = [*PLAIN.split(" "), *ODD.split(" ")]


def varied_texts(count: int) -> list[str]:
    """From empty to several windows long, of many scripts and of code."""
    generator = random.Random(7)
    lengths = [0, 1, 2, 3, 254, 255, 256, 257, 600, 3000]
    lengths += [generator.choice((2, 5, 10, 20, 40)) + generator.randrange(9) for _ in range(count - len(lengths))]
    return [" ".join(generator.choices(WORDS, k=length)) for length in lengths]


@pytest.mark.model
def test_parity_with_sentence_transformers(exported: Path) -> None:
    """In a child, so that torch stays out of this process."""
    code = """
import json, sys
from sentence_transformers import SentenceTransformer
from seci.embedding.cache import packaged_weights
texts = json.load(sys.stdin)
vectors = SentenceTransformer(str(packaged_weights()), device="cpu").encode(texts, normalize_embeddings=True)
print(json.dumps(vectors.tolist()))
"""
    texts = varied_texts(200)
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(texts), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = np.array(json.loads(done.stdout.splitlines()[-1]), np.float64)
    ours = OnnxEmbedder(exported).embed(texts).astype(np.float64)
    cosines = (ours * theirs).sum(axis=1) / np.linalg.norm(theirs, axis=1) / np.linalg.norm(ours, axis=1)
    assert cosines.shape == (200,)
    assert cosines.min() >= 0.9999


@pytest.mark.model
def test_the_same_text_has_the_same_bits_in_any_company(exported: Path, embedder: OnnxEmbedder) -> None:
    texts = varied_texts(60)
    together = embedder.embed(texts)
    np.testing.assert_array_equal(embedder.embed(texts[::-1])[::-1], together)
    np.testing.assert_array_equal(OnnxEmbedder(exported, threads=2).embed(texts[5:25]), together[5:25])
    for position in (0, 3, 17, 42):
        np.testing.assert_array_equal(embedder.embed([texts[position]])[0], together[position])
        np.testing.assert_array_equal(embedder.embed_query(texts[position]), together[position])


@pytest.mark.model
def test_vectors_are_units_of_the_promised_shape(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(varied_texts(30))
    assert vectors.shape == (30, embedder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, embedder.dimensions)


@pytest.mark.model
def test_meaning_is_near_and_other_things_are_far(embedder: OnnxEmbedder) -> None:
    near, far = embedder.embed(["We deploy on Fridays.", "My cat likes fish."])
    question = embedder.embed_query("When is the release rolled out?")
    assert question @ near > question @ far + 0.2


@pytest.mark.model
def test_the_window_is_what_the_model_sees(embedder: OnnxEmbedder) -> None:
    text = "word " * embedder.window
    inside, same, beyond = embedder.embed([text, text + "zebra " * 50, text.removesuffix("word ") + "zebra"])
    np.testing.assert_array_equal(inside, same)
    assert not np.array_equal(inside, beyond)


@pytest.mark.model
def test_neither_torch_nor_anything_heavy_is_imported(exported: Path) -> None:
    code = """
import sys
from pathlib import Path
from seci.embedding.cache import packaged_weights
from seci.embedding.onnx import OnnxEmbedder
assert not {"onnxruntime", "numpy", "tokenizers"} & set(sys.modules), "imported too early"
OnnxEmbedder(Path(sys.argv[1])).embed_query("hello")
print({"torch", "transformers", "sentence_transformers", "chromadb"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code, str(exported)], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr


def test_batches_hold_every_text_once_and_little_padding() -> None:
    generator = random.Random(1)
    lengths = [generator.randrange(2, 257) for _ in range(500)]
    batches = list(plan_batches(lengths))
    assert sorted(position for batch in batches for position in batch) == list(range(500))
    assert all(len(batch) <= BATCH_TEXTS for batch in batches)
    padded = [len(batch) * max(lengths[i] for i in batch) for batch in batches]
    assert max(padded) <= BATCH_TOKENS
    assert sum(padded) < 1.05 * sum(lengths)


def test_a_text_longer_than_a_batch_is_a_batch() -> None:
    assert list(plan_batches([BATCH_TOKENS * 2, 1])) == [[1], [0]]


def test_what_cannot_be_loaded_is_a_model_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        OnnxEmbedder(tmp_path).embed_query("hello")
    shutil.copy(packaged_weights() / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match=r"model\.onnx"):
        OnnxEmbedder(tmp_path).embed_query("hello")

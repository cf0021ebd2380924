"""Any other model: a small random one, made here, behaves as its settings say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seci.embedding.sentence_transformer import SentenceTransformerEmbedder
from seci.errors import ModelError

pytestmark = pytest.mark.model  # torch takes seconds to import

WORDS = ["query", "passage", ":", "hook", "registry", "bicycle", "red", "the", "a", "##s"]
WINDOW = 24


def make_model(folder: Path, prompts: dict[str, str] | None = None) -> str:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    tokenizer = Tokenizer(models.WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    special = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    parts = folder.with_name(f"{folder.name}-parts")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(parts)
    torch.manual_seed(1)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=64, **size)).save_pretrained(parts)
    transformer = Transformer(str(parts))
    transformer.max_seq_length = WINDOW
    model = SentenceTransformer(modules=[transformer, Pooling(32)], device="cpu", prompts=prompts)
    model.save(str(folder))
    return str(folder)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("models") / "plain")


@pytest.fixture(scope="module")
def prompted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("models") / "prompted", {"query": "query: ", "document": "passage: "})


def test_shapes_and_window_come_from_the_model(plain: str) -> None:
    embedder = SentenceTransformerEmbedder(plain, "cpu")
    vectors = embedder.embed(["the red bicycle", "a hook"])
    assert vectors.shape == (2, 32) == (2, embedder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, 32)
    assert embedder.window == WINDOW - 2


def test_what_is_beyond_the_window_is_not_seen_and_counted_without_cutting(plain: str) -> None:
    embedder = SentenceTransformerEmbedder(plain, "cpu")
    text = "hook " * embedder.window
    inside, same = embedder.embed([text, text + "red " * 20])
    np.testing.assert_allclose(inside, same, atol=1e-6)
    assert embedder.counter.count(text + "red " * 20) == embedder.window + 20
    assert len(embedder.counter.windows(text + "red " * 20, embedder.window)) == 2


def test_a_model_s_own_prompts_are_used_and_take_their_room(plain: str, prompted: str) -> None:
    with_prompts, without = SentenceTransformerEmbedder(prompted, "cpu"), SentenceTransformerEmbedder(plain, "cpu")
    np.testing.assert_allclose(with_prompts.embed(["hook"])[0], without.embed(["passage: hook"])[0], atol=1e-6)
    np.testing.assert_allclose(with_prompts.embed_query("hook"), without.embed(["query: hook"])[0], atol=1e-6)
    assert with_prompts.window == without.window - 2


def test_a_family_that_states_its_prompts_in_prose_gets_them_from_the_table(plain: str, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "e5-tiny"
    shutil.copytree(plain, folder)
    renamed, without = SentenceTransformerEmbedder(str(folder), "cpu"), SentenceTransformerEmbedder(plain, "cpu")
    np.testing.assert_allclose(renamed.embed_query("hook"), without.embed(["query: hook"])[0], atol=1e-6)


def test_the_name_changes_with_the_weights(plain: str, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(plain, folder)
    first = SentenceTransformerEmbedder(str(folder), "cpu").name
    assert SentenceTransformerEmbedder(str(folder), "cpu").name == first
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert SentenceTransformerEmbedder(str(folder), "cpu").name != first


def test_a_model_that_is_not_there_is_a_model_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="cannot be loaded") as caught:
        SentenceTransformerEmbedder(str(tmp_path / "nothing"))
    assert str(tmp_path / "nothing") in str(caught.value)

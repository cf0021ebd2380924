"""Preparing the model: checked, made once, made again when damaged, and a clear word when it cannot be made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seci.embedding.cache import (
    FOLDER,
    open_embedder,
    packaged_weights,
    prepare_model,
)
from seci.embedding.export import MODEL_FILE, TOKENIZER_FILE, WEIGHTS_FILE, WEIGHTS_SHA256, sha256_of
from seci.embedding.exports import MANIFEST, default_cache, is_sound
from seci.errors import ModelError


def test_the_packaged_weights_are_upstream_s() -> None:
    assert sha256_of(packaged_weights() / WEIGHTS_FILE) == WEIGHTS_SHA256


def test_the_cache_is_where_the_user_says() -> None:
    assert default_cache({"SECI_CACHE": "/somewhere"}) == Path("/somewhere")
    assert default_cache({}).name == "seci"


def test_other_weights_are_refused_with_both_hashes(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / WEIGHTS_FILE).write_bytes(b"other weights")
    with pytest.raises(ModelError, match=f"not {WEIGHTS_SHA256}") as caught:
        prepare_model(tmp_path / "cache", weights)
    assert caught.value.exit_code == 6
    assert not (tmp_path / "cache" / FOLDER).exists()
    assert [p.name for p in (tmp_path / "cache").iterdir()] == [f"{FOLDER}.lock"]


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there are no weights"):
        prepare_model(tmp_path, tmp_path / "nowhere")


def test_a_cache_that_cannot_be_written_is_a_model_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="cannot be prepared"):
        prepare_model(tmp_path / "file" / "cache", packaged_weights())


def test_a_caller_that_must_not_wait_does_not(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not prepared yet"):
        open_embedder(tmp_path, may_export=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.model
def test_a_sound_export_is_taken_as_it_is(exported: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(exported, tmp_path / FOLDER)
    before = (copy / MODEL_FILE).stat()
    assert is_sound(copy)
    assert prepare_model(tmp_path, tmp_path / "nowhere") == copy  # no weights are needed
    assert (copy / MODEL_FILE).stat().st_ino == before.st_ino
    (copy / MODEL_FILE).touch()
    assert is_sound(copy)  # hashed again, and the same


@pytest.mark.model
@pytest.mark.parametrize("damage", ["flipped byte", "cut", "no model", "no manifest", "bad manifest", "tokenizer"])
def test_damage_is_seen(exported: Path, tmp_path: Path, damage: str) -> None:
    copy = shutil.copytree(exported, tmp_path / FOLDER)
    model = copy / MODEL_FILE
    if damage == "flipped byte":
        content = bytearray(model.read_bytes())
        content[len(content) // 2] ^= 1
        model.write_bytes(content)
    elif damage == "cut":
        model.write_bytes(model.read_bytes()[:1000])
    elif damage == "no model":
        model.unlink()
    elif damage == "no manifest":
        (copy / MANIFEST).unlink()
    elif damage == "bad manifest":
        (copy / MANIFEST).write_text('{"files": []}')
    else:
        (copy / TOKENIZER_FILE).write_text("{}")
    assert not is_sound(copy)


@pytest.mark.model
def test_a_damaged_export_is_made_again_once_by_two_at_a_time(exported: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(exported, tmp_path / FOLDER)
    (copy / MODEL_FILE).write_bytes(b"damaged")
    code = (
        "import sys; from pathlib import Path; from seci.embedding.cache import open_embedder; "
        "print(open_embedder(Path(sys.argv[1])).embed_query('hello')[:3].tolist())"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = {process.communicate()[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert answers == {f"{open_embedder(exported.parent).embed_query('hello')[:3].tolist()}\n"}
    assert is_sound(copy)
    assert sha256_of(copy / MODEL_FILE) == sha256_of(exported / MODEL_FILE)  # an export is reproducible
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([FOLDER, f"{FOLDER}.lock"])

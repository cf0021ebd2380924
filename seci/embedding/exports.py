"""Exported models in the user's cache: each made once, by a child process, behind a lock, and checked when opened."""

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

from seci.embedding.export import MODEL_FILE, TOKENIZER_FILE, sha256_of
from seci.errors import ModelError

FORMAT = 1  # of the cached folder; another one is exported again
MANIFEST = "manifest.json"
EXPORT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Export:
    """What is exported: into which folder of the cache, by which module (`python -m module *arguments FOLDER`), from
    what. `what` names it in messages."""

    folder: str
    module: str
    arguments: tuple[str, ...]
    weights: str  # sha256
    what: str = "embedding model"


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


def is_sound(folder: Path) -> bool:
    """Whether the folder holds a whole export. A file whose size or time changed is hashed again."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        seals = {name: FileSeal(**manifest["files"][name]) for name in (MODEL_FILE, TOKENIZER_FILE)}
        return all(_matches(folder / name, seal) for name, seal in seals.items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def prepare_export(cache: Path, export: Export) -> Path:
    """Exports into `cache`, unless a sound export is there: another process may have made it while this one waited for
    the lock. Raises ModelError."""
    from filelock import FileLock

    folder = cache / export.folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / f"{export.folder}.lock", timeout=EXPORT_SECONDS):
            if not is_sound(folder):
                with tempfile.TemporaryDirectory(prefix=f"{export.folder}.", dir=cache) as temporary:
                    made = Path(temporary) / "made"
                    made.mkdir()
                    _export_in_child(export, made)
                    _seal(made, export.weights)
                    if folder.exists():
                        shutil.move(folder, Path(temporary) / "damaged")
                    made.rename(folder)
    except (OSError, TimeoutError) as error:
        raise ModelError(f"the {export.what} cannot be prepared: {error}", subject=str(cache)) from error
    return folder


def _export_in_child(export: Export, target: Path) -> None:
    command = [sys.executable, "-m", export.module, *export.arguments, str(target)]
    subject = export.arguments[0]
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
        raise ModelError(f"the export took over {EXPORT_SECONDS} seconds", subject=subject) from error
    if done.returncode != 0:
        raise ModelError(_last_words(done.stderr, done.returncode), subject=subject)


def _last_words(stderr: str, code: int) -> str:
    """The child's own message where it left one, else the last line it wrote."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    last = lines[-1] if lines else "no message"
    if last.startswith('{"error"'):
        return str(json.loads(last)["error"])
    return f"the export to ONNX failed (exit {code}): {last}"


def _seal(folder: Path, weights: str) -> None:
    files = {}
    for name in (MODEL_FILE, TOKENIZER_FILE):
        path = folder / name
        status = path.stat()
        files[name] = asdict(FileSeal(sha256_of(path), status.st_size, status.st_mtime_ns))
    manifest = {"format": FORMAT, "weights": weights, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _matches(path: Path, seal: FileSeal) -> bool:
    status = path.stat()
    if status.st_size != seal.size:
        return False
    return status.st_mtime_ns == seal.mtime_ns or sha256_of(path) == seal.sha256

"""Answers that were paid for, kept by the hash of what was asked."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class CompletionCache:
    """One small JSON file an answer, readable by the user only. A file that cannot be read is asked for again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """What was put under the key, or None."""
        try:
            value = json.loads(self._path(key).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Written whole or not at all."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, written = tempfile.mkstemp(dir=path.parent, suffix=".new")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file)
        Path(written).replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def completion_key(model: str, messages: object, schema: object) -> str:
    """The same question to the same model has the same key, wherever the model is served."""
    text = json.dumps([model, messages, schema], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()

"""Small documents with made-up vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from seci.core.chunk import Chunk, Kind, digest_passage
from seci.core.document import Document, Record
from seci.index.keyword import Stamp

DIMENSIONS = 8
Entry = tuple[Document, np.ndarray]


def make_entry(path: str, *texts: str) -> Entry:
    kind = Kind.RAW if path.startswith("sessions/") else Kind.DISTILLED
    chunks = tuple(
        Chunk(f"{path}#{n}", kind, path, path, text, len(text.split()), digest_passage(text))
        for n, text in enumerate(texts)
    )
    rows = []
    for text in texts:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
        vector = np.random.default_rng(seed).normal(size=DIMENSIONS)
        rows.append(vector / np.linalg.norm(vector))
    record = Record(path, f"digest of {texts}", kind, path, path)
    return Document(record, chunks), np.array(rows, np.float32).reshape(len(texts), DIMENSIONS)


@pytest.fixture
def entry() -> Callable[..., Entry]:
    return make_entry


@pytest.fixture
def stamp() -> Stamp:
    return Stamp("test-model", DIMENSIONS, 16)

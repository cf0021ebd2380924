"""An embedder whose vectors are sums over words, for tests that need no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


class WordCounter:
    """A token is a word."""

    def count(self, text: str) -> int:
        return len(text.split())

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        words = text.split()
        return [" ".join(words[start : start + limit]) for start in range(0, len(words), limit)]


@dataclass
class WordEmbedder:
    """Sees the first `window` words, and remembers what it was asked to embed."""

    window: int = 12
    name: str = "words"
    dimensions: int = 48
    counter: WordCounter = field(default_factory=WordCounter)
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        return np.array([self.embed_query(text) for text in texts], np.float32).reshape(len(texts), self.dimensions)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(self.dimensions)
        for word in text.casefold().split()[: self.window]:
            seed = int.from_bytes(hashlib.sha256(word.strip(".,:?").encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).normal(size=self.dimensions)
        return (total / max(float(np.linalg.norm(total)), 1e-9)).astype(np.float32)

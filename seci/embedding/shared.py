"""One embedding for everybody who asks: what the router has embedded, the index need not embed again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seci.core.ports import Embedder, TokenCounter

CAPACITY = 20_000
"""Vectors that are remembered: 30 MB at 384 dimensions."""


class SharedEmbedder:
    """An `Embedder` that remembers the vectors it gave, the oldest forgotten first."""

    def __init__(self, inner: Embedder, capacity: int = CAPACITY) -> None:
        self._inner = inner
        self._capacity = capacity
        self._known: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def window(self) -> int:
        return self._inner.window

    @property
    def counter(self) -> TokenCounter:
        return self._inner.counter

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        vectors = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        if missing:
            vectors |= zip(missing, self._inner.embed(list(missing.values())), strict=True)
        for key, vector in vectors.items():
            self._known[key] = vector
            self._known.move_to_end(key)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return np.array([vectors[key] for key in keys], np.float32).reshape(len(keys), self.dimensions)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._inner.embed_query(text)

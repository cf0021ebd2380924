"""How much of a text an embedding model never sees when it is embedded whole.

What is beyond the window is cut off without a word: that is why embedding sessions whole loses to embedding extracts
(Rankfor.AI's SECI vault puts it at 90 percent of a session), and why seci embeds windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowAudit:
    """Tokens of whole texts and of the chunks they were cut into, against a window. Shares are 0..1."""

    window: int
    texts: int
    tokens: int
    longer: int  # texts that do not fit
    hidden_whole: int  # tokens that the model would not have seen, each text embedded whole
    hidden_chunks: int  # tokens that it does not see of the chunks: 0 unless something is wrong

    @property
    def share_whole(self) -> float:
        return self.hidden_whole / self.tokens if self.tokens else 0.0

    @property
    def share_chunks(self) -> float:
        return self.hidden_chunks / self.tokens if self.tokens else 0.0


def audit_window(window: int, texts: Iterable[int], chunks: Iterable[int]) -> WindowAudit:
    """From the token counts of whole texts (sessions, notes) and of the chunks that stand for them."""
    counts = list(texts)
    return WindowAudit(
        window=window,
        texts=len(counts),
        tokens=sum(counts),
        longer=sum(count > window for count in counts),
        hidden_whole=sum(max(0, count - window) for count in counts),
        hidden_chunks=sum(max(0, count - window) for count in chunks),
    )

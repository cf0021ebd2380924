"""What the network is given of a pair of notes, in training and at work: [CLS] older [SEP] newer [SEP]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seci.core.note import Note

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

START, END = 101, 102  # [CLS] and [SEP] in the vocabulary of BERT
MARKS = 3  # of them around a pair
MAX_TOKENS = 124  # of each note; two and their marks fit the model's window

TokenPair = tuple[list[int], list[int]]  # older and newer


def read_tokens(tokenizer: Tokenizer, older: Note, newer: Note) -> TokenPair:
    """The token ids of title and body of both, cut after MAX_TOKENS."""
    first, second = (
        tokenizer.encode(f"{note.title}. {note.body}".strip(". "), add_special_tokens=False).ids[:MAX_TOKENS]
        for note in (older, newer)
    )
    return first, second


def count_tokens(pair: TokenPair) -> int:
    return len(pair[0]) + len(pair[1]) + MARKS


def lay_out(pairs: Sequence[TokenPair]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(ids, mask, types), each (pairs, longest): mask 1 for what counts, types 1 for the newer note and its end."""
    import numpy as np

    shape = (len(pairs), max(map(count_tokens, pairs)))
    ids, mask, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for number, (older, newer) in enumerate(pairs):
        tokens = [START, *older, END, *newer, END]
        ids[number, : len(tokens)] = tokens
        mask[number, : len(tokens)] = 1
        types[number, len(older) + 2 : len(tokens)] = 1
    return ids, mask, types

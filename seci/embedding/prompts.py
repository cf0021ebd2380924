"""What a model wants before a question and before a passage.

Models trained with instructions lose several points without them. A model's own `prompts` (in its
config_sentence_transformers.json) go first; this table holds the families whose cards state them only in prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompts:
    """Put before the text as it stands, spaces included."""

    query: str = ""
    passage: str = ""


# From the model cards of nomic-ai, BAAI and intfloat. bge-m3 and the e5 "instruct" models differ from their families.
_FAMILIES: tuple[tuple[re.Pattern[str], Prompts], ...] = (
    (re.compile(r"nomic-embed-text"), Prompts("search_query: ", "search_document: ")),
    (re.compile(r"bge-m3"), Prompts()),
    (re.compile(r"bge-.*-zh"), Prompts("为这个句子生成表示以用于检索相关文章：")),
    (re.compile(r"bge-.*-en"), Prompts("Represent this sentence for searching relevant passages: ")),
    (
        re.compile(r"e5-.*instruct"),
        Prompts("Instruct: Given a question, retrieve passages that answer it\nQuery: "),
    ),
    (re.compile(r"\be5-"), Prompts("query: ", "passage: ")),
)


def select_prompts(name: str, own: Mapping[str, str]) -> Prompts:
    """The model's own prompts where it has any ("query" and "document" or "passage"), else its family's, else none."""
    query = own.get("query", "")
    passage = own.get("document") or own.get("passage") or ""
    if query or passage:
        return Prompts(query, passage)
    return next((prompts for pattern, prompts in _FAMILIES if pattern.search(name.lower())), Prompts())

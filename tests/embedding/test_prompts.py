"""Which words go before a question and a passage."""

from __future__ import annotations

import pytest

from seci.embedding.prompts import Prompts, select_prompts


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("BAAI/bge-large-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-m3", "", ""),
        ("sentence-transformers/all-mpnet-base-v2", "", ""),
        ("/models/some-e5-copy", "query: ", "passage: "),
    ],
)
def test_the_family_tells(name: str, query: str, passage: str) -> None:
    assert select_prompts(name, {"query": "", "document": ""}) == Prompts(query, passage)


def test_e5_instruct_wants_no_passage_prefix() -> None:
    prompts = select_prompts("intfloat/multilingual-e5-large-instruct", {})
    assert prompts.query.startswith("Instruct: ")
    assert prompts.passage == ""


def test_a_model_s_own_prompts_go_first() -> None:
    assert select_prompts("intfloat/e5-base", {"query": "Q: ", "document": "D: "}) == Prompts("Q: ", "D: ")
    assert select_prompts("unknown", {"passage": "P: "}) == Prompts("", "P: ")

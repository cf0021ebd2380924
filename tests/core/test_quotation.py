"""A quotation is short, whole, and about the question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seci.core.quotation import QUOTATION_WORDS, select_quotation, word_count

LONG = " ".join(f"Sentence number {i} talks about nothing in particular here." for i in range(40))


def test_it_is_the_sentence_that_holds_the_words() -> None:
    text = f"{LONG} The webhook was sent twice because the queue redelivers. {LONG}"
    quotation = select_quotation(text, frozenset({"webhook", "queue"}), 20)
    assert "The webhook was sent twice because the queue redelivers." in quotation
    assert quotation.startswith("… ") and quotation.endswith(" …")


def test_a_short_text_is_quoted_whole() -> None:
    assert select_quotation("Use tabs.  Not spaces.", frozenset()) == "Use tabs. Not spaces."


@given(st.text(max_size=2000), st.frozensets(st.text(max_size=5), max_size=5))
def test_it_never_grows_past_its_limit(text: str, terms: frozenset[str]) -> None:
    quotation = select_quotation(text, terms)
    assert word_count(quotation.strip("… ")) <= QUOTATION_WORDS + 1

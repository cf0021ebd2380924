"""What a context says already is found without comparing everything with everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seci.core.repetition import NEAR_DUPLICATE, Said, passage_words

WORDS = st.frozensets(st.sampled_from([*"abcdefghijklmnop", "8080", "8081"]), max_size=12)


@given(st.lists(WORDS, max_size=12), WORDS)
def test_the_first_passage_that_says_the_same_is_the_one_a_plain_comparison_finds(
    entered: list[frozenset[str]], words: frozenset[str]
) -> None:
    said = Said()
    for number, other in enumerate(entered):
        said.add(str(number), other)
    assert said.twin(words) == plain_twin(entered, words)


def plain_twin(entered: list[frozenset[str]], words: frozenset[str]) -> str | None:
    for number, other in enumerate(entered):
        enough = bool(words) and len(words & other) / len(words) >= NEAR_DUPLICATE
        if enough and not {"8080", "8081"} & (words - other):
            return str(number)
    return None


def test_a_shorter_wording_is_a_repetition_and_a_longer_one_is_not() -> None:
    said = Said()
    said.add("whole", passage_words("Port", "The server listens on port 8080 of localhost."))
    assert said.twin(passage_words("Port", "The server listens on port 8080.")) == "whole"
    assert said.twin(passage_words("Port", "The server listens on port 8081.")) is None
    longer = "The server listens on port 8080 of localhost until the gateway takes over all its certificates."
    assert said.twin(passage_words("Port", longer)) is None

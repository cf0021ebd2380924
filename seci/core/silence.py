"""When a prompt gets nothing: most of what people type needs no memory, and what is injected unasked costs attention.

The limits were set on 94 questions about 23 coding sessions and on 100 prompts that need no memory
(tests/data/silent_prompts.txt), asked of the same vault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from seci.core.chunk import Kind
from seci.core.context import Passage

AUDIBLE = 0.5  # relevance of the best passage under which nothing is said
LEAST = 0.1  # relevance of any passage
PROMPT_TERMS = 2  # "go on", "ok, do it" and "1" ask for nothing that could be looked up
NEW_TERMS = 6  # that a quotation must hold beyond the prompt's: "yes please" finds every "yes, please"


def is_worth_saying(prompt: str, passages: Iterable[Passage], terms: Callable[[str], list[str]]) -> bool:
    """Whether one of the passages is relevant enough to be put before an agent that did not ask."""
    asked = frozenset(terms(prompt))
    if len(asked) < PROMPT_TERMS:
        return False
    return any(
        passage.signals.relevance >= AUDIBLE
        and (passage.candidate.kind is not Kind.RAW or len({*terms(passage.candidate.text)} - asked) >= NEW_TERMS)
        for passage in passages
    )

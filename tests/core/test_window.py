"""How much a window hides."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seci.core.window import audit_window


def test_what_is_beyond_the_window_is_hidden() -> None:
    audit = audit_window(254, [100, 254, 2540], [100, 254, *([254] * 10)])
    assert (audit.texts, audit.longer, audit.tokens) == (3, 1, 2894)
    assert audit.hidden_whole == 2286
    assert audit.share_whole == 2286 / 2894
    assert audit.share_chunks == 0


def test_a_chunk_that_is_too_long_shows() -> None:
    assert audit_window(254, [300], [300]).hidden_chunks == 46


def test_nothing_hides_nothing() -> None:
    assert audit_window(254, [], []).share_whole == audit_window(254, [], []).share_chunks == 0


@given(st.integers(1, 500), st.lists(st.integers(0, 5000)))
def test_seen_and_hidden_are_all_there_is(window: int, texts: list[int]) -> None:
    audit = audit_window(window, texts, [])
    assert audit.hidden_whole + sum(min(count, window) for count in texts) == audit.tokens
    assert 0 <= audit.share_whole <= 1

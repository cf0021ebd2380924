"""Windows: every turn once and whole, none too large."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seci.core.session import Role, Turn
from seci.distillers.windows import estimate_tokens, plan_windows

TURNS = st.lists(st.text(alphabet="ab \n日", max_size=900), max_size=12).map(
    lambda texts: tuple(Turn(i, Role.USER, text) for i, text in enumerate(texts))
)


@given(TURNS, st.integers(80, 400), st.integers(0, 3))
def test_windows_hold_every_turn_and_respect_the_limit(turns: tuple[Turn, ...], limit: int, overlap: int) -> None:
    windows = plan_windows(turns, limit, overlap)
    own = "".join(t.text for w in windows for t in w.turns if t.index not in w.context)
    carried_pieces = any(t.index in w.context for w in windows for t in w.turns)
    assert {t.index for w in windows for t in w.turns} == {t.index for t in turns}
    assert all(sum(estimate_tokens(t.text) for t in w.turns) <= limit for w in windows)
    if overlap == 0:
        assert own == "".join(t.text for t in turns)
        assert not carried_pieces


def test_a_long_turn_is_cut_at_line_ends() -> None:
    text = "".join(f"line {i} says something\n" for i in range(200))
    windows = plan_windows((Turn(4, Role.USER, text),), 300, 1)
    assert len(windows) > 3
    assert all(turn.index == 4 for window in windows for turn in window.turns)
    assert all(piece.text.endswith("\n") for window in windows for piece in window.turns)


def test_cjk_counts_a_token_for_each_character() -> None:
    assert estimate_tokens("日本語" * 100) >= 300
    assert estimate_tokens("word " * 100) < 200

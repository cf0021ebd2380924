"""Plain features: known cases, and that none of them looks ahead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seci.core.session import Role, Turn
from seci.router.features import count_words, feature_names, score_features, split_sentences, split_words


def row(*turns: Turn) -> dict[str, float]:
    """The features of the last turn by name."""
    return dict(zip(feature_names(), score_features(turns)[-1].tolist(), strict=True))


def user(index: int, text: str, **more: object) -> Turn:
    return Turn(index, Role.USER, text, **more)  # type: ignore[arg-type]


@given(st.lists(st.text(max_size=80), min_size=1, max_size=8), st.integers(1, 8))
def test_a_turn_is_judged_by_what_came_before_it_only(texts: list[str], cut: int) -> None:
    turns = [user(number, text) for number, text in enumerate(texts)]
    whole = score_features(turns)
    assert np.array_equal(whole[:cut], score_features(turns[:cut]))
    assert whole.shape == (len(turns), len(feature_names()))
    assert np.isfinite(whole).all()


def test_narration_is_told_from_what_is_left() -> None:
    narrated = row(Turn(0, Role.ASSISTANT, "Let me look at the parser."))
    found = row(Turn(0, Role.ASSISTANT, "The parser drops the last row because the buffer is never flushed."))
    assert narrated["words_left"] == 0.0
    assert narrated["narrated_share"] == 1.0
    assert found["words_left"] > 2.0
    assert found["cue_cause"] > 0.0


def test_a_question_counts_in_scripts_with_their_own_mark() -> None:
    assert row(user(0, "这个接口为什么很慢？"))["ends_asking"] == 1.0
    assert row(user(0, "Why is this slow?"))["ends_asking"] == 1.0
    assert row(user(0, "It is slow."))["ends_asking"] == 0.0


def test_cues_are_found_in_the_languages_of_the_list() -> None:
    for text in (
        "verwende nie floats, bitte",
        "utilise toujours la virgule",
        "永远不要用浮点数，必须用整数",
        "必ず整数を使ってください",
    ):
        assert row(user(0, text))["cue_lasting"] > 0.0, text


def test_an_instruction_for_good_is_told_from_one_for_now() -> None:
    for text in ("From now on run the linter", "D’ora in poi usa i tab", "никогда не пиши в main", "以后先跑测试"):
        assert row(user(0, text))["user_lasting"] == 1.0, text
    for text in ("now run the linter", "please go on", "does it always fail?", "bitte weiter"):
        assert row(user(0, text))["user_lasting"] == 0.0, text
    assert row(Turn(0, Role.ASSISTANT, "I will always run it."))["user_lasting"] == 0.0


def test_the_words_of_a_phrase_are_no_cues_of_their_own() -> None:
    assert row(user(0, "now we wait"))["cue_narrate"] > 0.0
    assert row(user(0, "From now on we wait"))["cue_narrate"] == 0.0
    assert row(user(0, "From now on we wait"))["opens_lasting"] == 1.0


def test_a_long_silence_starts_a_new_sitting() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    talk = [user(0, "hi", at=noon), user(1, "a word", at=noon + timedelta(minutes=5))]
    assert row(*talk, user(2, "and more", at=noon + timedelta(minutes=9)))["is_first"] == 0.0
    assert row(*talk, user(2, "good morning", at=noon + timedelta(hours=20)))["is_first"] == 1.0


def test_a_repeated_long_text_is_noticed() -> None:
    plan = "Implement the following plan: change the default of telemetry to disabled"
    assert row(user(0, plan), user(1, plan))["repeats_turn"] == 1.0
    assert row(user(0, plan), user(1, plan))["new_words"] == 0.0


def test_two_characters_without_spaces_count_as_a_word() -> None:
    assert count_words("登录接口") == 2.0
    assert count_words("the login endpoint") == 3.0
    assert split_words("login 接口") == ["login", "接", "口"]


def test_sentences_end_at_marks_of_both_widths_and_at_lines() -> None:
    assert split_sentences("One. Two! 三。四？\nFive") == ["One.", "Two!", "三。", "四？", "Five"]

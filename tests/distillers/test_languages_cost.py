"""Odd text in every language: no crash, no pattern that runs away."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.session import Session
from seci.distillers.language import Voices, load_cues
from seci.distillers.quoting import quote_session
from tests.distillers.phrases import PHRASES
from tests.distillers.sessions import session_of

LANGUAGES = sorted(PHRASES)
RUNS = {
    "de": ("ab jetzt immer ", "nicht, sondern ", "wie kann ich "),
    "nl": ("voortaan altijd ", "niet, maar ", "hoe kan ik "),
    "fr": ("ne jamais ", "pas ça, mais ", "comment on "),
    "es": ("a partir de ahora ", "no, sino ", "cómo puedo "),
    "pt": ("daqui em diante ", "não, mas sim ", "como posso "),
    "zh": ("以后都要", "不是，而是", "怎么，"),
    "ja": ("必ず", "ではなく、", "どうすれば"),
    "ko": ("항상 ", "아니라 ", "어떻게 "),
}


def quoted(language: str, session: Session) -> float:
    cues = load_cues()[language]
    began = time.process_time()
    drafts = quote_session(session, frozenset(turn.index for turn in session.turns), Voices(cues, cues))
    took = time.process_time() - began
    for draft in drafts:
        assert draft.title and draft.body and "\n" not in draft.title
        assert set(draft.turns) <= {turn.index for turn in session.turns}
    return took


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_runs_of_cues_stay_fast(language: str) -> None:
    for run in (*RUNS[language], "x", ", ", "`a` ", "1. ", "«", "？"):
        text = (run * 20_000)[:20_000]
        assert quoted(language, session_of(("user", text), ("assistant", text), ("user", f"{text}?"))) < 5


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=25)
@given(data=st.data())
def test_any_mixture_of_sentences_gives_sound_notes(language: str, data: st.DataObject) -> None:
    lines = [line.strip() for lines in PHRASES[language].values() for line in lines.strip().splitlines()]
    part = st.one_of(
        st.sampled_from(lines), st.text(max_size=40), st.sampled_from(["- ", "\n", "**x**: ", "```\nls\n```", "1. "])
    )
    turns = data.draw(st.lists(st.lists(part, max_size=5).map(" ".join), max_size=6))
    quoted(language, session_of(*(("user" if at % 2 == 0 else "assistant", text) for at, text in enumerate(turns))))

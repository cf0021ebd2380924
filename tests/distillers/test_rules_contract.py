"""What every draft promises, whatever the session holds."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.note import Tier
from seci.core.session import Session
from seci.distillers.episodes import LEAD
from seci.distillers.titles import WHOLE_LIMIT
from tests.distillers.sessions import distill, session_of

_PIECES = st.sampled_from(
    [
        "## Heading\n",
        "**Bold label**: the cache is stale because the key lacks the tenant.\n",
        "- item one fails when the disk is full\n",
        "  - nested `code`\n",
        "1. Added `retry()` to avoid the timeout\n",
        "| a | b |\n|---|---|\n| x | y |\n",
        "```bash\nmake test  # run all\nmake lint  # check style\n```\n",
        "```\nunclosed",
        "Let me look at the file.\n",
        "You're right. The default must be 30 seconds since the proxy waits that long.\n",
        "I prefer tabs and never use spaces.\n",
        "Can you rename the option to `--quiet` so that it matches the others?\n",
        "Implement the following plan:\n\n# Plan: Move the cache\n\n## Context\n\nThe cache is slow because of "
        "locks.\n",
        "2, but keep the old name\n",
        "yes\n",
        "> quoted\n",
        "✅ All tests pass.\n",
        "これは設定です。常に英語で答えてください。\n",
        '(((((`"**[[',
    ]
)
_TEXTS = st.one_of(st.text(max_size=400), st.lists(_PIECES, max_size=8).map("".join))
_SESSIONS = st.lists(st.tuples(st.sampled_from(["user", "assistant", "Ann"]), _TEXTS), max_size=8).map(
    lambda turns: session_of(*turns)
)


@settings(max_examples=250, deadline=None)
@given(_SESSIONS, st.data())
def test_any_session_gives_sound_drafts(session: Session, data: st.DataObject) -> None:
    indices = [turn.index for turn in session.turns]
    fresh = frozenset(data.draw(st.sets(st.sampled_from(indices)))) if indices else frozenset()
    drafts = distill(session, fresh)
    assert drafts == distill(session, fresh)
    assert sum(draft.tier is Tier.EPISODE for draft in drafts) <= 1
    for draft in drafts:
        longest = WHOLE_LIMIT + (len(LEAD) if draft.tier is Tier.EPISODE else 0)
        assert len(draft.body.split()) <= 80
        assert draft.title.strip() and "\n" not in draft.title and len(draft.title) <= longest
        assert "\n" not in draft.body and "```" not in draft.body and "**" not in draft.body
        assert not re.match(r"#{1,6} |[-*] |\|", draft.body)
        assert set(draft.turns) <= set(indices) and fresh & set(draft.turns)
        assert 0 <= draft.importance <= 1 and 0 <= draft.confidence <= 1


@settings(max_examples=15, deadline=2000)
@given(st.sampled_from(["(", "`", "**", "- ", "a ", "a, ", "I'd like ", '"', "| ", "# ", "you're right ", "x: ", "é"]))
def test_long_runs_of_anything_stay_fast(piece: str) -> None:
    text = piece * 5000
    distill(session_of(("user", text), ("assistant", text)))

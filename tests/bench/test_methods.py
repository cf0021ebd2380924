"""What each baseline indexes, shown by what it finds and what it cannot."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from seci.bench.datasets import Case, Place
from seci.bench.methods import BASELINES
from seci.bench.seed import render_dialogue, render_extract, render_user
from seci.bench.tables import select_best
from seci.core.ranking import Unit
from seci.core.session import Role, Session, Turn
from tests.bench.words import WordEmbedder

AT = datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
LONG = "filler " * 40


def session(name: str, *texts: str) -> Session:
    roles = (Role.USER, Role.ASSISTANT)
    return Session("t", name, tuple(Turn(n, roles[n % 2], text, AT) for n, text in enumerate(texts)))


SESSIONS = (
    session("boat", "we painted the boat red", "a fine colour"),
    session("bread", "my bread did not rise", "use fresh yeast"),
    session("late", f"{LONG} zeppelin", "noted"),
)


def ask(text: str) -> Case:
    return Case("q", text, "", frozenset({Place("t:boat")}))


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_finds_what_stands_in_front(name: str) -> None:
    method = BASELINES[name](WordEmbedder())
    method.index(SESSIONS, Unit.SESSION)
    assert method.rank(ask("painted boat red"), 3)[0] == Place("t:boat")
    method.index(SESSIONS, Unit.TURN)
    assert method.rank(ask("painted boat red"), 3)[0] == Place("t:boat", 0)
    assert len(method.rank(ask("painted boat red"), 2)) == 2
    assert method.size() > 0 or name == "grep"


def test_what_the_window_hides_is_found_in_windows_and_by_words_only() -> None:
    found = {}
    for name, make in BASELINES.items():
        method = make(WordEmbedder())
        method.index(SESSIONS, Unit.SESSION)
        found[name] = method.rank(ask("zeppelin"), 1) == [Place("t:late")]
    assert [name for name in found if found[name]] == ["bm25-unit", "bm25-window", "dense-window", "grep"]


def test_the_seeds_user_method_cannot_return_an_assistant_turn() -> None:
    method = BASELINES["seed-user"](WordEmbedder())
    method.index(SESSIONS, Unit.TURN)
    assert {place.turn for place in method.rank(ask("fresh yeast"), 10)} == {0}


def test_the_seeds_three_texts() -> None:
    one = session("s", "first " + "u" * 600, "answer one", "last question", "b" * 300)
    assert render_dialogue(one).splitlines()[1:3] == ["Assistant: answer one", "User: last question"]
    assert "answer" not in render_user(one)
    extract = render_extract(one)
    assert "2023/05/20 (Sat) 02:21" in extract
    context = extract.split("## User Context\n")[1].split("\n")[0]
    assert len(context) == 500 and context.startswith("first uuu")
    assert "- Follow-up: last question\n" in extract
    assert f"- Resolution: {'b' * 200}\n" in extract
    assert "Follow-up" not in render_extract(session("s", "only one"))


def test_the_seeds_hybrid_lifts_what_holds_the_questions_words() -> None:
    """Equal by rank: one is first raw, the other first extracted; the words decide."""
    method = BASELINES["seed-hybrid"](WordEmbedder(window=400))
    hidden = session("hidden", f"{LONG} {LONG} zeppelin hangar", "yes")
    method.index((*SESSIONS, hidden), Unit.SESSION)
    assert method.rank(ask("zeppelin hangar"), 2)[0] == Place("t:hidden")


def test_a_unit_stands_where_its_best_row_does() -> None:
    a, b, c = (Place(name) for name in "abc")
    assert select_best([a, b, a, c], [0.1, 0.5, 0.9, 0.5], 10) == [a, b, c]
    assert select_best([a, b, a, c], [0.1, 0.5, 0.9, 0.5], 2) == [a, b]

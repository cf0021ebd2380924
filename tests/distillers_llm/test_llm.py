"""The distiller over a scripted server: windows, repair, fallback, budget, cache, what is believed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.distillers.completions import CompletionCache
from seci.distillers.endpoint import EndpointSettings, OpenAiEndpoint
from seci.distillers.llm import LlmDistiller, LlmSettings
from seci.errors import ModelError
from tests.distillers_llm.scripted import Script, Step, note, notes, serve, session

QUEUE = session(
    "Should the import queue use Redis or Postgres? We have 3 workers.",
    "Use Postgres: SELECT ... FOR UPDATE SKIP LOCKED serves 3 workers well, and one database less has to be backed up.",
    "Good, Postgres then. Keep the retry limit at 5.",
    "Done: worker.py retries a job 5 times and then moves it to dead_jobs.",
)
GOOD = note(
    "The import queue lives in Postgres",
    "The import queue uses Postgres with FOR UPDATE SKIP LOCKED rather than Redis, since 3 workers are served well and "
    "one database less has to be backed up.",
    [0, 1, 2],
)
RETRIES = note("A job is retried 5 times", "worker.py retries a job 5 times and then moves it to dead_jobs.", [2, 3])


class RulesStandIn:
    """A distiller that says which turns it was given: one fact about the first, one episode."""

    name = "rules"

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[int, ...], frozenset[int]]] = []

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        numbers = tuple(turn.index for turn in session.turns)
        self.asked.append((numbers, fresh))
        turns = tuple(sorted(fresh))[:1]
        fact = Draft(f"rules on {numbers}", "by the rules", Namespace.DOCS, Tier.MEMORY, NoteType.FACT, turns)
        return [fact, Draft("rules episode", "told", Namespace.PROJECTS, Tier.EPISODE, NoteType.EVENT, turns)]


def build(
    script: Script, rules: RulesStandIn | None = None, cache: Path | None = None, **settings: Any
) -> LlmDistiller:
    endpoint = OpenAiEndpoint(EndpointSettings(script.url, "m", timeout=5, retries=1), sleep=lambda _: None)
    kept = CompletionCache(cache) if cache else None
    return LlmDistiller(endpoint, LlmSettings("m", **settings), rules or RulesStandIn(), kept)


def everything(s: Session) -> frozenset[int]:
    return frozenset(turn.index for turn in s.turns)


def titles(drafts: list[Draft]) -> list[str]:
    return [draft.title for draft in drafts if draft.tier is not Tier.EPISODE]


def test_notes_come_back_as_drafts_with_their_turns() -> None:
    episode = note("Choosing the import queue", GOOD["body"], [0, 1, 2], tier="episode", type="event")
    with serve(Step(notes(GOOD, RETRIES, episode))) as script:
        distiller = build(script)
        drafts = distiller.distill(QUEUE, everything(QUEUE))
    assert [(d.title, d.turns, d.tier.value) for d in drafts] == [
        (GOOD["title"], (0, 1, 2), "memory"),
        (RETRIES["title"], (2, 3), "memory"),
        (episode["title"], (0, 1, 2), "episode"),
    ]
    report = distiller.report()
    assert (report.windows, report.calls, report.prompt_tokens, report.completion_tokens) == (1, 1, 100, 20)


def test_the_prompt_holds_numbered_turns_and_nothing_of_the_tools() -> None:
    with serve(Step(notes(GOOD))) as script:
        build(script).distill(QUEUE, everything(QUEUE))
    text = script.requests[0]["messages"][1]["content"]
    headings = re.findall(r"^\[(\d)\] (\w+)", text, re.MULTILINE)
    assert headings == [
        ("0", "user"),
        ("1", "assistant"),
        ("2", "user"),
        ("3", "assistant"),
    ]


def test_an_episode_is_always_there() -> None:
    with serve(Step(notes(GOOD))) as script:
        drafts = build(script).distill(QUEUE, everything(QUEUE))
    assert [d.title for d in drafts if d.tier is Tier.EPISODE] == ["rules episode"]


def test_what_the_turns_do_not_support_is_dropped_and_counted() -> None:
    changed = {**RETRIES, "title": "A job is retried 9 times", "body": RETRIES["body"].replace("5", "9")}
    invented = {**GOOD, "title": "Kafka holds the queue", "body": GOOD["body"].replace("Postgres", "Kafka")}
    with serve(Step(notes(GOOD, changed, invented))) as script:
        distiller = build(script)
        drafts = distiller.distill(QUEUE, everything(QUEUE))
    assert titles(drafts) == [GOOD["title"]]
    assert distiller.report().dropped == {"figure": 1, "name": 1}


def test_only_drafts_about_fresh_turns_come_back_and_old_windows_are_not_sent() -> None:
    with serve(Step(notes(GOOD, RETRIES))) as script:
        drafts = build(script).distill(QUEUE, frozenset({3}))
        assert titles(drafts) == [RETRIES["title"]]
        assert "other than 0, 1, 2" in script.requests[0]["messages"][1]["content"]
        assert build(script).distill(QUEUE, frozenset()) == []
    assert len(script.requests) == 1


# --- answers that cannot be used


def test_a_wrong_answer_is_sent_back_once_with_what_is_wrong() -> None:
    wrong = {**GOOD, "namespace": "stuff", "turns": [0, 17]}
    with serve(Step(notes(wrong)), Step(notes(GOOD))) as script:
        distiller = build(script)
        drafts = distiller.distill(QUEUE, everything(QUEUE))
    assert titles(drafts) == [GOOD["title"]]
    asked = script.requests[1]["messages"]
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert "notes[0].namespace: must be one of brain, patterns" in asked[-1]["content"]
    assert distiller.report().repaired == 1


@pytest.mark.parametrize(
    "broken", ["Sure! Here are your notes.", '{"notes": [{"title": "x', "{}", "", "[1, 2]", '{"notes": 3}']
)
def test_the_rules_take_over_where_the_second_answer_is_no_better(broken: str) -> None:
    rules = RulesStandIn()
    with serve(Step(broken)) as script:
        distiller = build(script, rules)
        drafts = distiller.distill(QUEUE, everything(QUEUE))
    assert titles(drafts) == ["rules on (0, 1, 2, 3)"]
    assert len(script.requests) == 2
    assert distiller.report().fell_back == {"malformed": 1}


def test_good_notes_of_a_half_wrong_answer_are_kept_when_the_repair_fails() -> None:
    wrong = {**GOOD, "type": "idea"}
    with serve(Step(notes(RETRIES, wrong)), Step("sorry")) as script:
        drafts = build(script).distill(QUEUE, everything(QUEUE))
    assert titles(drafts) == [RETRIES["title"]]


def test_a_cut_off_answer_is_asked_for_again_shorter() -> None:
    with serve(Step(notes(GOOD)[:80], finish="length"), Step(notes(GOOD))) as script:
        drafts = build(script).distill(QUEUE, everything(QUEUE))
    assert titles(drafts) == [GOOD["title"]]
    assert "cut off" in script.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("step", [Step("", refusal="I cannot help with that"), Step("", finish="content_filter")])
def test_a_refusal_is_not_argued_with(step: Step) -> None:
    with serve(step) as script:
        distiller = build(script)
        assert titles(distiller.distill(QUEUE, everything(QUEUE))) == ["rules on (0, 1, 2, 3)"]
    assert len(script.requests) == 1
    assert distiller.report().fell_back == {"refused": 1}


@pytest.mark.parametrize(
    "wrapped",
    ["```json\n{}\n```", "Here you are:\n{}\nAnything else?", "<think>{{ hmm }} [1]</think>\n{}", "\n\n{}"],
)
def test_json_in_prose_fences_and_thoughts_is_found(wrapped: str) -> None:
    with serve(Step(wrapped.replace("{{", "{").replace("}}", "}").replace("{}", notes(GOOD)))) as script:
        assert titles(build(script).distill(QUEUE, everything(QUEUE))) == [GOOD["title"]]


# --- an endpoint that fails


def test_an_endpoint_that_never_answers_is_an_error() -> None:
    with serve(Step("down", 503)) as script, pytest.raises(ModelError):
        build(script).distill(QUEUE, everything(QUEUE))


def long_session(count: int = 12) -> Session:
    topics = [
        "cache",
        "parser",
        "router",
        "ledger",
        "socket",
        "schema",
        "widget",
        "banner",
        "cursor",
        "folder",
        "signal",
        "ticket",
    ]
    return session(
        *(
            f"About the {topics[i % 12]}: " + f"the {topics[i % 12]} keeps item {i + 40} warm. " * 30
            for i in range(count)
        )
    )


def by_window(answer: Callable[[list[int]], Step]) -> Callable[[dict[str, Any]], Step]:
    def choose(request: dict[str, Any]) -> Step:
        return answer([int(n) for n in re.findall(r"^\[(\d+)\]", request["messages"][1]["content"], re.MULTILINE)])

    return choose


def test_windows_cover_a_long_session_and_repeat_a_little() -> None:
    seen: list[list[int]] = []

    def answer(numbers: list[int]) -> Step:
        seen.append(numbers)
        return Step()

    long = long_session()
    with serve(choose=by_window(answer)) as script:
        distiller = build(script, window=1200, overlap=1, concurrency=3)
        distiller.distill(long, everything(long))
    seen.sort()
    assert {n for numbers in seen for n in numbers} == everything(long)
    assert len(seen) > 2
    assert all(later[0] == earlier[-1] for earlier, later in pairwise(seen))
    assert distiller.report().windows == len(seen)


def test_a_window_that_fails_late_falls_back_alone() -> None:
    def answer(numbers: list[int]) -> Step:
        if 0 in numbers:
            return Step(
                notes(note("The cache keeps item 40 warm", "About the cache: the cache keeps item 40 warm.", [0]))
            )
        return Step("down", 503)

    rules = RulesStandIn()
    long = long_session()
    with serve(choose=by_window(answer)) as script:
        distiller = build(script, rules, window=1200, overlap=0, concurrency=1)
        drafts = distiller.distill(long, everything(long))
    assert "The cache keeps item 40 warm" in titles(drafts)
    assert any(title.startswith("rules on") for title in titles(drafts))
    assert set(distiller.report().fell_back) == {"no answer"}
    assert sum(d.tier is Tier.EPISODE for d in drafts) == 1


def test_a_dead_endpoint_is_not_asked_for_every_window() -> None:
    def answer(numbers: list[int]) -> Step:
        return Step() if 0 in numbers else Step("down", 503)

    long = long_session(24)
    with serve(choose=by_window(answer)) as script:
        build(script, window=1200, overlap=0, concurrency=1).distill(long, everything(long))
    assert len(script.requests) == 1 + 3 * 2  # one answer, then three windows with a retry each


def test_the_same_note_from_two_windows_comes_once() -> None:
    long = long_session()
    twin = note("The ledger keeps item 43 warm", "About the ledger: the ledger keeps item 43 warm.", [3])

    asked: list[int] = []

    def answer(numbers: list[int]) -> Step:
        asked.extend(number for number in numbers if number == 3)
        return Step(notes(twin)) if 3 in numbers else Step()

    with serve(choose=by_window(answer)) as script:
        drafts = build(script, window=1300, overlap=1).distill(long, everything(long))
    assert len(asked) > 1
    assert titles(drafts) == [twin["title"]]


# --- money


def test_no_window_is_asked_past_the_budget() -> None:
    long = long_session()
    with serve(Step(usage=False)) as script:
        distiller = build(script, window=1200, max_tokens=5_000, concurrency=1, answer=500)
        distiller.distill(long, everything(long))
    report = distiller.report()
    assert 0 < len(script.requests) < report.windows
    assert report.fell_back["over budget"] == report.windows - len(script.requests)
    assert report.prompt_tokens + report.completion_tokens <= 5_000


def test_a_run_on_the_same_text_costs_nothing(tmp_path: Path) -> None:
    with serve(Step(notes(GOOD))) as script:
        first = build(script, cache=tmp_path).distill(QUEUE, everything(QUEUE))
        again = build(script, cache=tmp_path)
        assert again.distill(QUEUE, everything(QUEUE)) == first
    assert len(script.requests) == 1
    assert (again.report().calls, again.report().cached, again.report().prompt_tokens) == (0, 1, 0)


def test_what_could_not_be_used_is_remembered_too_but_not_an_outage(tmp_path: Path) -> None:
    with serve(Step("never JSON")) as script:
        for _ in range(2):
            build(script, cache=tmp_path / "a").distill(QUEUE, everything(QUEUE))
        assert len(script.requests) == 2
    with serve(Step("down", 503)) as script:
        for _ in range(2):
            with pytest.raises(ModelError):
                build(script, cache=tmp_path / "b").distill(QUEUE, everything(QUEUE))
        assert len(script.requests) == 4


def test_another_text_or_model_asks_again_and_a_damaged_entry_is_replaced(tmp_path: Path) -> None:
    with serve(Step(notes(GOOD))) as script:
        build(script, cache=tmp_path).distill(QUEUE, everything(QUEUE))
        build(script, cache=tmp_path).distill(QUEUE, frozenset({3}))
        assert len(script.requests) == 2
        for entry in tmp_path.rglob("*.json"):
            entry.write_text("{ damaged")
        build(script, cache=tmp_path).distill(QUEUE, everything(QUEUE))
    assert len(script.requests) == 3
    assert all(
        json.loads(entry.read_text()) for entry in tmp_path.rglob("*.json") if "damaged" not in entry.read_text()
    )


def test_cost_follows_the_prices() -> None:
    with serve(Step(notes(GOOD))) as script:
        priced = build(script, price_in=2.0, price_out=10.0)
        priced.distill(QUEUE, everything(QUEUE))
        free = build(script)
    assert priced.report().cost == pytest.approx((100 * 2 + 20 * 10) / 1_000_000)
    assert free.report().cost is None

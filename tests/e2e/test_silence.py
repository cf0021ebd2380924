"""What a hook says to a prompt, and when it says nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from seci.app import App, open_app
from seci.client.lexical import keyword_context

PROMPTS = Path(__file__).parents[1] / "data" / "silent_prompts.txt"
QUESTIONS = {
    "Which header carries the idempotency key of a webhook delivery?": "Idempotency-Key",
    "Did we choose Postgres or Elasticsearch for the full text search over shipment notes?": "Postgres",
    "When does the carrier portal launch?": "3 April",
    "Which words do we never write in the newsletter?": "leverage",
    "Why were delivery webhooks sent twice?": "redeliver",
}


def silent_prompts() -> list[str]:
    lines = PROMPTS.read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


@pytest.fixture(params=["resident", "keywords alone"])
def ask(request: pytest.FixtureRequest, demo_vault: Path, model_cache: Path) -> Callable[[str, str], str]:
    if request.param == "keywords alone":
        return lambda prompt, project: keyword_context(str(demo_vault), prompt, project)
    environ = {**os.environ, "SECI_CACHE": str(model_cache)}
    app: App = open_app(demo_vault, demo_vault, environ)
    return lambda prompt, project: app.relevant(prompt, project, 600)


def test_prompts_that_need_no_memory_get_none(ask: Callable[[str, str], str]) -> None:
    prompts = silent_prompts()
    answered = [prompt for prompt in prompts if ask(prompt, "parcel-api")]
    assert len(prompts) == 100
    assert len(answered) <= 10, answered


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_within_600_tokens(
    ask: Callable[[str, str], str], question: str, model_cache: Path
) -> None:
    from seci.embedding.cache import open_embedder

    context = ask(question, "parcel-api")
    assert QUESTIONS[question] in context
    assert open_embedder(model_cache).counter.count(context) <= 600


def test_another_project_hears_nothing_of_this_one(ask: Callable[[str, str], str]) -> None:
    for question in QUESTIONS:
        assert "Idempotency-Key" not in ask(question, "acme/other")

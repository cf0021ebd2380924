"""The endpoint against a scripted server: what it learns, when it asks again, when it gives up."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

pytest.importorskip("openai")

from seci.distillers.answers import answer_schema
from seci.distillers.endpoint import Completion, EndpointSettings, EndpointUnavailableError, OpenAiEndpoint
from seci.errors import ModelError
from tests.distillers_llm.scripted import Script, Step, serve

MESSAGES = [{"role": "user", "content": "hello"}]


def ask(script: Script, waits: list[float] | None = None, **settings: object) -> Completion:
    chosen = {"base_url": script.url, "model": "m", "timeout": 5.0, "retries": 2, **settings}
    endpoint = OpenAiEndpoint(EndpointSettings(**chosen), sleep=(waits if waits is not None else []).append)  # type: ignore[arg-type]
    return endpoint.complete(MESSAGES, answer_schema(), 500)


def test_asks_with_schema_key_model_and_limit() -> None:
    with serve(Step("fine")) as script:
        done = ask(script, api_key="k123")
    assert (done.text, done.finish, done.prompt_tokens, done.completion_tokens) == ("fine", "stop", 100, 20)
    [request] = script.requests
    assert (request["model"], request["max_tokens"], request["temperature"]) == ("m", 500, 0.0)
    assert request["response_format"]["json_schema"]["schema"] == answer_schema()
    assert script.headers[0]["authorization"] == "Bearer k123"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_busy_or_broken_endpoint_is_asked_again_with_growing_waits(status: int) -> None:
    waits: list[float] = []
    with serve(Step("busy", status), Step("busy", status), Step("ok")) as script:
        done = ask(script, waits)
    assert (done.text, done.retries) == ("ok", 2)
    assert 1.0 <= waits[0] <= 1.25
    assert 2.0 <= waits[1] <= 2.5


def test_the_wait_that_the_endpoint_asks_for_is_kept_up_to_a_limit() -> None:
    waits: list[float] = []
    busy = [Step("busy", 429, headers={"retry-after": after}) for after in ("7", "900")]
    with serve(*busy, Step("ok")) as script:
        ask(script, waits)
    assert waits == [7.0, 60.0]


def test_it_gives_up_after_the_last_retry() -> None:
    with serve(Step("no", 503)) as script, pytest.raises(EndpointUnavailableError) as caught:
        ask(script)
    assert len(script.requests) == 3
    assert caught.value.subject == script.url
    assert caught.value.exit_code == 6


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_is_not_asked_again(status: int) -> None:
    with serve(Step("wrong", status)) as script, pytest.raises(ModelError) as caught:
        ask(script)
    assert len(script.requests) == 1
    assert not isinstance(caught.value, EndpointUnavailableError)
    assert "wrong" in caught.value.reason
    assert caught.value.hint


def test_an_endpoint_without_schemas_is_asked_in_plainer_ways_and_that_is_remembered() -> None:
    refused = [Step("response_format json_schema is not supported", 400), Step("unknown response_format", 400)]
    with serve(*refused, Step("a"), Step("b")) as script:
        endpoint = OpenAiEndpoint(EndpointSettings(script.url, "m"), sleep=lambda _: None)
        endpoint.complete(MESSAGES, answer_schema(), 5)
        endpoint.complete(MESSAGES, answer_schema(), 5)
    asked = [request.get("response_format", {}).get("type") for request in script.requests]
    assert asked == ["json_schema", "json_object", None, None]


def test_the_other_name_of_the_limit_is_learned() -> None:
    with serve(Step("use max_completion_tokens instead of max_tokens", 400), Step("ok")) as script:
        ask(script)
    assert [request.get("max_completion_tokens") for request in script.requests] == [None, 500]
    assert "max_tokens" not in script.requests[1]


def test_any_other_refused_request_is_an_error_with_the_reason() -> None:
    with serve(Step("the prompt is too long", 400)) as script, pytest.raises(ModelError, match="too long"):
        ask(script)


def test_a_stalled_answer_times_out() -> None:
    with serve(Step("late", stall=1.5), Step("ok")) as script:
        assert ask(script, timeout=0.3).text == "ok"


def test_an_answer_that_drips_for_ever_is_cut_at_the_deadline() -> None:
    started = time.monotonic()
    with serve(Step("x" * 2000, drip=0.05)) as script, pytest.raises(EndpointUnavailableError, match="within"):
        ask(script, timeout=0.5, retries=0)
    assert time.monotonic() - started < 4


@pytest.mark.parametrize(
    "raw", [b"", b"<html>", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"[1]"]
)
def test_a_response_that_is_no_completion_counts_as_broken(raw: bytes) -> None:
    with serve(Step(raw=raw), Step("ok")) as script:
        assert ask(script).text == "ok"


def test_an_answer_without_counts_or_text_is_taken() -> None:
    with serve(Step(raw=b'{"choices": [{"message": {"content": null}}]}')) as script:
        assert ask(script) == Completion("", "stop")


def test_nobody_there() -> None:
    with serve(Step()) as script:
        url = script.url
    with pytest.raises(EndpointUnavailableError):
        OpenAiEndpoint(EndpointSettings(url, "m", retries=1), sleep=lambda _: None).complete(MESSAGES, {}, 5)


def test_importing_the_distiller_imports_no_openai() -> None:
    names = "'openai' in sys.modules, 'httpx' in sys.modules"
    code = f"import sys, seci.distillers.llm, seci.distillers.endpoint; print({names})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"

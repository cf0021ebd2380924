"""An OpenAI-compatible endpoint: Ollama, llama.cpp, vLLM, Gemini, OpenAI, OpenRouter.

What they differ in is met here: whether they take a JSON schema, a JSON mode or neither; which name they have for the
limit of the answer; how they say that they are busy.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from seci.errors import ModelError

if TYPE_CHECKING:
    import openai

LONGEST_ANSWER = 2_000_000  # bytes; an endpoint that sends more is broken
LONGEST_WAIT = 60.0  # seconds that a busy endpoint can ask for
_SCHEMA_MODES = ("json_schema", "json_object", "none")


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where the model is and how patient to be. Never read from a vault's `seci.toml`. Times are in seconds;
    `timeout` is for one whole answer, however slowly it drips."""

    base_url: str
    model: str
    api_key: str | None = None
    timeout: float = 120.0
    retries: int = 4
    backoff: float = 1.0
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Completion:
    """`finish` is the endpoint's reason: `stop`, `length` (cut off), `content_filter`; `refusal` what it said instead.
    Tokens are 0 where the endpoint does not count them."""

    text: str
    finish: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    refusal: str | None = None
    retries: int = 0


class EndpointUnavailableError(ModelError):
    """No answer after all retries: busy, broken, too slow or not there. Another window may have more luck."""


class OpenAiEndpoint:
    """Asks for one completion at a time; safe to call from several threads. Imports `openai` when first asked."""

    def __init__(self, settings: EndpointSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        self.settings = settings
        self._sleep = sleep
        self._lock = Lock()
        self._client: openai.OpenAI | None = None
        self._mode = 0  # index into _SCHEMA_MODES: the strictest that this endpoint takes
        self._limit_name = "max_tokens"

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], limit: int) -> Completion:
        """One answer of at most `limit` tokens. Raises EndpointUnavailableError after the last retry, and ModelError
        where asking again cannot help: a wrong key, an unknown model, no `openai` package."""
        import openai

        retries = 0
        while True:
            mode = self._mode
            try:
                completion = self._ask(messages, schema, limit, _SCHEMA_MODES[mode])
            except openai.BadRequestError as error:
                if not self._adapt(str(error).lower(), mode):
                    raise ModelError(_brief(error), subject=self.settings.base_url) from error
                continue
            except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
                raise ModelError(
                    _brief(error),
                    subject=self.settings.base_url,
                    hint="check the base URL, the model's name and the key",
                ) from error
            except (openai.APIError, _BrokenAnswer) as error:
                if retries >= self.settings.retries:
                    raise EndpointUnavailableError(_brief(error), subject=self.settings.base_url) from error
                self._sleep(self._wait(error, retries))
                retries += 1
                continue
            return Completion(**{**_fields(completion), "retries": retries})

    def _ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], limit: int, mode: str) -> Any:
        request: dict[str, Any] = {
            "model": self.settings.model,
            "messages": list(messages),
            "temperature": self.settings.temperature,
            self._limit_name: limit,
        }
        if mode == "json_schema":
            wrapped = {"name": "notes", "strict": True, "schema": schema}
            request["response_format"] = {"type": "json_schema", "json_schema": wrapped}
        elif mode == "json_object":
            request["response_format"] = {"type": "json_object"}
        deadline = time.monotonic() + self.settings.timeout
        body = bytearray()
        with self._open().chat.completions.with_streaming_response.create(**request) as response:
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > deadline:
                    raise _BrokenAnswer(f"no whole answer within {self.settings.timeout:g} seconds")
                if len(body) > LONGEST_ANSWER:
                    raise _BrokenAnswer(f"an answer of more than {LONGEST_ANSWER} bytes")
        return _parse_completion(bytes(body))

    def _open(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                import openai

                self._client = openai.OpenAI(
                    base_url=self.settings.base_url,
                    api_key=self.settings.api_key or "none",  # local servers need none; the client insists on one
                    timeout=self.settings.timeout,
                    max_retries=0,
                )
            return self._client

    def _adapt(self, reason: str, mode: int) -> bool:
        """Learns from a refused request what the endpoint does not take; False when there is nothing left to try."""
        if "max_completion_tokens" in reason and self._limit_name == "max_tokens":
            self._limit_name = "max_completion_tokens"
            return True
        if mode < len(_SCHEMA_MODES) - 1 and any(
            word in reason for word in ("response_format", "schema", "json", "grammar")
        ):
            self._mode = max(self._mode, mode + 1)
            return True
        return False

    def _wait(self, error: Exception, retries: int) -> float:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        try:
            asked = float(headers.get("retry-after", ""))
        except ValueError:
            asked = 0.0
        jitter = 1 + random.random() / 4  # so that several windows do not come back together
        return min(LONGEST_WAIT, max(asked, self.settings.backoff * float(2**retries) * jitter))


class _BrokenAnswer(Exception):
    """A response that is no completion, or no whole one."""


def _parse_completion(body: bytes) -> Completion:
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        message = choice["message"]
        usage = data.get("usage") or {}
        return Completion(
            text=message.get("content") or "",
            finish=choice.get("finish_reason") or "stop",
            prompt_tokens=int(usage.get("prompt_tokens") or 0),
            completion_tokens=int(usage.get("completion_tokens") or 0),
            refusal=message.get("refusal"),
        )
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise _BrokenAnswer(f"the response is no completion: {body[:80]!r}") from error


def _fields(completion: Completion) -> dict[str, Any]:
    return {name: getattr(completion, name) for name in Completion.__slots__}


def _brief(error: Exception) -> str:
    text = " ".join(str(error).split())
    return (text or type(error).__name__)[:300]

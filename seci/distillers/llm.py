"""Distilling by a language model, with the rules as its net.

A long session is read in windows. An answer that cannot be used is sent back once with what is wrong; a window that
still has none is distilled by the rules. What the model wrote is believed only as far as the turns that it cites
support it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Protocol

from seci.core.note import Draft, Tier, normalise_title
from seci.core.ports import Distiller
from seci.core.session import Session
from seci.distillers.answers import Answer, answer_schema, parse_answer
from seci.distillers.completions import CompletionCache, completion_key
from seci.distillers.endpoint import Completion, EndpointUnavailableError
from seci.distillers.faithfulness import FaithfulnessCheck, parse_stems
from seci.distillers.prompt import Message, render_messages, render_repair
from seci.distillers.windows import Window, estimate_tokens, plan_windows

GIVE_UP = 3  # windows without an answer after which the endpoint is not asked again in this run
SAME_NOTE = 0.7  # of the stems of two notes: windows overlap, and both may tell it


class Endpoint(Protocol):
    """A language model that answers by a JSON schema. See `OpenAiEndpoint` for what it raises."""

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], limit: int) -> Completion: ...


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """`model` names the answers in the cache. Sizes are in tokens; `max_tokens` is the budget of a run, prompts and
    answers together; prices are per million tokens in the currency of the user."""

    model: str
    window: int = 6_000
    overlap: int = 2  # turns
    answer: int = 2_000
    concurrency: int = 4
    max_tokens: int | None = None
    price_in: float | None = None
    price_out: float | None = None


@dataclass(frozen=True, slots=True)
class LlmReport:
    """What a run cost and what became of its windows. `dropped` counts notes by why they were not believed, `fell_back`
    windows by why the rules took over. `cost` is None without prices."""

    windows: int = 0
    calls: int = 0
    cached: int = 0
    retries: int = 0
    repaired: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    fell_back: Mapping[str, int] = field(default_factory=dict)


class LlmDistiller:
    """Implements the port `Distiller`. The text it is given is redacted already. Not deterministic, except where the
    cache answers."""

    name = "llm"

    def __init__(
        self, endpoint: Endpoint, settings: LlmSettings, fallback: Distiller, cache: CompletionCache | None = None
    ) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._fallback = fallback
        self._cache = cache
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._fell_back: Counter[str] = Counter()

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        """Drafts that cite a fresh turn. Raises ModelError where the endpoint can never answer."""
        planned = plan_windows(session.turns, self._settings.window, self._settings.overlap)
        windows = [window for window in planned if fresh & (window.numbers - window.context)]
        whole = len(planned) == 1
        with ThreadPoolExecutor(max_workers=max(1, self._settings.concurrency)) as pool:
            answers = list(pool.map(lambda window: self._read(session, window, fresh, whole), windows))
        drafts = [draft for answer in answers for draft in answer]
        if not any(draft.tier is Tier.EPISODE for draft in drafts):
            drafts += [d for d in self._fallback.distill(session, fresh) if d.tier is Tier.EPISODE]
        return select_distinct([draft for draft in drafts if fresh.intersection(draft.turns)])

    def report(self) -> LlmReport:
        """The sums over every session so far."""
        with self._lock:
            counts = dict(self._counts)
            cost = None
            if self._settings.price_in is not None and self._settings.price_out is not None:
                spent = counts.get("prompt_tokens", 0) * self._settings.price_in
                cost = (spent + counts.get("completion_tokens", 0) * self._settings.price_out) / 1_000_000
            numbers = {name: counts.get(name, 0) for name in _COUNTED}
            return LlmReport(**numbers, cost=cost, dropped=dict(self._dropped), fell_back=dict(self._fell_back))

    def _read(self, session: Session, window: Window, fresh: frozenset[int], whole: bool) -> list[Draft]:
        self._count(windows=1)
        try:
            answer = self._answer(render_messages(session, window, fresh, whole=whole), window.numbers)
        except _Unusable as unusable:
            with self._lock:
                self._fell_back[unusable.reason] += 1
            part = window.of(session)
            drafts = self._fallback.distill(part, fresh & (window.numbers - window.context))
            return [draft for draft in drafts if whole or draft.tier is not Tier.EPISODE]
        check = FaithfulnessCheck.of(session)
        return [
            draft
            for draft in answer.drafts
            if (whole or draft.tier is not Tier.EPISODE) and self._is_believed(check, draft)
        ]

    def _is_believed(self, check: FaithfulnessCheck, draft: Draft) -> bool:
        objection = check.objection(draft)
        if objection is None:
            return True
        with self._lock:
            self._dropped[objection.kind] += 1
        return False

    def _answer(self, messages: list[Message], numbers: frozenset[int]) -> Answer:
        """The answer to one window: from the cache, from the model, or from its second attempt."""
        key = completion_key(self._settings.model, messages, answer_schema())
        if self._cache and (kept := self._cache.get(key)):
            self._count(cached=1)
            if kept.get("unusable"):
                raise _Unusable(str(kept["unusable"]))
            return parse_answer(str(kept.get("text", "")), numbers)
        try:
            text = self._usable_text(messages, numbers)
        except _Unusable as unusable:
            if self._cache and unusable.lasting:
                self._cache.put(key, {"unusable": unusable.reason})
            raise
        if self._cache:
            self._cache.put(key, {"text": text})
        return parse_answer(text, numbers)

    def _usable_text(self, messages: list[Message], numbers: frozenset[int]) -> str:
        first = self._complete(messages)
        answer = parse_answer(first.text, numbers)
        if answer.readable and not answer.problems:
            return first.text
        again = self._complete(render_repair(messages, first.text, answer.problems, cut=first.finish == "length"))
        repaired = parse_answer(again.text, numbers)
        if repaired.readable and len(repaired.drafts) >= len(answer.drafts):
            self._count(repaired=1)
            return again.text
        if answer.readable and answer.drafts:
            return first.text
        raise _Unusable("cut off" if again.finish == "length" else "malformed", lasting=True)

    def _complete(self, messages: list[Message]) -> Completion:
        if self._counts["unanswered"] >= GIVE_UP:
            raise _Unusable("no answer")
        expected = sum(estimate_tokens(message["content"]) for message in messages) + self._settings.answer
        with self._lock:
            spent = self._counts["prompt_tokens"] + self._counts["completion_tokens"] + self._counts["reserved"]
            if self._settings.max_tokens is not None and spent + expected > self._settings.max_tokens:
                raise _Unusable("over budget")
            self._counts["reserved"] += expected
        try:
            completion = self._endpoint.complete(messages, answer_schema(), self._settings.answer)
        except EndpointUnavailableError as error:
            self._count(unanswered=1)
            if not self._counts["calls"]:
                raise
            raise _Unusable("no answer") from error
        finally:
            with self._lock:
                self._counts["reserved"] -= expected
        self._count(
            calls=1,
            retries=completion.retries,
            prompt_tokens=completion.prompt_tokens or expected - self._settings.answer,
            completion_tokens=completion.completion_tokens or estimate_tokens(completion.text),
        )
        if completion.refusal or completion.finish == "content_filter":
            raise _Unusable("refused", lasting=True)
        return completion

    def _count(self, **numbers: int) -> None:
        with self._lock:
            self._counts.update(numbers)


_COUNTED = ("windows", "calls", "cached", "retries", "repaired", "prompt_tokens", "completion_tokens")


class _Unusable(Exception):
    """No answer that can be used; `lasting` where asking the same again would give the same."""

    def __init__(self, reason: str, *, lasting: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.lasting = lasting


def select_distinct(drafts: Sequence[Draft]) -> list[Draft]:
    """Without repetitions: of two drafts that say the same, the more important one, in its place; one episode."""
    kept: list[tuple[Draft, frozenset[str]]] = []
    for draft in drafts:
        stems = frozenset(parse_stems(f"{draft.title} {draft.body}"))
        twin = next((i for i, (other, held) in enumerate(kept) if _is_same(draft, stems, other, held)), None)
        if twin is None:
            kept.append((draft, stems))
        elif draft.importance > kept[twin][0].importance:
            turns = tuple(sorted({*draft.turns, *kept[twin][0].turns}))
            kept[twin] = (replace(draft, turns=turns), stems)
    return [draft for draft, _ in kept]


def _is_same(draft: Draft, stems: frozenset[str], other: Draft, held: frozenset[str]) -> bool:
    if draft.tier is Tier.EPISODE or other.tier is Tier.EPISODE:
        return draft.tier is other.tier
    if normalise_title(draft.title) == normalise_title(other.title):
        return True
    return len(stems & held) >= SAME_NOTE * len(stems | held)

"""A language model as the teacher: asked once for each window of turns, through an OpenAI-compatible endpoint."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from seci.core.note import NoteType
from seci.core.session import Failure, Session, Turn
from seci.errors import ModelError
from seci.router.labels import SessionLabels

WINDOW = 12  # turns asked for at a time
HISTORY = 6  # turns before them, given as context
LONGEST = 1500  # characters of one turn; of a longer one the teacher sees both ends
INSTRUCTION = """You decide which turns of a conversation are worth remembering.

ADD: the turn holds something that the same person or a colleague would be glad to be told weeks later in another
conversation: a decision and its reason, a preference or standing instruction, a correction, a problem with its cause
and fix, a fact about the system, the project or a person, a command or value that worked, an open plan, an event.
NOOP: greetings, thanks, "go on", announcements of what somebody is about to do, restated requests, progress reports,
anything that is only of use inside this conversation.
Types: {types}.

Answer with JSON only: {{"turns": [{{"index": 3, "decision": "ADD", "type": "decision"}}]}}, one entry for each turn
under "Turns to label". A NOOP turn has type "other"."""

Complete = Callable[[str, str], str]
"""(instruction, prompt) to the model's answer. Raises ModelError when there is none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible server: `base_url` ends in `/v1`; `key` may be empty for a local one."""

    base_url: str
    model: str
    key: str = ""
    timeout: float = 120.0

    def complete(self, instruction: str, prompt: str) -> str:
        """Raises ModelError for a refusal, a time-out, or an answer in another shape."""
        body = {
            "model": self.model,
            "temperature": 0,
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": prompt}],
        }
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        url = self.base_url.rstrip("/") + "/chat/completions"
        if not url.startswith(("http://", "https://")):
            raise ModelError("an endpoint's address begins with http:// or https://", subject=self.base_url)
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return str(json.load(answer)["choices"][0]["message"]["content"])
        except urllib.error.HTTPError as error:
            raise ModelError(f"the endpoint answered {error.code} {error.reason}", subject=url) from error
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise ModelError(f"the endpoint gave no usable answer: {error!r}", subject=url) from error


def label_sessions(
    sessions: Iterable[Session],
    complete: Complete,
    *,
    progress: Callable[[], None] = lambda: None,
) -> tuple[list[SessionLabels], list[Failure]]:
    """Labels of all turns that the teacher answered for; a window without a usable answer is a failure and its turns
    stay unlabelled."""
    labels, failures = [], []
    for session in sessions:
        add: dict[int, NoteType] = {}
        missing: set[int] = set()
        for at in range(0, len(session.turns), WINDOW):
            window = session.turns[at : at + WINDOW]
            try:
                prompt = render_prompt(session.turns[max(0, at - HISTORY) : at], window)
                answered = parse_answer(complete(INSTRUCTION.format(types=_type_list()), prompt), window)
            except (ModelError, ValueError) as error:
                failures.append(Failure(f"{session.key}#{window[0].index}", str(error)))
                missing |= {turn.index for turn in window}
                continue
            add |= {index: kind for index, kind in answered.items() if kind is not None}
            missing |= {turn.index for turn in window} - answered.keys()
        count = max((turn.index for turn in session.turns), default=-1) + 1
        missing |= set(range(count)) - {turn.index for turn in session.turns}
        labels.append(SessionLabels(session.key, count, add, frozenset(missing)))
        progress()
    return labels, failures


def render_prompt(history: tuple[Turn, ...], window: tuple[Turn, ...]) -> str:
    parts = []
    if history:
        parts += ["Before:", *map(_render_turn, history), ""]
    return "\n".join([*parts, "Turns to label:", *map(_render_turn, window)])


def parse_answer(answer: str, window: tuple[Turn, ...]) -> dict[int, NoteType | None]:
    """Turn number -> content type, None for NOOP. Raises ValueError when the answer holds no such JSON."""
    start, end = answer.find("{"), answer.rfind("}")
    value: Any = json.loads(answer[start : end + 1]) if 0 <= start < end else None
    if not isinstance(value, dict) or not isinstance(value.get("turns"), list):
        raise ValueError('the answer has no JSON object with "turns"')
    asked = {turn.index for turn in window}
    found: dict[int, NoteType | None] = {}
    for item in value["turns"]:
        if isinstance(item, dict) and item.get("index") in asked and item.get("decision") in ("ADD", "NOOP"):
            kind = item.get("type")
            known = NoteType(kind) if kind in set(NoteType) else NoteType.OTHER
            found[item["index"]] = known if item["decision"] == "ADD" else None
    return found


def _render_turn(turn: Turn) -> str:
    text = turn.text
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} [...] {text[-LONGEST // 2 :]}"
    return f"[{turn.index}] {turn.speaker or turn.role.value}: {text}"


def _type_list() -> str:
    return ", ".join(kind.value for kind in NoteType if kind is not NoteType.OTHER)

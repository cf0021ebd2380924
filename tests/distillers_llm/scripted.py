"""A local HTTP server that answers chat completions by a script, and sessions to send it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from seci.core.session import Role, Session, Turn


@dataclass
class Step:
    """One response. `drip` seconds pass between the bytes of the body; `stall` before anything is sent."""

    content: str = '{"notes": []}'
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    stall: float = 0.0
    drip: float = 0.0
    usage: bool = True

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": self.content}}).encode()
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        answer: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": self.finish}]}
        if self.usage:
            answer["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        return json.dumps(answer).encode()


@dataclass
class Script:
    """The steps in order; the last one repeats. `choose` picks by request instead. `requests` are what came in."""

    url: str
    steps: list[Step]
    choose: Callable[[dict[str, Any]], Step] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, request: dict[str, Any], headers: dict[str, str]) -> Step:
        with self.lock:
            self.requests.append(request)
            self.headers.append(headers)
            if self.choose:
                return self.choose(request)
            return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]


@contextmanager
def serve(*steps: Step, choose: Callable[[dict[str, Any]], Step] | None = None) -> Iterator[Script]:
    """The server on a free port of this machine, until the block ends."""
    script = Script("", list(steps), choose)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            step = script.take(json.loads(raw), {k.lower(): v for k, v in self.headers.items()})
            time.sleep(step.stall)
            body = step.body()
            try:
                self.send_response(step.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for at in range(0, len(body), 16 if step.drip else len(body)):
                    self.wfile.write(body[at : at + (16 if step.drip else len(body))])
                    self.wfile.flush()
                    time.sleep(step.drip)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


AT = datetime(2026, 1, 21, 10, 0, tzinfo=UTC)


def session(*texts: str, **parts: Any) -> Session:
    """Turns of user and assistant in alternation."""
    roles = (Role.USER, Role.ASSISTANT)
    turns = tuple(Turn(i, roles[i % 2], text, AT) for i, text in enumerate(texts))
    return Session(source="test", id="s1", turns=turns, **parts)


def note(title: str, body: str, turns: list[int], **fields: Any) -> dict[str, Any]:
    """A row as a model answers it."""
    row = {
        "title": title, "body": body, "namespace": "projects", "tier": "memory", "type": "decision", "turns": turns,
        "importance": 0.7, "confidence": 0.9, "tags": ["queue"],
    }  # fmt: skip
    return {**row, **fields}


def notes(*rows: dict[str, Any]) -> str:
    return json.dumps({"notes": list(rows)})

"""A language model on loopback that always says the same, in the four dialects that the agents under test speak.

What an agent sent is kept, so that a test can see what reached the model. Nothing here thinks; no tool is ever called.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAID = "The parcel label printer needs its own queue because it blocks for nine seconds."


class ScriptedModel:
    """Where the model listens, and the bodies of the requests for an answer, oldest first."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.requests: list[str] = []


@contextmanager
def serve_model() -> Iterator[ScriptedModel]:
    """Listens on a free port until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    model = _Handler.model = ScriptedModel(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def log_message(self, format: str, *args: Any) -> None:
        """Silence: the agents' own output is what a test looks at."""

    def do_GET(self) -> None:
        self._reply({"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

    def do_HEAD(self) -> None:
        self._reply(None)

    def do_POST(self) -> None:
        body = self._body()
        path = self.path.partition("?")[0]
        if path.endswith(("count_tokens", "countTokens")):
            return self._reply({"input_tokens": 9, "totalTokens": 9})
        asked = json.loads(body or "{}")
        for ending, dialect in (
            ("/messages", _anthropic),
            ("/responses", _responses),
            ("/chat/completions", _chat),
            ("enerateContent", _gemini),
        ):
            if path.endswith(ending):
                self.model.requests.append(body)
                whole, events = dialect(asked.get("model", "scripted"))
                streams = asked.get("stream") or path.endswith("streamGenerateContent")
                return self._stream(events) if streams else self._reply(whole)
        return self._reply({})

    def _body(self) -> str:
        if self.headers.get("transfer-encoding", "") == "chunked":
            raw = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        return (gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw).decode()

    def _reply(self, value: object) -> None:
        content = b"" if value is None else json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, events: Iterable[object]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            if isinstance(event, dict) and "type" in event:
                self.wfile.write(f"event: {event['type']}\n".encode())
            text = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write(f"data: {text}\n\n".encode())
        self.close_connection = True


def _anthropic(model: str) -> tuple[object, list[object]]:
    usage = {"input_tokens": 9, "output_tokens": 9}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}
    whole = head | {"content": [{"type": "text", "text": SAID}], "stop_reason": "end_turn", "usage": usage}
    return whole, [
        {"type": "message_start", "message": head | {"content": [], "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 9},
        },
        {"type": "message_stop"},
    ]


def _responses(model: str) -> tuple[object, list[object]]:
    content = [{"type": "output_text", "text": SAID, "annotations": []}]
    item = {"type": "message", "id": "item_1", "role": "assistant", "status": "completed", "content": content}
    usage = {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 18,
    }
    whole = {"id": "resp_1", "object": "response", "model": model, "status": "completed", "output": [item]}
    return whole, [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole | {"usage": usage}},
    ]


def _chat(model: str) -> tuple[object, list[object]]:
    head = {"id": "chat_1", "created": 1, "model": model}
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    message = {"role": "assistant", "content": SAID}

    def part(delta: object, reason: str | None) -> dict[str, object]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return head | {"object": "chat.completion.chunk", "choices": [choice]}

    whole = head | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    return whole, [part(message, None), part({}, "stop") | {"usage": usage}, "[DONE]"]


def _gemini(model: str) -> tuple[object, list[object]]:
    whole = {
        "candidates": [{"content": {"role": "model", "parts": [{"text": SAID}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18},
        "modelVersion": model,
    }
    return whole, [whole]

"""A small world to train routers in: an embedder of hashed words, a transformer of two tiny random layers, and
conversations in which turns that say "decided" or "because" are worth keeping."""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seci.core.note import NoteType
from seci.core.session import Role, Session, Turn
from seci.router.corpus import Stream, labelled_streams
from seci.router.labels import SessionLabels
from seci.router.settings import RouterSettings

WIDTH = 24


class WordCounter:
    def count(self, text: str) -> int:
        return len(text.split())

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        words = text.split(" ")
        return [" ".join(words[at : at + limit]) for at in range(0, len(words), limit)] if text else []


class HashedWords:
    """Implements `core.ports.Embedder`: the sum of one fixed random vector for each word."""

    name = "hashed-words"
    dimensions = WIDTH
    window = 12
    counter = WordCounter()

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.embedded += texts
        return np.stack([self.embed_query(text) for text in texts]) if texts else np.zeros((0, WIDTH), np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        vector = np.zeros(WIDTH, np.float32)
        for word in text.lower().split():
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            vector += np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)
        return vector / max(float(np.linalg.norm(vector)), 1e-6)


def make_session(name: str, seed: int, turns: int = 20) -> tuple[Session, SessionLabels]:
    draw = random.Random(seed)
    keep = ("we decided to use {} because {} was slow", "the cause was {} , so {} is off now")
    drop = ("let me look at {} and {}", "thanks , {} {}", "now running {} with {}")
    things = ("redis", "the parser", "mongo", "tests", "the cache", "docker", "kafka", "the index")
    made, add = [], {}
    for index in range(turns):
        wanted = draw.random() < 0.4
        text = draw.choice(keep if wanted else drop).format(draw.choice(things), draw.choice(things))
        if wanted:
            add[index] = NoteType.DECISION if text.startswith("we") else NoteType.SOLUTION
        made.append(Turn(index, draw.choice((Role.USER, Role.ASSISTANT)), text))
    session = Session("made", name, tuple(made))
    return session, SessionLabels(session.key, turns, add)


@pytest.fixture
def embedder() -> HashedWords:
    return HashedWords()


@pytest.fixture
def streams(embedder: HashedWords) -> list[Stream]:
    pairs = [make_session(f"s{number}", number) for number in range(6)]
    return labelled_streams([session for session, _ in pairs], {label.session: label for _, label in pairs}, embedder)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random BERT of two layers that any code for Hugging Face models loads."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    folder = tmp_path_factory.mktemp("encoder")
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture
def settings() -> RouterSettings:
    return RouterSettings(
        encoder="hashed-words",
        projector_hidden=16,
        feature_hidden=4,
        dropout=0.1,
        learning_rate=3e-3,
        batch=16,
        epochs=4,
        feature_penalty=5.0,
    )


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    authorization: str | None
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


class ScriptedServer(HTTPServer):
    """An endpoint as OpenAI's: `reply` is given the prompt. The model "busy" is refused, "broken" answers half."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[Asked] = []
        self.reply: Callable[[str], str] = lambda prompt: ""
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(self.path, self.headers["Authorization"], body)
        self.server.asked.append(asked)
        if body["model"] == "busy":
            self.send_error(429)
            return
        content = json.dumps({"choices": [{"message": {"content": self.server.reply(asked.prompt)}}]}).encode()
        if body["model"] == "broken":
            content = content[:20]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    thread = threading.Thread(target=scripted.serve_forever, daemon=True)
    thread.start()
    yield scripted
    scripted.shutdown()
    scripted.server_close()

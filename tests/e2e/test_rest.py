"""The REST API: who may ask, what comes back, and what any request does to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from seci.app import open_app
from seci.cli.mcp import answer
from seci.server.rest import build_rest

TOKEN = "a-token-of-the-test"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def rest(vault: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("SECI_CACHE", str(model_cache))
    app = open_app(vault, vault, os.environ)
    api = build_rest(app, lambda arguments, stdin: answer(vault, arguments, stdin), TOKEN)
    with TestClient(api, base_url="http://127.0.0.1:8377", headers=HEADERS) as client:
        yield client


def test_a_context_with_every_override(rest: TestClient) -> None:
    question = {
        "query": "why were webhooks sent twice?",
        "budget": 600,
        "tier_budgets": {"soul": 0},
        "weights": {"recency": 0.2},
        "boosts": {"decision": 1.3},
        "minimum_score": 0.1,
        "now": "2026-04-01T00:00:00Z",
        "as_of": "2026-04-01T00:00:00Z",
    }
    said = rest.post("/api/v1/context/assemble", json=question)
    assert said.status_code == 200
    shape = said.json()
    assert "redelivers" in shape["markdown"]
    assert shape["budgets"]["soul"] == 0
    assert shape["tokens"] <= 600
    assert rest.post("/api/v1/context/preview", json=question).json()["markdown"] == shape["markdown"]


def test_a_note_from_birth_to_death(rest: TestClient, vault: Path) -> None:
    note = {"title": "The dock has a bell", "body": "The loading dock has a bell.", "namespace": "docs", "type": "fact"}
    made = rest.post("/api/v1/notes", json=note)
    assert made.status_code == 201
    id = made.json()["notes"][0]["id"]
    assert rest.get(f"/api/v1/notes/{id}").json()["title"] == note["title"]
    changed = rest.patch(f"/api/v1/notes/{id}", json={"body": "The bell is broken.", "namespace": "solutions"}).json()
    assert (changed["body"], changed["path"].split("/")[0]) == ("The bell is broken.", "solutions")
    assert changed["commit"]
    hits = rest.get("/api/v1/notes/search", params={"q": "broken bell at the dock", "k": 3}).json()["hits"]
    assert id in [hit["id"] for hit in hits]
    assert rest.delete(f"/api/v1/notes/{id}").json()["commit"]
    assert rest.get(f"/api/v1/notes/{id}").status_code == 404
    assert rest.get("/api/v1/status").json()["total"] == len(rest.get("/api/v1/notes").json()["notes"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"host": "evil.example:8377"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"origin": "http://evil.example"}, 403),
    ],
)
def test_who_may_not_ask(rest: TestClient, headers: dict[str, str], status: int) -> None:
    for path in ("/api/v1/status", "/openapi.json"):
        said = rest.get(path, headers=headers)
        assert said.status_code == status
        assert said.json()["error"]["reason"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/v1/context/assemble", {"query": ""}, 422),
        ("POST", "/api/v1/context/assemble", {"query": "x", "nonsense": 1}, 422),
        ("POST", "/api/v1/context/assemble", {"query": "x", "weights": {"recent": 1}}, 422),
        ("POST", "/api/v1/notes", {"title": "x"}, 422),
        ("GET", "/api/v1/notes/zzzzzzzz", None, 404),
        ("PATCH", "/api/v1/notes/zzzzzzzz", {"title": "x"}, 404),
        ("GET", "/api/v1/notes/..%2F..%2Fetc", None, 404),
    ],
)
def test_wrong_requests(rest: TestClient, method: str, path: str, body: object, status: int) -> None:
    said = rest.request(method, path, json=body) if body is not None else rest.request(method, path)
    assert said.status_code == status, said.text


def test_a_body_that_is_too_large_is_refused(rest: TestClient) -> None:
    said = rest.post("/api/v1/notes", content=b"x" * 1_000_001)
    assert said.status_code == 413


def test_any_request_is_answered_as_the_document_says(rest: TestClient) -> None:
    """Schemathesis makes up requests from the OpenAPI document; no answer may be a server error or off the schema."""
    import schemathesis
    from hypothesis import HealthCheck, given, settings

    schema = schemathesis.openapi.from_dict(rest.app.openapi())  # type: ignore[attr-defined]

    for operation in schema.get_all_operations():
        found = operation.ok()

        @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=found.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            kwargs = case.as_transport_kwargs(base_url="http://127.0.0.1:8377")
            kwargs["headers"] = {**dict(kwargs.get("headers") or {}), **HEADERS, "host": "127.0.0.1:8377"}
            kwargs.pop("cookies", None)
            said = rest.request(**{name: value for name, value in kwargs.items() if name != "verify"})
            assert said.status_code < 500, said.text

        ask()

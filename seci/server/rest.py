"""The REST API: loopback by default, a bearer token always, no CORS, sizes limited.

Questions go through commands, as in MCP; notes are changed through the application. Errors are
`{"error": {"kind", "subject", "reason", "hint"}}` with the status of their kind.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from seci import __version__
from seci.app import App
from seci.core.note import Namespace, NoteType, Status, Tier
from seci.errors import IndexingError, ModelError, SeciError, SourceError, UserError, VaultBusyError, VaultError
from seci.flows.shapes import note_shape
from seci.server.resident import Answer

Call = Callable[[Sequence[str], bytes], Answer]
BODY_LIMIT = 1_000_000  # bytes
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
STATUSES: tuple[tuple[type[SeciError], int], ...] = (
    (UserError, 422),
    (VaultBusyError, 503),
    (VaultError, 409),
    (SourceError, 422),
    (IndexingError, 503),
    (ModelError, 503),
)
CODES = {0: 200, 2: 422, 3: 409, 4: 422, 5: 503, 6: 503}
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Share = Annotated[float, Field(ge=0, le=1)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Question(Strict):
    """What to assemble a context for, and every override of a call."""

    query: Text
    budget: Annotated[int | None, Field(ge=0, le=1_000_000)] = None
    tier_budgets: dict[Tier, Annotated[int, Field(ge=0, le=1_000_000)]] = {}
    weights: dict[str, Share] = {}
    boosts: dict[NoteType, Annotated[float, Field(ge=0, le=100)]] = {}
    minimum_score: Share | None = None
    project: Annotated[str | None, Field(max_length=300)] = None
    as_of: datetime | None = None
    now: datetime | None = None


class NewNote(Strict):
    title: Annotated[str, Field(min_length=1, max_length=300)]
    body: Text
    namespace: Namespace
    tier: Tier = Tier.MEMORY
    type: NoteType
    tags: list[Annotated[str, Field(max_length=100)]] = []
    importance: Share = 0.5
    confidence: Share = 0.7


class NoteChange(Strict):
    title: Annotated[str | None, Field(min_length=1, max_length=300)] = None
    body: Text | None = None
    namespace: Namespace | None = None
    tier: Tier | None = None
    type: NoteType | None = None
    tags: list[Annotated[str, Field(max_length=100)]] | None = None
    importance: Share | None = None
    confidence: Share | None = None
    status: Status | None = None


NoteId = Annotated[str, Path(pattern=r"^[0-9A-Za-z]{4,26}$")]


def build_rest(app: App, call: Call, token: str, hosts: Sequence[str] = LOCAL_HOSTS) -> FastAPI:
    """The API of one vault. `hosts` are the names under which it may be asked (the port is free)."""
    rest = FastAPI(title="seci", version=__version__, docs_url=None, redoc_url=None)
    rest.middleware("http")(_guard(token, hosts))
    rest.exception_handler(SeciError)(_on_error)

    @rest.post("/api/v1/context/assemble", tags=["context"])
    def assemble(question: Question) -> dict[str, Any]:
        """The context for a question; what enters counts as used."""
        return _run(call, ["remember", *_options(question), "--", question.query])

    @rest.post("/api/v1/context/preview", tags=["context"])
    def preview(question: Question) -> dict[str, Any]:
        """The same, without counting what enters as used."""
        return _run(call, ["remember", "--preview", *_options(question), "--", question.query])

    @rest.get("/api/v1/notes", tags=["notes"])
    def list_notes(namespace: Namespace | None = None, project: str | None = None) -> dict[str, Any]:
        """All notes without their bodies, newest first."""
        wanted = [
            *(["--namespace", namespace.value] if namespace else []),
            *(["--project", project] if project else []),
        ]
        return _run(call, ["list", *wanted])

    @rest.get("/api/v1/notes/search", tags=["notes"])
    def search(
        q: Annotated[str, Query(min_length=1, max_length=20_000)],
        k: Annotated[int, Query(ge=1, le=100)] = 10,
        project: str | None = None,
    ) -> dict[str, Any]:
        """The ranked list of notes and turns."""
        return _run(call, ["search", "-k", str(k), *(["--project", project] if project else []), "--", q])

    @rest.post("/api/v1/notes", status_code=201, tags=["notes"])
    def create(note: NewNote) -> dict[str, Any]:
        """Keeps a note; one that the vault has already is not written twice."""
        return _run(call, ["distill", "--notes", "-"], json.dumps([note.model_dump(mode="json")]).encode())

    @rest.get("/api/v1/notes/{id}", tags=["notes"])
    def read(id: NoteId) -> dict[str, Any]:
        """One note, by its id or the end of it."""
        return note_shape(app.find_note(id))

    @rest.patch("/api/v1/notes/{id}", tags=["notes"])
    def change(id: NoteId, fields: NoteChange) -> dict[str, Any]:
        """Changes the fields given, as one commit."""
        given = {
            name: value for name, value in fields.model_dump(mode="json").items() if name in fields.model_fields_set
        }
        revised = app.revise(app.find_note(id), given, datetime.now(UTC))
        return {**note_shape(app.find_note(revised.note.id)), "commit": revised.commit}

    @rest.delete("/api/v1/notes/{id}", tags=["notes"])
    def delete(id: NoteId) -> dict[str, Any]:
        """Removes a note, as one commit; git keeps it."""
        return {"commit": app.remove(app.find_note(id))}

    @rest.get("/api/v1/status", tags=["status"])
    def status() -> dict[str, Any]:
        """What the vault holds."""
        from seci.client.status import read_status

        return read_status(str(app.vault))

    return rest


def _guard(
    token: str, hosts: Sequence[str]
) -> Callable[[Request, Callable[[Request], Awaitable[Response]]], Awaitable[Response]]:
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        host = request.headers.get("host", "")
        if host.rpartition(":")[0] not in hosts and host not in hosts:
            return _refuse(403, "the Host header names another machine")
        if request.headers.get("origin") is not None:
            return _refuse(403, "requests from web pages are not answered")
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), token.encode()):
            return _refuse(401, "a bearer token is needed; seci serve printed where it is")
        length = request.headers.get("content-length")
        if request.method in ("POST", "PATCH", "PUT") and (length is None or not length.isdigit()):
            return _refuse(411, "the length of the body is needed")
        if length is not None and length.isdigit() and int(length) > BODY_LIMIT:
            return _refuse(413, f"the body is longer than {BODY_LIMIT} bytes")
        return await go_on(request)

    return guard


def _refuse(status: int, reason: str) -> JSONResponse:
    error = {"kind": "Refused", "subject": None, "reason": reason, "hint": None}
    return JSONResponse({"error": error}, status)


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    """The one translator of errors into statuses."""
    status = next((code for kind, code in STATUSES if isinstance(error, kind)), 500)
    if isinstance(error, VaultError) and error.reason == "there is no such note":
        status = 404
    fields = {name: getattr(error, name, None) for name in ("subject", "reason", "hint")}
    return JSONResponse({"error": {"kind": type(error).__name__, **fields}}, status)


def _run(call: Call, arguments: list[str], stdin: bytes = b"") -> dict[str, Any]:
    name, *rest = arguments
    answer = call([name, "--json", *rest], stdin)
    try:
        shape = json.loads(answer.stdout)
    except ValueError:
        said = answer.stderr.decode("utf-8", "replace").strip()
        raise HTTPException(CODES.get(answer.code, 500), said or f"seci ended with {answer.code}") from None
    if isinstance(shape, dict) and "error" in shape:
        raise HTTPException(CODES.get(answer.code, 500), shape["error"])
    return dict(shape)


def _options(question: Question) -> list[str]:
    options: list[str] = []
    if question.budget is not None:
        options += ["--budget", str(question.budget)]
    for tier, tokens in question.tier_budgets.items():
        options += ["--tier-budget", f"{tier.value}={tokens}"]
    for signal, weight in question.weights.items():
        options += ["--weight", f"{signal}={weight}"]
    for kind, factor in question.boosts.items():
        options += ["--boost", f"{kind.value}={factor}"]
    if question.minimum_score is not None:
        options += ["--minimum", str(question.minimum_score)]
    if question.project:
        options += ["--project", question.project]
    for name, moment in (("--as-of", question.as_of), ("--now", question.now)):
        if moment is not None:
            options += [name, moment.isoformat()]
    return options

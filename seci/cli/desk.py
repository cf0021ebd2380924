"""What a resident process does for its callers: it runs their commands in its own warm vault."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from seci.app import App, open_app
from seci.cli.invocation import Invocation, answer_as
from seci.server.resident import Answer, Request

LOG = logging.getLogger("seci.resident")
SPOOL_QUIET = 5.0  # seconds after the last hook before a session counts as written to its end
DISTILL_SECONDS = 1800


class CommandDesk:
    """Implements `server.resident.Desk` for one vault."""

    def __init__(self, vault: Path, environ: Mapping[str, str]) -> None:
        self._vault = vault
        self._environ = environ
        self._app: App | None = None
        self._held = ExitStack()

    def open(self) -> None:
        app = open_app(self._vault, self._vault, self._environ)
        self._held.enter_context(app.hold_index())
        self._app = app

    def close(self) -> None:
        self._app = None
        self._held.close()

    def answer(self, request: Request) -> Answer:
        from seci.cli.main import run

        stdout, stderr = io.StringIO(), io.StringIO()
        call = Invocation(
            cwd=Path(request.cwd),
            environ=request.variables,
            stdout=stdout,
            stderr=stderr,
            stdin=io.StringIO(request.stdin.decode("utf-8", "replace")),
            width=request.width,
            open=self._open,
        )
        code = answer_as(call, lambda: run(list(request.arguments)))
        return Answer(code, stdout.getvalue().encode("utf-8", "replace"), stderr.getvalue().encode("utf-8", "replace"))

    def refresh(self) -> None:
        app = self._app
        if app is not None:
            app.reindex()

    def drain(self) -> bool:
        """In a child process: distilling is heavy work, and answers must not wait for it."""
        app = self._app
        if app is None:
            return False
        last = app.spool.newest()
        if last is None or time.time() - last < SPOOL_QUIET:
            return False
        command = [sys.executable, "-m", "seci.entry", "distill", "--spooled", "--vault", str(self._vault), "--json"]
        environ = {**self._environ, "SECI_RESIDENT": "off"}
        done = subprocess.run(command, capture_output=True, env=environ, timeout=DISTILL_SECONDS, check=False)
        if done.returncode:
            LOG.warning("distilling the spool failed: %s", done.stderr.decode("utf-8", "replace").strip())
        return True

    def _open(self, named: Path | None, cwd: Path, environ: Mapping[str, str]) -> App:
        """The warm vault where the caller means this one; another vault is opened for the one call."""
        from seci.client.locate import find_vault

        found = find_vault(str(named) if named else None, str(cwd), environ)
        if self._app is None or found is None or Path(found).resolve() != self._vault.resolve():
            return open_app(named, cwd, environ)
        return self._app.seen_from(cwd, environ)

"""What a resident process does for its callers: it runs their commands in its own warm vault."""

from __future__ import annotations

import gc
import io
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from seci.app import App, open_app
from seci.cli.invocation import Invocation, answer_as
from seci.server.resident import Answer, Request

LOG = logging.getLogger("seci.resident")
# Seconds that a question waits for the first look at what changed while nobody watched, less than its client waits.
FRESH = 27.0
FRESH_FOR_HOOK = 1.0
_COLLECT = (100_000, 20, 100)  # objects made before the first look for garbage, and looks before longer ones
RETRY = 60.0  # seconds before a spool that could not be distilled is tried again, doubled with every failure
LONGEST_RETRY = 3600.0


class CommandDesk:
    """Implements `server.resident.Desk` for one vault."""

    def __init__(self, vault: Path, environ: Mapping[str, str]) -> None:
        self._vault = vault
        self._environ = environ
        self._app: App | None = None
        self._held = ExitStack()
        self._fresh = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._not_before = 0.0

    def open(self) -> None:
        app = open_app(self._vault, self._vault, self._environ)
        self._held.enter_context(app.keeper.hold())
        self._app = app
        # What is loaded by now stays: looking for garbage in it again and again would cost every question.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECT)

    def close(self) -> None:
        if self._child is not None:
            self._child.terminate()  # what it had begun is rolled back or finished by the next writer
            self._child.wait()
            self._child = None
        self._app = None
        self._fresh.clear()
        self._held.close()

    def answer(self, request: Request) -> Answer:
        from seci.cli.main import run

        stdout, stderr = io.StringIO(), io.StringIO()
        command = next(iter(request.arguments), "")
        fresh = command == "reindex" or self._fresh.wait(FRESH_FOR_HOOK if command == "hook" else FRESH)
        if not fresh and command != "hook":
            stderr.write("still reading what changed in the vault: this is answered from what is known so far\n")
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
            try:
                app.reindex()
            finally:
                self._fresh.set()

    def drain(self) -> bool:
        """In a child process: distilling is heavy work, and neither answers nor the files may wait for it."""
        app = self._app
        if app is None:
            return False
        if self._child is not None:
            return self._watch_child()
        now = time.time()
        if now < self._not_before or not app.spool.settled(now):
            return False
        command = [sys.executable, "-m", "seci.entry", "distill", "--spooled", "--settled", "--vault", str(self._vault)]
        environ = {**self._environ, "SECI_RESIDENT": "off"}
        with (app.state / "distill.log").open("wb") as log:
            self._child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._vault, env=environ
            )
        return True

    def _watch_child(self) -> bool:
        assert self._child is not None
        code = self._child.poll()
        if code is None:
            return True
        self._child = None
        self._failures = self._failures + 1 if code else 0
        if code:
            wait = min(RETRY * 2 ** (self._failures - 1), LONGEST_RETRY)
            self._not_before = time.time() + wait
            LOG.warning("distilling the spool failed with code %d, see .seci/distill.log; again in %d s", code, wait)
        return False

    def _open(self, named: Path | None, cwd: Path, environ: Mapping[str, str]) -> App:
        """The warm vault where the caller means this one; another vault is opened for the one call."""
        from seci.client.locate import find_vault

        found = find_vault(str(named) if named else None, str(cwd), environ)
        if self._app is None or found is None or Path(found).resolve() != self._vault.resolve():
            return open_app(named, cwd, environ)
        return self._app.seen_from(cwd, environ)

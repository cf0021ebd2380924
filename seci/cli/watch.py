"""`seci watch`: the resident process in the foreground."""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path
from typing import Annotated

import typer

from seci.cli.invocation import current
from seci.cli.options import VaultOption

IDLE_SECONDS = 1800.0
LOG_BYTES = 1_000_000


def watch(
    vault: VaultOption = None,
    idle: Annotated[
        float | None,
        typer.Option("--idle", help="Stop after so many seconds without a question.", show_default="never"),
    ] = None,
) -> None:
    """Keep the index true while files change. Answers other seci processes too; stop it with Ctrl-C."""
    from seci.cli.desk import CommandDesk
    from seci.cli.output import console
    from seci.errors import IndexBusyError
    from seci.server.resident import Resident

    call = current()
    app = call.open_app(vault)
    _log_to(app.state / "log", verbose=idle is None)
    resident = Resident(app.vault, CommandDesk(app.vault, call.environ), call.environ, idle)
    if idle is None:
        console(stderr=True).print(f"watching {app.vault}", markup=False)
    try:
        resident.run()
    except IndexBusyError as busy:
        # Somebody watches already, which is what was wanted.
        console(stderr=True).print(f"{busy.reason}; nothing to do", markup=False)
    except Exception:
        # Nobody sees the standard error of a process in the background; the log is where doctor looks.
        logging.getLogger("seci.resident").exception("the resident process ends")
        raise


def _log_to(path: Path, verbose: bool) -> None:
    path.parent.mkdir(exist_ok=True)
    handlers: list[logging.Handler] = [
        logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    ]
    if verbose:
        handlers.append(logging.StreamHandler())
    logging.basicConfig(
        level=logging.INFO, handlers=handlers, format="%(asctime)s %(levelname)s %(message)s", force=True
    )

"""The command line: one typer application, and the one place where errors become prose and exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Annotated

import typer
from typer.main import get_command

from seci.cli.invocation import INTERRUPTED
from seci.errors import SeciError, UserError

# What a wrong call raises, usage errors and bad values alike: typer exports only the last of the family by name.
WrongCall: type[Exception] = typer.BadParameter.__mro__[2]
SUMMARY = "Turns sessions with AI assistants into a git-versioned vault of markdown, and brings the right part back."


@cache
def build_app() -> typer.Typer:
    """All commands. Their modules import nothing heavy, so that --help stays quick."""
    from seci.cli import (
        bench,
        consolidate,
        distill,
        doctor,
        edit,
        history,
        hook,
        init,
        install,
        mcp,
        reindex,
        remember,
        router,
        search,
        serve,
        show,
        status,
        upkeep,
        watch,
    )

    app = typer.Typer(
        name="seci",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help=SUMMARY,
    )
    app.callback()(_root)
    for name, command in (
        ("init", init.init),
        ("trust", init.trust),
        ("distill", distill.distill),
        ("consolidate", consolidate.consolidate),
        ("review", consolidate.review),
        ("remember", remember.remember),
        ("search", search.search),
        ("show", show.show),
        ("list", show.list_notes),
        ("edit", edit.edit),
        ("status", status.status),
        ("doctor", doctor.doctor),
        ("log", history.log),
        ("diff", history.diff),
        ("undo", history.undo),
        ("sync", upkeep.sync),
        ("forget", upkeep.forget),
        ("audit", upkeep.audit),
        ("reindex", reindex.reindex),
        ("watch", watch.watch),
        ("serve", serve.serve),
        ("mcp", mcp.mcp),
        ("hook", hook.hook),
        ("install", install.install),
        ("uninstall", install.uninstall),
    ):
        app.command(name)(command)
    app.add_typer(bench.bench, name="bench")
    app.add_typer(router.router, name="router")
    return app


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=lambda v: _version(v)),
    ] = False,
) -> None:
    """The options that stand before a command."""


def _version(wanted: bool) -> None:
    if wanted:
        from seci import __version__

        typer.echo(f"seci {__version__}")
        raise typer.Exit


def run_cli(arguments: list[str] | None = None) -> None:
    """Runs the command and exits: 0, the error's own code, 2 for a wrong call, 130 when interrupted."""
    for name in ("stdout", "stderr"):  # closed by the caller: nobody reads what would be said
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - pathlib costs more
    code = run(sys.argv[1:] if arguments is None else arguments)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()  # at exit Python would end with 120 and complain
    except BrokenPipeError:
        sys.stdout = None
    except OSError as error:
        code = _report_unwritable(error, as_json=False)
        sys.stdout = None
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of one command."""
    try:
        result = _command()(arguments, standalone_mode=False, prog_name="seci")
    except SeciError as error:
        report_error(error, as_json="--json" in arguments)
        return error.exit_code
    except typer.Exit as done:
        return done.exit_code
    except WrongCall as error:
        from seci.cli.invocation import current

        error.show(file=current().stream(stderr=True))  # type: ignore[attr-defined]
        return UserError.exit_code
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`seci list | head`); without this, Python complains once more at exit.
        sys.stdout = None
        return 0
    except OSError as error:
        return _report_unwritable(error, as_json="--json" in arguments)
    return result if isinstance(result, int) else 0


def _report_unwritable(error: OSError, as_json: bool) -> int:
    full = error.errno == errno.ENOSPC
    if full:
        sys.stdout = None  # what is left in it cannot be written either
    report_error(SeciError(error.strerror or str(error), subject=_name_of(error)), as_json=as_json and not full)
    return SeciError.exit_code


def _name_of(error: OSError) -> str | None:
    return os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else None


@cache
def _command() -> Callable[..., object]:
    """Built once: a resident process runs many commands, and building the tree costs more than answering a question."""
    return get_command(build_app())


def report_error(error: SeciError, as_json: bool) -> None:
    """As JSON on standard output, or as one or two lines on standard error."""
    if as_json:
        from seci.cli.output import error_shape, print_json

        print_json(error_shape(error))
        return
    from seci.cli.invocation import current

    lines = [f"error: {error}", *([f"hint: {error.hint}"] if error.hint else [])]
    current().stream(stderr=True).write("\n".join(lines) + "\n")

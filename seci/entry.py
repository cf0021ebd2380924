"""The console script. Commands that an agent or a prompt waits for go to `client` before anything else is imported."""

import os
import sys

HOT = ("status", "remember", "search", "hook", "mcp")


def main() -> None:
    """Runs the command line and exits with its code."""
    arguments = sys.argv[1:]
    if arguments[:1] != ["edit"]:  # an editor would inherit it
        # Its threads spin while they wait for each other: on a busy machine a question took three times the processor.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if arguments and arguments[0] in HOT and "--help" not in arguments:
        from seci.client.dispatch import run

        code = run(arguments)
        if code is not None:
            sys.exit(code)
    from seci.cli.main import run_cli

    run_cli()


if __name__ == "__main__":
    main()

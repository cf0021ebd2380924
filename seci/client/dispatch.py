"""Which client command answers. Returns None where the full command line has to."""

import os


def run(arguments: list[str]) -> int | None:
    """The exit code, or None for options that only the full command line knows."""
    name, *rest = arguments
    options = parse_options(rest)
    if options is None or name != "status":
        return None
    from seci.client.status import print_status

    return print_status(options["vault"], bool(options["json"]), os.getcwd(), os.environ)


def parse_options(arguments: list[str]) -> dict[str, str | None] | None:
    """`--vault PATH`, `--vault=PATH` and `--json`; None for anything else, a missing value included."""
    options: dict[str, str | None] = {"vault": None, "json": None}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--json":
            options["json"] = "yes"
        elif argument == "--vault":
            options["vault"] = next(rest, None)
            if options["vault"] is None:
                return None
        elif argument.startswith("--vault="):
            options["vault"] = argument[len("--vault=") :]
        else:
            return None
    return options

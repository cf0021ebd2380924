"""Which client command answers. Returns None where the full command line has to."""

import os

FORWARDED = ("remember", "search")
PATIENCE = 30.0  # seconds for a question; a resident that takes longer is in trouble
HOOK_PATIENCE = 2.0


def run(arguments: list[str]) -> int | None:
    """The exit code, or None for what only the full command line knows."""
    name, *rest = arguments
    if name == "status":
        options = parse_options(rest)
        if options is None:
            return None
        from seci.client.status import print_status

        return print_status(options["vault"], bool(options["json"]), os.getcwd(), os.environ)
    if name == "hook":
        from seci.client.hook import run_hook

        return run_hook(rest)
    if name == "mcp":
        shake_hands(rest)
        return None
    return forward(arguments) if name in FORWARDED else None


def shake_hands(arguments: list[str]) -> None:
    """Greets an MCP client of a registered vault while there is no server yet."""
    from seci.client.greeting import greet
    from seci.client.trust import trusted_vault

    options = parse_options(arguments)
    if os.name == "nt" or options is None:
        return
    named = options["vault"]
    environ = {**os.environ, "SECI_VAULT": os.path.abspath(named)} if named else dict(os.environ)
    if trusted_vault(os.getcwd(), environ) is not None:
        greet()


def forward(arguments: list[str]) -> int | None:
    """Lets the vault's resident process answer; None where none does, after starting one for next time."""
    import sys

    from seci.client.locate import MARKER, find_vault
    from seci.client.wire import ask, encode_request, forwarded

    if os.environ.get("SECI_RESIDENT", "").lower() == "off":
        return None
    vault = find_vault(named_vault(arguments), os.getcwd(), os.environ)
    if vault is None or not os.path.isfile(os.path.join(vault, MARKER)):
        return None
    width = ""
    if sys.stdout.isatty():
        from seci.client.screen import columns

        width = str(columns(os.environ) or "")
    request = encode_request(os.getcwd(), width, b"", forwarded(os.environ.items()), arguments)
    answer = ask(vault, request, PATIENCE)
    if answer is None:
        from seci.client.spawn import start_resident

        start_resident(vault, os.environ)
        return None
    code, stdout, stderr = answer
    sys.stdout.buffer.write(stdout)
    sys.stderr.buffer.write(stderr)
    return code


def named_vault(arguments: list[str]) -> str | None:
    """The value of --vault, None where there is none."""
    for number, argument in enumerate(arguments):
        if argument == "--":
            return None
        if argument == "--vault":
            return arguments[number + 1] if number + 1 < len(arguments) else None
        if argument.startswith("--vault="):
            return argument[len("--vault=") :]
    return None


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

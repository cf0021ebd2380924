"""The command reference, generated from the commands: `python -m seci.cli.reference [--check] FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HEAD = """# Command reference

Generated from the commands by `make docs`. Every command also takes `--help`. Exit codes: 0 done, 1 something was found
wrong (`doctor`), 2 a wrong call, 3 the vault, 4 nothing could be read, 5 the index, 6 a model.
"""


def render_reference() -> str:
    """Markdown of every command: usage, what it does, arguments and options."""
    from typer.main import get_command

    from seci.cli.main import build_app

    group = get_command(build_app())
    return HEAD + "".join(_render(command, name) for name, command in _commands(group, "seci"))


def _commands(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


def _render(command: Any, name: str) -> str:
    usage = [name]
    rows = []
    for parameter in command.params:
        if parameter.name == "help":
            continue
        if parameter.param_type_name == "argument":
            label = str(parameter.name).upper() + ("..." if parameter.nargs == -1 else "")
            usage.append(label if parameter.required else f"[{label}]")
        else:
            label = ", ".join(sorted(parameter.opts, key=len)) + _value(parameter)
        rows.append(f"| `{label}` | {_text(parameter.help)} |\n")
    text = f"\n## {name}\n\n{_text(command.help)}\n\n```\n{' '.join(usage)} [OPTIONS]\n```\n"
    return text + ("\n| | |\n|---|---|\n" + "".join(rows) if rows else "")


def _value(parameter: Any) -> str:
    if parameter.is_flag:
        return ""
    return f" {parameter.name.upper()}"


def _text(text: str | None) -> str:
    return " ".join((text or "").replace("|", "\\|").split())


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    (place,) = [Path(argument) for argument in arguments if argument != "--check"]
    text = render_reference()
    if not check:
        place.write_text(text, "utf-8")
        return 0
    if not place.exists() or place.read_text("utf-8") != text:
        sys.stderr.write(f"{place} is not what the commands say now: run make docs\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""No command pays for what it does not need: each runs in a fresh interpreter and says what it imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "torch",
    "sentence_transformers",
    "transformers",
    "chromadb",
    "onnxruntime",
    "typer",
    "rich",
    "git",
    "mcp",
    "numpy",
)
PROBE = """
import json, sys
sys.argv = ["seci", *{arguments!r}]
from seci.entry import main
try:
    main()
except SystemExit:
    pass
sys.stderr.write("\\n" + json.dumps(sorted(name for name in {heavy!r} if name in sys.modules)))
"""
STATUS, PLAIN, QUESTION = (
    {"typer", "rich", "git", "numpy"},
    {"typer", "rich"},
    {"typer", "rich", "numpy", "onnxruntime"},
)


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["status"], set()),
        (["status", "--json"], set()),
        (["hook", "claude-code"], set()),
        (["mcp", "--vault", "nowhere"], {"typer", "mcp"}),
        (["--help"], {"typer"}),
        (["--version"], {"typer"}),
        (["distill", "--help"], {"typer"}),
        (["list"], PLAIN),
        (["show", "6f1d2c84#3"], PLAIN),
        (["log"], PLAIN | {"git"}),
        (["install", "codex", "--dry-run"], PLAIN),
        (["search", "postgres"], QUESTION),
        (["remember", "postgres"], QUESTION),
    ],
)
def test_what_a_command_imports(vault: Path, model_cache: Path, arguments: list[str], allowed: set[str]) -> None:
    probe = PROBE.format(arguments=arguments, heavy=HEAVY)
    environ = {**os.environ, "SECI_CACHE": str(model_cache)}
    done = subprocess.run(
        [sys.executable, "-c", probe], input="{}", capture_output=True, text=True, env=environ, check=True
    )
    imported = set(json.loads(done.stderr.splitlines()[-1]))
    assert imported <= allowed, f"{arguments} imported {imported - allowed}\n{done.stderr}"

"""What whole commands cost, interpreter included: each in turns with `python -c pass`, so that only ratios count.

Warm commands are answered by a resident process, cold ones have none. The vault's notes are generated; the processes,
the socket and the hook's answers are the real ones.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seci.app import App
from seci.bench.generated import Generator
from seci.bench.hybrid import make_vault
from seci.bench.report import machine_shape, score_times
from seci.client.wire import socket_of
from seci.config import trust_vault
from seci.core.note import Namespace, Note, NoteType, Provenance, Tier, note_id
from seci.core.ports import Embedder
from seci.embedding.exports import default_cache
from seci.errors import UserError

BARE = "python -c pass"
TARGETS = {  # most times the bare interpreter: of wall time at the 95th percentile, of processor time at the median
    "hook, warm": ("p95_multiple", 5.0),
    "remember, warm": ("p95_multiple", 5.0),
    "hook, cold": ("p95_multiple", 8.0),
    "--help": ("cpu_multiple", 20.0),
    "status": ("cpu_multiple", 6.0),
}
ROUNDS = 40
NOTES = 200
START_SECONDS = 600
IDLE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Command:
    """What is run. `stdin` gives the input of a round."""

    name: str
    arguments: tuple[str, ...]
    warm: bool = True
    stdin: Callable[[int], str] = lambda number: ""


@dataclass(frozen=True, slots=True)
class Ran:
    """One command. Milliseconds of wall time, and multiples of the bare interpreter's wall and processor time."""

    command: str
    p50_ms: float
    p95_ms: float
    p50_multiple: float
    p95_multiple: float
    cpu_multiple: float


@dataclass(frozen=True, slots=True)
class Idle:
    """The resident process after the questions: memory in use now and at most, processor time while nobody asks."""

    memory_mb: float
    peak_mb: float
    cpu_share: float


def run_processes(
    environ: Mapping[str, str],
    embedder: Embedder,
    notes: int = NOTES,
    rounds: int = ROUNDS,
    progress: Callable[[int, int | None], None] = lambda steps, total: None,
) -> tuple[list[Ran], Idle]:
    """Runs every command so many times. Raises UserError where a command fails or no resident process starts."""
    generator = Generator(embedder.dimensions)
    with tempfile.TemporaryDirectory(prefix="seci-processes-") as place:
        folder = Path(place)
        app = make_vault(folder, environ, embedder)
        said = write_notes(app, generator, notes)
        own = {**app.environ, "XDG_RUNTIME_DIR": _private(folder / "run"), "SECI_VAULT": str(app.vault)}
        own.setdefault("SECI_CACHE", str(default_cache(environ)))  # not the one of the home that this vault has
        trust_vault(app.vault, own)
        trust_vault(app.vault, own)
        commands = list_commands(said, app.vault, folder)
        with resident(app.vault, own) as process:
            spent = _take_turns(commands, own, rounds, progress)
            idle = read_idle(process)
    return [_compare(name, times, spent[BARE]) for name, times in spent.items()], idle


def list_commands(said: Sequence[str], vault: Path, cwd: Path) -> list[Command]:
    """The commands that somebody waits for; in every round the prompt is about another one of the notes."""

    def prompt(number: int) -> str:
        question = f"What was it with {' '.join(said[number % len(said)].split()[:12])}?"
        event = {"session_id": f"s{number}-{time.monotonic_ns()}", "cwd": str(cwd), "prompt": question}
        return json.dumps({**event, "hook_event_name": "UserPromptSubmit"})

    hook = ("hook", "claude-code")
    question = f"What was it with {' '.join(said[0].split()[:12])}?"
    return [
        Command("hook, warm", hook, stdin=prompt),
        Command("hook, cold", hook, warm=False, stdin=prompt),
        Command("remember, warm", ("remember", question, "--vault", str(vault))),
        Command("search, warm", ("search", question, "--vault", str(vault))),
        Command("status", ("status", "--vault", str(vault))),
        Command("--help", ("--help",)),
    ]


def write_notes(app: App, generator: Generator, count: int) -> list[str]:
    """So many generated notes as files of the vault, one commit, indexed. Returns what they say."""
    store, changes, said = app.notes, dict[str, str | None](), []
    for batch in generator.notes(count):
        for document, _ in batch:
            record = document.record
            title = f"{record.title}: {' '.join(record.body.split()[:5])}"
            sources = (Provenance(f"generated:{record.key}", (1,)),)
            note = Note(
                id=note_id(record.created, sources, title),
                title=title,
                body=record.body,
                namespace=record.namespace or Namespace.DOCS,
                tier=record.tier or Tier.MEMORY,
                type=record.type or NoteType.FACT,
                created=record.created,
                sources=sources,
            )
            path, text = store.render(note)
            changes[path] = text
            said.append(record.body)
    app.transaction.write(changes, "Write generated notes")
    app.reindex()
    return said


@contextmanager
def resident(vault: Path, environ: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A resident process that has answered once."""
    arguments = [*executable(), "watch", "--vault", str(vault), "--idle", "3600"]
    process = subprocess.Popen(arguments, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + START_SECONDS
        while socket_of(str(vault)) is None:
            if process.poll() is not None or time.monotonic() > end:
                raise UserError("the resident process does not start", subject=" ".join(arguments))
            time.sleep(0.05)
        warm = {**environ, "SECI_RESIDENT": ""}
        for _ in range(3):
            subprocess.run([*executable(), "search", "anything", "--vault", str(vault)], env=warm, capture_output=True)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def executable() -> list[str]:
    """The installed script beside this interpreter, else the module."""
    script = Path(sys.executable).with_name("seci")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "seci.entry"]


def read_idle(process: subprocess.Popen[bytes]) -> Idle:
    """Reads /proc; on other systems everything is 0."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return Idle(0.0, 0.0, 0.0)
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    before, began = _ticks(process.pid), time.monotonic()
    time.sleep(IDLE_SECONDS)
    seconds = (_ticks(process.pid) - before) / os.sysconf("SC_CLK_TCK")
    share = seconds / (time.monotonic() - began)
    kilobytes = [int(fields[name].split()[0]) for name in ("VmRSS", "VmHWM")]
    return Idle(round(kilobytes[0] / 1024, 1), round(kilobytes[1] / 1024, 1), round(share, 4))


def processes_shape(ran: Sequence[Ran], idle: Idle, notes: int, rounds: int) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "dataset": "processes",
        "notes": notes,
        "rounds": rounds,
        "commands": [asdict(one) for one in ran],
        "resident": asdict(idle),
        "targets": {name: {measure: most} for name, (measure, most) in TARGETS.items()},
        "machine": machine_shape(),
    }


def _take_turns(
    commands: Sequence[Command],
    environ: Mapping[str, str],
    rounds: int,
    progress: Callable[[int, int | None], None],
) -> dict[str, list[tuple[float, float]]]:
    """(wall, processor) seconds of every run of every command, the bare interpreter's first."""
    spent: dict[str, list[tuple[float, float]]] = {BARE: []}
    for number in range(rounds):
        spent[BARE].append(_run([sys.executable, "-c", "pass"], environ, ""))
        for command in commands:
            own = {**environ, "SECI_RESIDENT": "" if command.warm else "off"}
            took = _run([*executable(), *command.arguments], own, command.stdin(number))
            spent.setdefault(command.name, []).append(took)
        progress(1, rounds)
    return spent


def _run(arguments: Sequence[str], environ: Mapping[str, str], stdin: str) -> tuple[float, float]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(arguments, input=stdin.encode(), env=environ, capture_output=True, check=False)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise UserError(done.stderr.decode(errors="replace").strip() or "failed", subject=" ".join(arguments))
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _compare(name: str, own: Sequence[tuple[float, float]], bare: Sequence[tuple[float, float]]) -> Ran:
    wall, base = (score_times(1000 * seconds for seconds, _ in times) for times in (own, bare))
    processor = [score_times(seconds for _, seconds in times)["p50"] for times in (own, bare)]
    return Ran(
        command=name,
        p50_ms=round(wall["p50"], 1),
        p95_ms=round(wall["p95"], 1),
        p50_multiple=round(wall["p50"] / base["p50"], 2),
        p95_multiple=round(wall["p95"] / base["p95"], 2),
        cpu_multiple=round(processor[0] / processor[1], 2),
    )


def _ticks(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _private(folder: Path) -> str:
    folder.mkdir(mode=0o700)
    return str(folder)

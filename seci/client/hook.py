"""`seci hook AGENT`, the part that an agent waits for: standard library only, exit code 0, silence in trouble."""

import os
import sys

from seci.client.dialects import END, PAUSE, PROMPT, START, HookEvent, canonical, parse_event, render_answer
from seci.client.trust import trusted_vault

PATIENCE = 2.0  # seconds for the resident process; an agent's user waits

# Seconds without a word from a session after which it counts as over. A turn's end is followed by the user's next
# prompt more often than not, and a session that is distilled half gives half an episode.
AFTER_END = 5
AFTER_PAUSE = 900
AFTER_IDLE = 60  # opencode never says that a session ended
FOUND_BY_ID = ("opencode", "copilot-cli", "cursor")  # do not always say which file a session is in


def run_hook(arguments: list[str]) -> int:
    """Answers on standard output. What goes wrong goes to the log of the vault, never to the agent."""
    agent = canonical(arguments[0]) if arguments else None
    if agent is None:
        from seci.client.dialects import AGENTS

        sys.stderr.write(f"error: seci hook needs the agent's name: {', '.join(AGENTS)}\n")
        return 0
    stdin = sys.stdin.buffer.read()
    try:
        event = parse_event(agent, stdin.decode("utf-8", "replace"), os.environ)
    except ValueError:
        return 0
    try:
        vault = trusted_vault(event.cwd or os.getcwd(), os.environ)
        if vault is not None:
            sys.stdout.buffer.write(answer(vault, agent, event, stdin))
        else:
            sys.stdout.write(render_answer(event, ""))
    except OSError as error:
        sys.stderr.write(f"seci: {error}\n")
    return 0


def answer(vault: str, agent: str, event: HookEvent, stdin: bytes) -> bytes:
    """What the resident process says, or without one what the keyword tables say."""
    from seci.client.spawn import start_resident

    if event.kind in (END, PAUSE) and put_on_spool(vault, event, agent) and not resident_runs(vault):
        start_resident(vault, os.environ)
    if event.kind not in (START, PROMPT) or is_repeat(vault, event):
        return render_answer(event, "").encode()
    if os.environ.get("SECI_RESIDENT", "").lower() != "off":
        from seci.client.wire import ask, encode_request, forwarded

        request = encode_request(event.cwd or os.getcwd(), "", stdin, forwarded(os.environ.items()), ["hook", agent])
        found = ask(vault, request, PATIENCE)
        if found is not None:
            return found[1]
        start_resident(vault, os.environ)
    return render_answer(event, degraded_context(vault, event)).encode()


def degraded_context(vault: str, event: HookEvent) -> str:
    """What the keyword tables say, of the project that the agent works in."""
    from seci.client.lexical import keyword_context, standing_context
    from seci.client.trust import config_path, read_aliases
    from seci.vault.project import project_of

    project = project_of(event.cwd or os.getcwd(), read_aliases(config_path(os.environ))) or ""
    if event.kind == START:
        return standing_context(vault, project)
    return keyword_context(vault, event.prompt, project)


def put_on_spool(vault: str, event: HookEvent, agent: str) -> bool:
    """One small file, written beside and renamed into place: `state.spool` reads it. False where the event names no
    session that could be read."""
    import json
    import time

    keeper = event.dialect if event.dialect in FOUND_BY_ID else None
    if not event.transcript and not (keeper and event.session):
        return False
    wait = AFTER_END if event.kind == END else AFTER_IDLE if agent == "opencode" else AFTER_PAUSE
    notice: dict[str, object] = {
        "path": event.transcript,
        "source": None if event.transcript else keeper,
        "session": event.session,
        "wait": wait,
    }
    folder = os.path.join(vault, ".seci", "spool")
    os.makedirs(folder, exist_ok=True)
    name = f"{time.time_ns()}-{os.getpid()}.json"
    partial = os.path.join(folder, f".{name}")
    with open(partial, "w", encoding="utf-8") as file:
        json.dump(notice, file)
    os.replace(partial, os.path.join(folder, name))
    return True


def resident_runs(vault: str) -> bool:
    """Whether a process has said that it serves this vault and still lives."""
    try:
        with open(os.path.join(vault, ".seci", "resident"), encoding="utf-8", errors="surrogateescape") as file:
            process = int(file.read().split("\n")[1])
        os.kill(process, 0)
    except (OSError, ValueError, IndexError):
        return False
    return True


def is_repeat(vault: str, event: HookEvent) -> bool:
    """Whether another hook of the same session was told the same just now: a tool that reads two tools' settings runs
    both their hooks."""
    import time
    import zlib

    if not event.session:
        return False
    key = zlib.crc32(f"{event.session} {event.kind} {event.prompt}".encode("utf-8", "replace"))
    folder = os.path.join(vault, ".seci", "answered")
    os.makedirs(folder, exist_ok=True)
    mark = os.path.join(folder, f"{key:08x}")
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        recent = time.time() - os.path.getmtime(mark) < REPEAT_SECONDS
        if not recent:
            os.utime(mark)
        return recent
    _sweep(folder)
    return False


REPEAT_SECONDS = 3.0
KEPT_MARKS = 200


def _sweep(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) <= KEPT_MARKS:
        return
    paths = sorted((os.path.join(folder, name) for name in names), key=os.path.getmtime)
    for path in paths[: len(paths) // 2]:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue

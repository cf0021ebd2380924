"""The places where each tool keeps its sessions, and the variables that move them."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from seci.core.session import Session
from seci.sources.registry import load_registry
from tests.sources.golden import ROOT, stage

PLACES = {
    "claude-code": (".claude/projects/-home-ada-harbor/s.jsonl",),
    "codex": (".codex/sessions/2026/04/01/rollout-a.jsonl", ".codex/archived_sessions/rollout-b.jsonl.zst"),
    "gemini-cli": (".gemini/tmp/orchard/chats/session-a.jsonl",),
    "copilot-cli": (".copilot/session-state/c0c0/events.jsonl",),
    "vscode-chat": (
        ".config/Code/User/workspaceStorage/w/chatSessions/a.jsonl",
        "Library/Application Support/Code - Insiders/User/globalStorage/emptyWindowChatSessions/b.json",
    ),
    "cursor": (
        ".cursor/projects/home-ada-loom/agent-transcripts/k/k.jsonl",
        ".cursor/chats/0123456789abcdef/c/store.db",
        ".config/Cursor/User/globalStorage/state.vscdb",
    ),
    "opencode": (".local/share/opencode/opencode.db",),
    "cline": (
        ".cline/data/sessions/s1/s1.messages.json",
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json",
        ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/tasks/2/api_conversation_history.json",
    ),
    "goose": (".local/share/goose/sessions/sessions.db", ".local/share/goose/sessions/old.jsonl"),
    "continue": (".continue/sessions/1abd.json",),
    "aider": (".aider.chat.history.md",),
}

MOVED = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "", "projects/p/s.jsonl"),
    "codex": ("CODEX_HOME", "", "sessions/2026/01/01/rollout-a.jsonl"),
    "copilot-cli": ("COPILOT_HOME", "", "session-state/c/events.jsonl"),
    "cline": ("CLINE_DATA_DIR", "", "sessions/s/s.messages.json"),
    "opencode": ("XDG_DATA_HOME", "", "opencode/opencode.db"),
    "goose": ("XDG_DATA_HOME", "", "goose/sessions/sessions.db"),
    "continue": ("CONTINUE_GLOBAL_DIR", "", "sessions/a.json"),
    "gemini-cli": ("GEMINI_CLI_HOME", "", ".gemini/tmp/p/chats/session-a.json"),
    "aider": ("AIDER_CHAT_HISTORY_FILE", "chats.md", "chats.md"),
}


def found(home: Path, **environ: str) -> dict[str, set[Path]]:
    return {d.source: set(d.bundles) for d in load_registry().discover_all(home, environ) if d.bundles}


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path


def test_every_tool_is_found_in_its_place(tmp_path: Path) -> None:
    expected = {name: {touch(tmp_path / place) for place in places} for name, places in PLACES.items()}
    touch(tmp_path / ".claude/projects/-home-ada-harbor/memory/note.md")
    touch(tmp_path / ".continue/sessions/sessions.json")
    assert found(tmp_path) == expected


@pytest.mark.parametrize("name", MOVED)
def test_a_relocated_tool_is_found_where_it_moved(tmp_path: Path, name: str) -> None:
    variable, value, place = MOVED[name]
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for usual in PLACES[name][:1]:
        touch(home / usual)
    moved = touch(elsewhere / place)
    assert found(home, **{variable: str(elsewhere / value)})[name] == {moved}


def test_a_compressed_rollout_beside_the_plain_one_is_left_out(tmp_path: Path) -> None:
    plain = touch(tmp_path / ".codex/sessions/2026/04/01/rollout-a.jsonl")
    touch(tmp_path / ".codex/sessions/2026/04/01/rollout-a.jsonl.zst")
    assert found(tmp_path) == {"codex": {plain}}


def test_memory_tools_are_found_by_their_own_records(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    shutil.copytree(ROOT / "basic-memory" / "project", notes)
    settings = touch(tmp_path / ".basic-memory/config.json")
    settings.write_text(f'{{"projects": {{"main": "{notes}", "gone": "/nowhere"}}}}', encoding="utf-8")
    palace = tmp_path / ".mempalace" / "palace"
    palace.mkdir(parents=True)
    staged = stage(ROOT / "mempalace" / "chroma.sqlite3.sql", tmp_path)
    staged.rename(palace / "chroma.sqlite3")
    assert found(tmp_path) == {"basic-memory": {notes}, "mempalace": {palace}}
    read = {item.key for item in load_registry().read_found(load_registry().discover_all(tmp_path, {}))}
    assert read == {"basic-memory:harbour", "basic-memory:tide/tide-tables", "mempalace:hull/paint"}


def test_a_database_in_use_is_read_with_its_log_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.executescript((ROOT / "opencode" / "store.db.sql").read_text(encoding="utf-8"))
    assert (tmp_path / "opencode.db-wal").stat().st_size > 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    read = [item.key for item in load_registry().read([tmp_path])]
    assert read == ["opencode:ses_01", "opencode:ses_02"]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    writer.execute("UPDATE session SET title = 'still writable'")
    writer.close()


def test_a_cursor_store_is_read_where_no_transcript_of_the_chat_is_and_knows_its_project(tmp_path: Path) -> None:
    from hashlib import md5

    loom = tmp_path / "loom"
    loom.mkdir()
    digest = md5(str(loom).encode(), usedforsecurity=False).hexdigest()
    dashed = str(loom).strip("/").replace("/", "-")
    touch(tmp_path / f".cursor/projects/{dashed}/agent-transcripts/told/told.jsonl")
    touch(tmp_path / f".cursor/chats/{digest}/told/store.db")
    store = tmp_path / f".cursor/chats/{digest}/5f0c/store.db"
    store.parent.mkdir(parents=True)
    shutil.move(stage(ROOT / "cursor" / "chat.db.sql", tmp_path), store)
    assert {path.parent.name for path in found(tmp_path)["cursor"]} == {"told", "5f0c"}
    assert [path.name for path in sorted(found(tmp_path)["cursor"])] == ["store.db", "told.jsonl"]
    [session] = load_registry().source("cursor").read(store)
    assert isinstance(session, Session)
    assert (session.id, session.cwd) == ("5f0c", str(loom))

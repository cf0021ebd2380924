"""The same conversation by two routes is one session: same key, same turns."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from seci.core.session import Session
from seci.sources.registry import load_registry
from tests.sources.golden import ROOT, cases, stage

JSONL = [case for case in cases() if case.suffix == ".jsonl" and case.parent.name not in ("goose", "gemini-cli")]


def sessions(*paths: Path) -> list[Session]:
    return [item for item in load_registry().read(paths) if isinstance(item, Session)]


def told(path: Path) -> list[Session]:
    """The sessions without what only the place tells."""
    return [replace(session, cwd=None, project=None, title=None) for session in sessions(path)]


@pytest.mark.parametrize("case", JSONL, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_plain_and_compressed(case: Path, tmp_path: Path) -> None:
    packed = tmp_path / f"{case.name}.zst"
    packed.write_bytes(zstandard.compress(case.read_bytes()))
    assert told(packed) == told(case)


@pytest.mark.parametrize(
    "case",
    [case for case in cases() if case.parent.name not in ("obsidian", "cursor", "gemini-cli")],
    ids=lambda case: f"{case.parent.name}-{case.stem}",
)
def test_two_places(case: Path, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two" / "deeper").mkdir(parents=True)
    assert sessions(stage(case, tmp_path / "one")) == sessions(stage(case, tmp_path / "two" / "deeper"))


def test_plain_and_compressed_side_by_side_are_read_once(tmp_path: Path) -> None:
    case = ROOT / "codex" / "items.jsonl"
    shutil.copy(case, tmp_path / "rollout.jsonl")
    (tmp_path / "rollout.jsonl.zst").write_bytes(zstandard.compress(case.read_bytes()))
    assert len(sessions(tmp_path)) == 1


def test_opencode_store_export_and_old_files(tmp_path: Path) -> None:
    store = told(stage(ROOT / "opencode" / "store.db.sql", tmp_path))[:1]
    assert told(ROOT / "opencode" / "export.json") == store
    assert told(ROOT / "opencode" / "before_1_2") == store


@pytest.mark.parametrize("name", ["chatgpt", "claude-ai"])
def test_an_export_and_its_zip(name: str, tmp_path: Path) -> None:
    case = ROOT / name / "conversations.json"
    archive = tmp_path / "data-2026-01-01.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(case, "export/conversations.json")
        made.writestr("export/user.json", "{}")
    assert sessions(archive) == sessions(case)


def test_a_slack_export_its_zip_and_one_day(tmp_path: Path) -> None:
    folder = ROOT / "slack" / "export"
    archive = tmp_path / "slack.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for file in folder.rglob("*.json"):
            made.write(file, file.relative_to(folder).as_posix())
    assert sessions(archive) == sessions(folder)
    day = {session.key: session for session in sessions(folder / "mill" / "2026-01-02.json")}
    assert day["slack:mill/2026-01-02"] == {s.key: s for s in sessions(folder)}["slack:mill/2026-01-02"]


def test_cursor_store_and_transcript_have_one_key(tmp_path: Path) -> None:
    store = {session.key for session in sessions(stage(ROOT / "cursor" / "store.vscdb.sql", tmp_path))}
    transcript = tmp_path / "projects" / "home-ada-loom" / "agent-transcripts" / "k1" / "k1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(json.dumps({"role": "user", "message": {"content": "First by the list."}}) + "\n")
    (session,) = sessions(transcript)
    assert session.key in store


def test_text_is_known_by_its_opening_and_not_by_its_name(tmp_path: Path) -> None:
    said = "User: Where is the key?\nAssistant: " + "Under the mat, as always. " * 12 + "\n"
    short, grown = tmp_path / "a.txt", tmp_path / "b.md"
    short.write_text(said, encoding="utf-8")
    grown.write_text(said + "User: And the spare?\nAssistant: In the shed.\n", encoding="utf-8")
    (first,), (second,) = sessions(short), sessions(grown)
    assert first.key == second.key
    assert second.turns[:2] == first.turns

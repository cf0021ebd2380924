"""Bad input gives a message that names the file and the reason, and what is readable beside it is read."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from seci.core.session import Failure, Session
from seci.errors import SourceError
from seci.sources.lines import LINE_LIMIT, json_rows
from seci.sources.registry import load_registry

GOOD = [
    {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s-1", "message": {"content": "Ship it?"}},
    {
        "type": "assistant",
        "uuid": "a1",
        "parentUuid": "u1",
        "sessionId": "s-1",
        "message": {"id": "m1", "content": [{"type": "text", "text": "Yes."}]},
    },
]


def write_rows(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(*paths: Path) -> tuple[list[Session], list[Failure]]:
    items = list(load_registry().read(paths))
    return [i for i in items if isinstance(i, Session)], [i for i in items if isinstance(i, Failure)]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.jsonl", b"", "is empty"),
        ("binary.jsonl", bytes(range(256)) * 4, "is binary and of no known session format"),
        ("utf16.jsonl", json.dumps(GOOD[0]).encode("utf-16"), "is UTF-16 text: save it as UTF-8"),
        ("latin1.json", b'{"na\xefve": 1}\n', "is not UTF-8 (byte 4)"),
        ("cut.json", b'{"half": ', "is JSON, or the beginning of it, of no known session format"),
        ("cut.zst", b"\x28\xb5\x2f\xfd\x00", "cannot be decompressed"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0", "is binary and of no known session format"),
        ("nested.json", b"[" * 200_000, "is JSON, or the beginning of it, of no known session format"),
    ],
)
def test_a_file_that_nobody_can_read(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    good = write_rows(tmp_path / "good.jsonl", *GOOD)
    sessions, failures = read(path, good)
    assert failures == [Failure(str(path), reason)]
    assert [session.key for session in sessions] == ["claude-code:s-1"]


def test_a_file_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere\.jsonl: does not exist"):
        read(tmp_path / "nowhere.jsonl")


def test_a_link_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    _, failures = read(loop)
    assert failures == [Failure(str(loop), "is neither a file nor a folder")]


def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    _, failures = read(pipe)
    assert failures == [Failure(str(pipe), "is neither a file nor a folder")]
    assert read(tmp_path) == ([], [])


def test_folders_that_link_to_each_other_are_walked_once(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    (one / "to_two").symlink_to(two)
    (two / "to_one").symlink_to(one)
    (two / "up").symlink_to(tmp_path)
    write_rows(one / "good.jsonl", *GOOD)
    sessions, failures = read(tmp_path)
    assert len(sessions) == 1
    assert failures == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_without_the_right_to_read(tmp_path: Path) -> None:
    closed, locked = tmp_path / "closed", tmp_path / "locked.jsonl"
    closed.mkdir()
    write_rows(locked, *GOOD)
    write_rows(tmp_path / "open.jsonl", *GOOD)
    closed.chmod(0)
    locked.chmod(0)
    try:
        sessions, failures = read(tmp_path)
    finally:
        closed.chmod(0o700)
    assert len(sessions) == 1
    assert {(Path(f.path).name, f.reason) for f in failures} == {
        ("closed", "permission denied"),
        ("locked.jsonl", "permission denied"),
    }


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    write_rows(tmp_path / "good.jsonl", *GOOD)
    listed = Path.iterdir

    def refuse(self: Path) -> object:
        if self == closed:
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", refuse)
    sessions, failures = read(tmp_path)
    assert len(sessions) == 1
    assert failures == [Failure(str(closed), "permission denied")]


def test_damage_inside_a_file_costs_only_the_damaged_line(tmp_path: Path) -> None:
    first, second = (json.dumps(row).encode() for row in GOOD)
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + first + b"\n{oops}\n" + b'{"a":' * 30_000 + b"\n" + second + b"\n" + first[:20])
    sessions, failures = read(path)
    assert [turn.text for turn in sessions[0].turns] == ["Ship it?", "Yes."]
    assert [(f.path, f.reason.split(":")[0]) for f in failures] == [
        (f"{path}:2", "not JSON"),
        (f"{path}:3", "nested too deeply"),
    ]


def test_bytes_that_are_not_utf8_are_replaced_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "latin1.jsonl"
    path.write_bytes(
        b"".join(json.dumps(row).encode() + b"\n" for row in GOOD).replace(b"Ship it?", b"Caf\xe9 ouvert?")
    )
    sessions, failures = read(path)
    assert sessions[0].turns[0].text == "Caf\ufffd ouvert?"
    assert failures == [Failure(f"{path}:1", "bytes that are not UTF-8 were replaced")]


def test_a_later_version_says_which_one_it_is(tmp_path: Path) -> None:
    rows = [{"type": "utterance", "uuid": "u", "parentUuid": None, "sessionId": "s", "version": "9.0.0", "say": "hi"}]
    path = write_rows(tmp_path / "later.jsonl", *rows)
    _, failures = read(path)
    assert failures == [Failure(str(path), "no row of a known type written by version 9.0.0 (found utterance)")]


def test_broken_databases_and_archives(tmp_path: Path) -> None:
    database = tmp_path / "opencode.db"
    with sqlite3.connect(database) as connection:
        for table in ("session", "message", "part"):
            connection.execute(f"CREATE TABLE {table} (id TEXT, data TEXT)")
    connection.close()
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xff" * len(content[4096:])
    database.write_bytes(content)
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("conversations.json", json.dumps([{"title": "x", "mapping": {}}] * 5000))
    archive.write_bytes(archive.read_bytes()[:-400] + archive.read_bytes()[-300:])
    write_rows(tmp_path / "good.jsonl", *GOOD)
    sessions, failures = read(tmp_path)
    assert len(sessions) == 1
    assert {Path(failure.path).name for failure in failures} == {"opencode.db", "export.zip"}


def test_a_line_over_the_limit_is_left_out_and_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    first, second = (json.dumps(row) for row in GOOD)
    with path.open("w", encoding="utf-8") as file:
        file.write(first + "\n" + '{"type":"user","message":{"content":"')
        for _ in range(200):
            file.write("x" * (1 << 20))
        file.write('"}}\n' + second + "\n")
    script = (
        "import sys; from pathlib import Path; from seci.sources.registry import load_registry\n"
        "for item in load_registry().read([Path(sys.argv[1])]): print(item)\n"
        "print(int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    *items, megabytes = done.stdout.splitlines()
    assert items[0] == f"Failure(path='{path}:2', reason='line of more than {LINE_LIMIT >> 20} MB left out')"
    assert "Ship it?" in items[1]
    assert "Yes." in items[1]
    assert int(megabytes) < 300


def test_a_last_line_that_is_still_being_written_is_no_failure(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "live.jsonl", *GOOD)
    path.write_bytes(path.read_bytes() + json.dumps(GOOD[0]).encode()[:-9])
    assert [item for item in json_rows(path) if isinstance(item, Failure)] == []

"""What the `Source` port promises, held against every source that is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from seci.core.ports import Claim, Source
from seci.core.session import Failure, Session
from seci.sources.registry import load_registry
from tests.sources.golden import ROOT, cases, stage

REGISTRY = load_registry()

NASTY = {
    "empty.jsonl": b"",
    "blank.json": b" \n\n ",
    "binary.db": bytes(range(256)) * 40,
    "magic_only.db": b"SQLite format 3\0",
    "magic_only.vscdb": b"SQLite format 3\0" + b"CREATE TABLE cursorDiskKV CREATE TABLE ItemTable" + bytes(4000),
    "magic.zip": b"PK\x03\x04" + bytes(30),
    "magic.jsonl.zst": b"\x28\xb5\x2f\xfd" + bytes(30),
    "numbers.json": b"[1, 2, 3]",
    "null.json": b"null",
    "nested.json": b'{"a":' * 50_000,
    "nested_array.json": b"[" * 100_000,
    "cut.json": b'[{"role": "user", "content": "half a',
    "utf16.md": "User: hello\nAssistant: hi\n".encode("utf-16"),
    "latin1.txt": "User: caf\xe9\nAssistant: cr\xe8me\n".encode("latin-1"),
    "surrogate.jsonl": b'{"role":"user","content":"\\ud800 lone"}\n{"role":"assistant","content":"\\u0000nul"}\n',
    "huge_number.jsonl": b'{"role":"user","content":"x","timestamp":' + b"9" * 5000 + b"}\n",
    "infinite_time.jsonl": b'{"role":"user","content":"x","timestamp":1e308}\n{"role":"assistant","content":"y"}\n',
    "api_conversation_history.json": b'[{"role":[],"content":{"a":1},"ts":"x"},7]',
    "a.messages.json": b'{"messages":[[],{"role":"user","content":5}],"sessionId":7}',
}


@pytest.fixture(params=REGISTRY.names)
def source(request: pytest.FixtureRequest) -> Source:
    return REGISTRY.source(request.param)


@pytest.fixture(params=sorted(NASTY))
def nasty(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    path.write_bytes(NASTY[request.param])
    return path


def own_cases(source: Source) -> list[Path]:
    return [case for case in cases() if case.parent.name == source.name]


def read_all(source: Source, bundle: Path) -> list[Session | Failure]:
    return list(source.read(bundle))


def bundles_of(source: Source, path: Path) -> list[Path]:
    return [found[1] for found in REGISTRY.bundles(path) if not isinstance(found, Failure) and found[0] is source]


def test_claims_answer_for_anything(source: Source, nasty: Path) -> None:
    assert source.claim(nasty) in Claim


def test_claims_answer_for_what_is_not_there(source: Source, tmp_path: Path) -> None:
    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    assert source.claim(tmp_path / "missing.jsonl") is Claim.NONE
    assert source.claim(loop) is Claim.NONE
    assert source.claim(tmp_path) is Claim.NONE


def test_reading_damage_gives_values_and_no_errors(source: Source, nasty: Path) -> None:
    assert all(isinstance(item, (Session, Failure)) for item in read_all(source, nasty))


def test_failures_name_the_file_and_say_why(source: Source, nasty: Path) -> None:
    for item in read_all(source, nasty):
        if isinstance(item, Failure):
            assert str(nasty) in item.path
            assert item.reason.strip()


def test_reads_as_a_stream(source: Source) -> None:
    assert isinstance(source.read(ROOT / "none.jsonl"), Iterator)


def test_own_cases_are_claimed_and_well_formed(source: Source, tmp_path: Path) -> None:
    read = 0
    for case in own_cases(source):
        for bundle in bundles_of(source, stage(case, tmp_path)):
            for session in read_all(source, bundle):
                if isinstance(session, Session):
                    read += 1
                    assert_well_formed(session, source.name)
    assert read


def test_reading_twice_gives_the_same(source: Source, tmp_path: Path) -> None:
    for case in own_cases(source):
        for bundle in bundles_of(source, stage(case, tmp_path)):
            assert read_all(source, bundle) == read_all(source, bundle)


def test_reading_leaves_everything_as_it_was(source: Source, tmp_path: Path) -> None:
    for case in own_cases(source):
        path = stage(case, tmp_path)
        before = fingerprint(tmp_path)
        for bundle in bundles_of(source, path):
            read_all(source, bundle)
        assert fingerprint(tmp_path) == before


def test_nothing_is_discovered_on_an_empty_machine(source: Source, tmp_path: Path) -> None:
    assert list(source.discover(tmp_path / "home", {})) == []


def assert_well_formed(session: Session, name: str) -> None:
    assert session.source == name
    assert session.id
    assert session.turns
    indices = [turn.index for turn in session.turns]
    assert indices == sorted(set(indices))
    for name_or_text in (session.key, session.cwd, session.title, session.project):
        assert name_or_text is None or name_or_text.encode()
    for turn in session.turns:
        assert turn.message_id is None or turn.message_id.encode()
        assert turn.speaker is None or turn.speaker.encode()
        assert turn.text == turn.text.strip() != ""
        assert "\0" not in turn.text
        turn.text.encode()
        assert turn.at is None or turn.at.utcoffset() == timedelta(0)
        assert all(line and "\n" not in line for line in turn.tools)
    assert session.parent is None or session.parent.startswith(f"{name}:")


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    files = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return {str(file): (sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns) for file in files}

"""Notices of hooks wait until their session is distilled."""

from __future__ import annotations

from pathlib import Path

from seci.core.session import Failure
from seci.state.spool import FileSpool, Spooled


def test_a_session_noticed_twice_is_distilled_once(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    assert spool.entries() == [] and spool.newest() is None
    for name in ("b.jsonl", "a.jsonl", "b.jsonl"):
        spool.put(tmp_path / name, "claude-code")
    entries = spool.entries()
    assert [(e.path.name, e.source) for e in entries if isinstance(e, Spooled)] == [
        ("b.jsonl", "claude-code"),
        ("a.jsonl", "claude-code"),
    ]
    assert (spool.newest() or 0) > 1_700_000_000


def test_a_notice_that_comes_while_its_session_is_distilled_stays(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "a.jsonl")
    before = [e for e in spool.entries() if isinstance(e, Spooled)]
    spool.put(tmp_path / "a.jsonl")
    spool.done(before)
    assert [e.path.name for e in spool.entries() if isinstance(e, Spooled)] == ["a.jsonl"]
    spool.done(e for e in spool.entries() if isinstance(e, Spooled))
    assert spool.entries() == []


def test_a_damaged_notice_is_a_failure_and_a_half_written_one_is_not_seen(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "a.jsonl")
    (spool.folder / "9.json").write_text("{")
    (spool.folder / ".1.json.77").write_text('{"pa')
    entries = spool.entries()
    assert isinstance(entries[0], Spooled)
    assert [e.path for e in entries if isinstance(e, Failure)] == [str(spool.folder / "9.json")]

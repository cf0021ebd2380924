"""Notices of hooks wait until their session is distilled."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from seci.core.session import Failure
from seci.state.spool import FileSpool, Spooled


def test_a_session_noticed_twice_is_distilled_once(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    assert spool.entries() == []
    for name in ("b.jsonl", "a.jsonl", "b.jsonl"):
        spool.put(tmp_path / name, "claude-code")
    entries = spool.entries()
    assert [(e.path and e.path.name, e.source) for e in entries if isinstance(e, Spooled)] == [
        ("b.jsonl", "claude-code"),
        ("a.jsonl", "claude-code"),
    ]


def test_a_session_is_over_when_its_last_notice_says_so(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "a.jsonl", wait=900)
    now = time.time()
    assert spool.settled(now + 800) == []
    assert [e.path for e in spool.settled(now + 1000)] == [tmp_path / "a.jsonl"]
    spool.put(tmp_path / "a.jsonl", wait=5)  # the tool said that the session ended
    assert [len(e.notices) for e in spool.settled(now + 60)] == [2]


def test_a_tool_that_names_the_file_once_need_not_do_so_again(tmp_path: Path) -> None:
    """Copilot says at the end of each turn where the session lies, but not when it ends."""
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "events.jsonl", None, "s1", wait=900)
    spool.put(None, "copilot-cli", "s1", wait=5)
    (entry,) = spool.settled(time.time() + 60)
    assert (entry.path, entry.source, len(entry.notices)) == (tmp_path / "events.jsonl", None, 2)


def test_a_session_may_be_named_by_its_tool_and_id(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    spool.put(None, "opencode", "ses_1")
    spool.put(None, "opencode", "ses_2")
    found = [(e.path, e.source, e.session) for e in spool.entries() if isinstance(e, Spooled)]
    assert found == [(None, "opencode", "ses_1"), (None, "opencode", "ses_2")]


def test_a_notice_that_comes_while_its_session_is_distilled_stays(tmp_path: Path) -> None:
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "a.jsonl")
    before = [e for e in spool.entries() if isinstance(e, Spooled)]
    spool.put(tmp_path / "a.jsonl")
    spool.done(before)
    assert [e.path for e in spool.entries() if isinstance(e, Spooled)] == [tmp_path / "a.jsonl"]
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
    spool.set_aside(e for e in entries if isinstance(e, Failure))
    assert [type(e) for e in spool.entries()] == [Spooled]
    assert (spool.folder / "9.broken").exists()


@pytest.mark.parametrize("notice", ["[]", '{"path": ""}', '{"path": "", "source": "x"}', '{"path": "a", "wait": "x"}'])
def test_what_names_no_session_is_a_failure(tmp_path: Path, notice: str) -> None:
    spool = FileSpool(tmp_path)
    spool.put(tmp_path / "a.jsonl")
    (spool.folder / "9.json").write_text(notice)
    assert [type(e) for e in spool.entries()] == [Spooled, Failure]

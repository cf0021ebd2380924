"""Which notes were used, counted over processes and never in the vault's git."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seci.core.scoring import UsageCount
from seci.errors import VaultError
from seci.state.usage import UsageLog

NOON = datetime(2026, 1, 21, 12, tzinfo=UTC)


def test_uses_are_counted_with_the_last_time(tmp_path: Path) -> None:
    usage = UsageLog(tmp_path)
    assert usage.counts(["a"]) == {}
    usage.record(["a", "b"], NOON)
    UsageLog(tmp_path).record(["a"], NOON - timedelta(days=1))
    usage.record([], NOON)
    assert usage.counts(["a", "b", "c"]) == {"a": UsageCount(2, NOON), "b": UsageCount(1, NOON)}
    assert (tmp_path / ".seci/.gitignore").read_text() == "*\n"


def test_many_notes_at_once(tmp_path: Path) -> None:
    usage = UsageLog(tmp_path)
    ids = [f"note-{i}" for i in range(2500)]
    usage.record(ids, NOON)
    assert len(usage.counts(ids)) == 2500


def test_asking_writes_nothing(tmp_path: Path) -> None:
    UsageLog(tmp_path).counts(["a"])
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_log_is_named(tmp_path: Path) -> None:
    usage = UsageLog(tmp_path)
    usage.record(["a"], NOON)
    usage.close()
    usage.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(VaultError, match="cannot be used") as caught:
        usage.counts(["a"])
    assert caught.value.subject == str(usage.path)


def test_a_log_that_was_deleted_starts_anew(tmp_path: Path) -> None:
    usage = UsageLog(tmp_path)
    usage.record(["a"], NOON)
    for path in (tmp_path / ".seci").glob("usage*"):
        path.unlink()
    assert usage.counts(["a"]) == {}
    usage.record(["b"], NOON)
    assert UsageLog(tmp_path).counts(["a", "b"]) == {"b": UsageCount(1, NOON)}


def test_what_was_used_today_can_be_left_out(tmp_path: Path) -> None:
    usage = UsageLog(tmp_path)
    usage.record(["a"], NOON - timedelta(days=1))
    usage.record(["a", "b"], NOON)
    assert usage.counts(["a", "b"], before=NOON) == {"a": UsageCount(1, NOON - timedelta(days=1))}


def test_a_vault_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = UsageLog(tmp_path)
    usage.record(["a"], NOON)
    usage.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    later = UsageLog(tmp_path)
    later.record(["b"], NOON)
    assert later.counts(["a", "b"]) == {"a": UsageCount(1, NOON)}

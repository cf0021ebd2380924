"""A writer that is killed leaves either the old state or the new one, and the next opening puts Chroma right."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from seci.core.chunk import Kind
from seci.index.dual import DualIndex, open_index
from seci.index.keyword import Stamp
from seci.index.tables import FOLDER

WRITER = Path(__file__).with_name("crashing_writer.py")
OLD = ["docs/kept.md", "sessions/old.md", "sessions/other.md"]
NEW = ["docs/kept.md", "sessions/new.md", "sessions/other.md"]
POINTS = 16  # how many the writer passes when it is let be; the last test holds it


@pytest.fixture
def state(tmp_path: Path, entry: Callable[..., object], stamp: Stamp) -> Path:
    with open_index(tmp_path, stamp) as index:
        index.apply(
            [
                entry("sessions/old.md", "an old turn", "and its answer"),
                entry("sessions/other.md", "not touched"),
                entry("docs/kept.md", "it was so", "in two chunks"),
            ]
        )
    return tmp_path


def write(state: Path, step: int) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(WRITER.parent), str(WRITER.parents[2])])
    command = [sys.executable, str(WRITER), str(state), str(step)]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)


@pytest.mark.parametrize("step", range(1, POINTS + 1, 2))
def test_killed_at_any_point_the_index_is_whole_again_when_opened(state: Path, stamp: Stamp, step: int) -> None:
    done = write(state, step)
    assert done.returncode == -signal.SIGKILL, done.stderr
    reader = DualIndex(state / FOLDER, stamp, read_only=True)
    paths = [path for path, _ in reader.listing()]
    reader.close()
    assert paths in (OLD, NEW)
    with open_index(state, stamp) as index:
        assert index.emptied is None
        index.settle()
        assert index.verify() == []
        assert [path for path, _ in index.listing()] == paths
        texts = {chunk.text for kind in Kind for chunk in index.shelf(kind).chunks(range(index.shelf(kind).size))}
        assert ("an old turn" in texts) == (paths == OLD)
        assert ("a new turn" in texts) == ("it was changed" in texts) == (paths == NEW)


def test_let_be_the_writer_gets_to_the_new_state(state: Path, stamp: Stamp) -> None:
    done = write(state, 1000)
    assert (done.returncode, done.stdout.strip()) == (0, str(POINTS)), done.stderr
    with open_index(state, stamp) as index:
        assert [path for path, _ in index.listing()] == NEW
        assert index.verify() == []


def test_damage_to_chroma_is_repaired_from_the_tables(state: Path, stamp: Stamp) -> None:
    for path in (state / FOLDER / "chroma").rglob("*"):
        if path.is_file():
            path.write_bytes(b"\0garbage" * 64)
    with open_index(state, stamp) as index:
        index.settle()
        assert index.verify() == []
        assert [path for path, _ in index.listing()] == OLD


def test_a_chroma_folder_that_is_gone_is_filled_again(state: Path, stamp: Stamp) -> None:
    shutil.rmtree(state / FOLDER / "chroma")
    with open_index(state, stamp) as index:
        index.settle()
        assert index.verify() == []


def test_chroma_that_lost_a_row_is_noticed_and_repaired(state: Path, stamp: Stamp) -> None:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(
        str(state / FOLDER / "chroma"), settings=Settings(anonymized_telemetry=False, allow_reset=False)
    )
    client.get_collection("raw", embedding_function=None).delete(ids=["sessions/old.md#0"])
    client.close()
    with open_index(state, stamp) as index:
        assert index.verify() == ["Chroma, raw: 1 missing, 0 too many"]
        index.settle()
        assert index.verify() == []


def test_a_process_that_died_opening_chroma_is_not_followed(state: Path, stamp: Stamp) -> None:
    """Damage can end a process inside Chroma's native code, past any handler: the folder is then made anew."""
    with open_index(state, stamp) as index:
        index._tables.opening = True
    (state / FOLDER / "chroma" / "mark").write_text("from before")
    with open_index(state, stamp) as index:
        index.settle()
        assert not (state / FOLDER / "chroma" / "mark").exists()
        assert index.verify() == []


@pytest.mark.parametrize("damage", ["garbage", "truncated", "empty", "missing"])
def test_damaged_tables_mean_an_empty_index(
    state: Path, stamp: Stamp, entry: Callable[..., object], damage: str
) -> None:
    tables = state / FOLDER / "keyword.sqlite3"
    content = tables.read_bytes()
    if damage == "garbage":
        tables.write_bytes(b"garbage " * 1000)
    elif damage == "truncated":
        tables.write_bytes(content[: len(content) // 2])
    elif damage == "empty":
        tables.write_bytes(b"")
    else:
        tables.unlink()
    with open_index(state, stamp) as index:
        assert index.emptied
        assert index.listing() == []
        index.apply([entry("docs/a.md", "new")])
        assert index.verify() == []


def test_text_that_was_altered_in_the_tables_is_noticed(state: Path, stamp: Stamp) -> None:
    import sqlite3

    tables = sqlite3.connect(state / FOLDER / "keyword.sqlite3")
    tables.execute("UPDATE chunk SET text = 'forged' WHERE text = 'an old turn'")
    tables.commit()
    tables.close()
    with open_index(state, stamp) as index:
        assert any("text of 1 chunks was altered" in complaint for complaint in index.verify())


def test_keywords_that_went_missing_are_noticed(state: Path, stamp: Stamp) -> None:
    import sqlite3

    tables = sqlite3.connect(state / FOLDER / "keyword.sqlite3")
    tables.execute("INSERT INTO fts_raw(fts_raw) VALUES ('delete-all')")
    tables.commit()
    tables.close()
    with open_index(state, stamp) as index:
        assert "keywords of raw: 3 missing, 0 too many" in index.verify()

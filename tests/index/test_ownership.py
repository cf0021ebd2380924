"""Who may write, who may read meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seci.core.chunk import Kind
from seci.errors import IndexBusyError, IndexingError
from seci.index.dual import DualIndex, open_index
from seci.index.keyword import Stamp
from seci.index.lock import own_index, read_holder
from seci.index.tables import FOLDER

HOLD = """
import sys, time
from pathlib import Path
from seci.index.lock import own_index
with own_index(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_owner_is_told_who_holds_it(tmp_path: Path, stamp: Stamp) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(IndexBusyError, match=f"process {holder.pid}") as caught, open_index(tmp_path, stamp):
            pass
        assert caught.value.exit_code == 5
        assert not (tmp_path / FOLDER).exists()
    finally:
        holder.kill()
        holder.wait()
    with open_index(tmp_path, stamp) as index:
        assert index.listing() == []


def test_waiting_for_the_owner_is_bounded(tmp_path: Path) -> None:
    with own_index(tmp_path):
        began = time.monotonic()
        with pytest.raises(IndexBusyError), own_index(tmp_path, wait=0.3):
            pass
        assert 0.2 < time.monotonic() - began < 5


def test_the_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), own_index(tmp_path):
        raise RuntimeError
    with own_index(tmp_path):
        assert f"process {os.getpid()}" in read_holder(tmp_path)


def test_a_holder_that_left_no_name_is_another_process(tmp_path: Path) -> None:
    assert read_holder(tmp_path) == "another process"


def test_a_folder_that_cannot_be_written_is_an_indexing_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexingError, match=r"index\.lock"), own_index(tmp_path / "file" / ".seci"):
        pass


def test_a_reader_follows_what_the_owner_applies(tmp_path: Path, stamp: Stamp, entry: Callable[..., object]) -> None:
    with open_index(tmp_path, stamp) as owner:
        owner.apply([entry("sessions/a.md", "first")])
        reader = DualIndex(tmp_path / FOLDER, stamp, read_only=True)
        assert reader.shelf(Kind.RAW).size == 1
        owner.apply([entry("sessions/b.md", "second")])
        shelf = reader.shelf(Kind.RAW)
        assert {chunk.text for chunk in shelf.chunks(range(shelf.size))} == {"first", "second"}
        reader.close()


def test_a_reader_never_writes(tmp_path: Path, stamp: Stamp, entry: Callable[..., object]) -> None:
    with open_index(tmp_path, stamp) as owner:
        owner.apply([entry("sessions/a.md", "first")])
    reader = DualIndex(tmp_path / FOLDER, stamp, read_only=True)
    with pytest.raises(IndexingError, match="reading only"):
        reader.apply([entry("sessions/b.md", "second")])
    reader.close()


@pytest.mark.parametrize("case", ["missing", "another model", "damaged"])
def test_a_reader_says_why_there_is_nothing_to_read(tmp_path: Path, stamp: Stamp, case: str) -> None:
    if case != "missing":
        with open_index(tmp_path, Stamp("another", 8, 16) if case == "another model" else stamp):
            pass
    if case == "damaged":
        (tmp_path / FOLDER / "keyword.sqlite3").write_bytes(b"garbage " * 1000)
    with pytest.raises(IndexingError) as caught:
        DualIndex(tmp_path / FOLDER, stamp, read_only=True)
    assert {"missing": "no index", "another model": "model was another", "damaged": "damaged"}[
        case
    ] in caught.value.reason
    assert caught.value.hint == "run seci reindex"


def test_opening_and_searching_imports_no_chroma(tmp_path: Path, stamp: Stamp, entry: Callable[..., object]) -> None:
    with open_index(tmp_path, stamp) as index:
        index.apply([entry("sessions/a.md", "first")])
    code = """
import sys
from pathlib import Path
from seci.core.chunk import Kind
from seci.index.dual import open_index
from seci.index.keyword import Stamp
with open_index(Path(sys.argv[1]), Stamp("test-model", 8, 16)) as index:
    index.settle()
    shelf = index.shelf(Kind.RAW)
    print(shelf.chunks(shelf.best(shelf.bm25(["first"]), 1))[0].text, "chromadb" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "first False\n", done.stderr


def test_a_question_sees_one_state_while_another_process_applies(
    tmp_path: Path, stamp: Stamp, entry: Callable[..., object]
) -> None:
    with open_index(tmp_path, stamp) as owner:
        owner.apply([entry("sessions/a.md", "first")])
        reader = DualIndex(tmp_path / FOLDER, stamp, read_only=True)
        with reader.reading():
            shelf = reader.shelf(Kind.RAW)
            owner.apply([entry("sessions/b.md", "second")], ["sessions/a.md"])
            assert [chunk.text for chunk in shelf.chunks([0])] == ["first"]
            assert [record.path for record in reader.shelf(Kind.RAW).records([0])] == ["sessions/a.md"]
        assert [chunk.text for chunk in reader.shelf(Kind.RAW).chunks([0])] == ["second"]
        reader.close()


def test_threads_that_ask_while_others_write_see_whole_states(
    tmp_path: Path, stamp: Stamp, entry: Callable[..., object]
) -> None:
    """Every state holds both halves of a document or neither."""
    failures: list[str] = []
    done = threading.Event()

    def ask(index: DualIndex) -> None:
        while not done.is_set():
            with index.reading():
                shelf = index.shelf(Kind.RAW)
                scores = shelf.bm25(["half"])
                rows = shelf.best(scores, 100)
                texts = [chunk.text for chunk in shelf.chunks(rows)]
                if len(shelf.records(rows)) % 2 or sum("left" in t for t in texts) != sum("right" in t for t in texts):
                    failures.append(str(texts))

    with open_index(tmp_path, stamp) as index:
        threads = [threading.Thread(target=ask, args=(index,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(40):
            path = f"sessions/{number % 7}.md"
            index.apply(
                [entry(path, f"left half {number}", f"right half {number}")], [f"sessions/{(number + 3) % 7}.md"]
            )
        done.set()
        for thread in threads:
            thread.join()
    assert failures == []

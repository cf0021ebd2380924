"""Reindexing: what changed is read, what is new is embedded, and the result is what a rebuild would give."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule
from numpy.typing import NDArray

from seci.core.chunk import Kind
from seci.core.note import Namespace, Note
from seci.core.ports import Index, StoredNote, StoredSession
from seci.core.session import Failure, Role, Session, Turn
from seci.flows.reindex import Difference, check_index, plan_difference, reindex
from seci.index.dual import open_index
from seci.index.keyword import Stamp
from seci.index.memory import MemoryIndex
from seci.index.tables import split_terms

DIMENSIONS = 16


class WordCounter:
    """A token is a word."""

    def count(self, text: str) -> int:
        return len(text.split())

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        words = text.split()
        return [" ".join(words[start : start + limit]) for start in range(0, len(words), limit)]


@dataclass
class WordEmbedder:
    """The sum of a random vector for each word; counts what it is asked to embed."""

    name: str = "words"
    dimensions: int = DIMENSIONS
    window: int = 8
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        return np.array([self.embed_query(text) for text in texts], np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(DIMENSIONS)
        for word in text.split():
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).normal(size=DIMENSIONS)
        return (total / max(float(np.linalg.norm(total)), 1e-9)).astype(np.float32)


class DictVault:
    """Files as values. A text that is no note or session stands for a broken file."""

    def __init__(self) -> None:
        self.files: dict[str, Note | Session | str] = {}
        self.loaded: list[str] = []

    def listing(self) -> Iterator[tuple[str, str]]:
        for path in reversed(self.files):
            yield path, self.digest(path)

    def digest(self, path: str) -> str:
        return hashlib.sha256(repr(self.files[path]).encode()).hexdigest()

    def load(self, path: str) -> StoredNote | StoredSession | Failure | None:
        self.loaded.append(path)
        content = self.files.get(path)
        if content is None:
            return None
        if isinstance(content, Note):
            return StoredNote(path, content, self.digest(path))
        if isinstance(content, Session):
            return StoredSession(path, content, self.digest(path))
        return Failure(path, "is no note")


def note(title: str, body: str, id: str = "01A") -> Note:
    return Note(id=id, title=title, body=body, namespace=Namespace.DOCS)


def session(id: str, *texts: str) -> Session:
    turns = tuple(Turn(n, Role.USER if n % 2 == 0 else Role.ASSISTANT, text) for n, text in enumerate(texts))
    return Session("claude-code", id, turns)


def stamp(embedder: WordEmbedder) -> Stamp:
    return Stamp(embedder.name, embedder.dimensions, embedder.window)


def answers(index: Index, questions: Iterable[str]) -> list[object]:
    """Everything that a search could see, scores to the last bit."""
    seen: list[object] = [index.listing()]
    for question in questions:
        for kind in Kind:
            shelf = index.shelf(kind)
            for scores in (shelf.cosine(WordEmbedder().embed_query(question)), shelf.bm25(split_terms(question))):
                rows = shelf.best(scores, 100)
                hits = zip(shelf.chunks(rows), shelf.records(rows), (float(scores[row]) for row in rows), strict=True)
                seen.append(list(hits))
    return seen


@contextmanager
def fresh_index(kind: str) -> Iterator[Index]:
    if kind == "memory":
        yield MemoryIndex()
        return
    with tempfile.TemporaryDirectory() as folder, open_index(Path(folder), stamp(WordEmbedder())) as index:
        yield index


def run(vault: DictVault, index: Index, embedder: WordEmbedder | None = None, **options: object):  # type: ignore[no-untyped-def]
    return reindex(vault, index, embedder or WordEmbedder(), WordCounter(), **options)  # type: ignore[arg-type]


# --- the difference -----------------------------------------------------------------------------------------------


def test_the_difference_tells_added_modified_removed_and_unchanged() -> None:
    vault = [("d", "4"), ("a", "1"), ("b", "2x")]
    indexed = [("a", "1"), ("b", "2"), ("c", "3")]
    assert plan_difference(vault, indexed) == Difference(("d",), ("b",), ("c",), 1)


def test_a_file_that_moved_is_one_rename_each() -> None:
    change = plan_difference([("new1", "x"), ("new2", "x"), ("new3", "x")], [("old1", "x"), ("old2", "x")])
    assert change.renamed == (("new1", "old1"), ("new2", "old2"))
    assert change.added == ("new1", "new2", "new3")
    assert change.removed == ("old1", "old2")


def test_nothing_against_nothing_is_no_difference() -> None:
    assert plan_difference([], []) == Difference()


# --- one run ------------------------------------------------------------------------------------------------------


def test_notes_are_found_by_title_and_body_and_turns_by_their_words() -> None:
    vault, index = DictVault(), MemoryIndex()
    vault.files["docs/a.md"] = note("Hook registry", "It is rebuilt after an agent was added.")
    vault.files["sessions/s.md"] = session("s", "why does the hook fail", "the registry is stale")
    report = run(vault, index)
    assert (report.added, report.chunks, report.failures) == (2, 4, ())
    notes, turns = index.shelf(Kind.DISTILLED), index.shelf(Kind.RAW)
    texts = [chunk.passage for chunk in notes.chunks(range(notes.size))]
    assert texts == ["Hook registry\nIt is rebuilt after an", "Hook registry\nagent was added."]
    best = turns.chunks(turns.best(turns.bm25(split_terms("stale")), 1))[0]
    assert (best.turns, best.role, best.parent) == ((1,), Role.ASSISTANT, "claude-code:s")


def test_a_second_run_reads_and_embeds_nothing() -> None:
    vault, index, embedder = DictVault(), MemoryIndex(), WordEmbedder()
    vault.files["docs/a.md"] = note("Title", "Body")
    run(vault, index, embedder)
    vault.loaded.clear()
    embedder.embedded.clear()
    report = run(vault, index, embedder)
    assert (report.unchanged, report.added, report.chunks) == (1, 0, 0)
    assert vault.loaded == embedder.embedded == []


def test_only_the_turns_that_came_are_embedded_when_a_session_grows() -> None:
    vault, index, embedder = DictVault(), MemoryIndex(), WordEmbedder()
    vault.files["sessions/s.md"] = session("s", "first", "second")
    run(vault, index, embedder)
    embedder.embedded.clear()
    vault.files["sessions/s.md"] = session("s", "first", "second", "third")
    report = run(vault, index, embedder)
    assert embedder.embedded == ["third"]
    assert (report.modified, report.chunks, report.reused) == (1, 1, 2)


def test_a_rename_embeds_nothing_and_moves_the_path() -> None:
    vault, index, embedder = DictVault(), MemoryIndex(), WordEmbedder()
    vault.files["docs/a.md"] = note("Title", "Body")
    run(vault, index, embedder)
    embedder.embedded.clear()
    vault.files["docs/b.md"] = vault.files.pop("docs/a.md")
    report = run(vault, index, embedder)
    assert (report.renamed, report.added, report.removed, report.chunks) == (1, 0, 0, 0)
    assert embedder.embedded == []
    assert [path for path, _ in index.listing()] == ["docs/b.md"]


def test_frontmatter_that_changed_is_taken_over_without_embedding() -> None:
    vault, index, embedder = DictVault(), MemoryIndex(), WordEmbedder()
    vault.files["docs/a.md"] = note("Title", "Body")
    run(vault, index, embedder)
    embedder.embedded.clear()
    vault.files["docs/a.md"] = replace(note("Title", "Body"), importance=0.9, created=datetime(2026, 1, 2, tzinfo=UTC))
    run(vault, index, embedder)
    assert embedder.embedded == []
    assert index.shelf(Kind.DISTILLED).records([0])[0].importance == 0.9


def test_the_same_text_is_embedded_once() -> None:
    vault, index, embedder = DictVault(), MemoryIndex(), WordEmbedder()
    vault.files["sessions/s.md"] = session("s", "yes", "done", "yes", "done")
    run(vault, index, embedder)
    assert sorted(embedder.embedded) == ["done", "yes"]
    assert index.shelf(Kind.RAW).size == 4


def test_a_broken_file_is_reported_left_out_and_the_rest_goes_on() -> None:
    vault, index = DictVault(), MemoryIndex()
    vault.files = {"docs/a.md": "garbage", "docs/b.md": note("Title", "Body")}
    report = run(vault, index)
    assert report.failures == (Failure("docs/a.md", "is no note"),)
    assert [path for path, _ in index.listing()] == ["docs/b.md"]
    assert check_index(vault, index) == []


def test_a_file_that_broke_leaves_the_index_and_comes_back_when_mended() -> None:
    vault, index = DictVault(), MemoryIndex()
    vault.files["docs/a.md"] = note("Title", "Body")
    run(vault, index)
    vault.files["docs/a.md"] = "<<<<<<< HEAD"
    assert run(vault, index).failures[0].path == "docs/a.md"
    assert index.listing() == []
    vault.files["docs/a.md"] = note("Title", "Body")
    run(vault, index)
    assert len(index.listing()) == 1


def test_a_file_that_goes_while_it_runs_is_no_error() -> None:
    class Vanishing(DictVault):
        def load(self, path: str) -> StoredNote | StoredSession | Failure | None:
            self.files.pop(path, None)
            return super().load(path)

    vault, index = Vanishing(), MemoryIndex()
    vault.files["docs/a.md"] = note("Title", "Body")
    assert run(vault, index).failures == ()
    assert index.listing() == []


def test_progress_adds_up_to_the_files_to_do() -> None:
    vault, index = DictVault(), MemoryIndex()
    for number in range(30):
        vault.files[f"sessions/{number}.md"] = session(str(number), *(f"turn {n} of {number}" for n in range(50)))
    steps: list[tuple[int, int]] = []
    run(vault, index, progress=lambda done, total: steps.append((done, total)))
    assert len(steps) > 1
    assert sum(done for done, _ in steps) == 30
    assert {total for _, total in steps} == {30}


def test_no_chunk_is_longer_than_the_window() -> None:
    vault, index = DictVault(), MemoryIndex()
    vault.files["docs/a.md"] = note("A title that is itself longer than the whole window of the model", "word " * 100)
    vault.files["sessions/s.md"] = session("s", "word " * 100)
    run(vault, index)
    for kind in Kind:
        shelf = index.shelf(kind)
        assert shelf.size > 1
        assert int(shelf.tokens.max()) <= 8
        assert [chunk.tokens for chunk in shelf.chunks(range(shelf.size))] == shelf.tokens.tolist()


def test_check_names_every_difference() -> None:
    vault, index = DictVault(), MemoryIndex()
    vault.files = {"docs/a.md": note("A", "a"), "docs/b.md": note("B", "b")}
    run(vault, index)
    assert check_index(vault, index) == []
    vault.files = {"docs/a.md": note("A", "changed"), "docs/c.md": note("C", "c")}
    assert check_index(vault, index) == [
        "not indexed: docs/c.md",
        "changed since: docs/a.md",
        "no longer in the vault: docs/b.md",
    ]


# --- any sequence equals a rebuild --------------------------------------------------------------------------------

WORDS = st.sampled_from(["hook", "registry", "bicycle", "port", "rebuilt", "agent", "東京タワー", "naïve", "yes", "no"])
TEXTS = st.lists(WORDS, min_size=0, max_size=20).map(" ".join)
FOLDERS = st.sampled_from(["brain", "docs", "patterns"])
QUESTIONS = ("hook registry", "bicycle 東京", "yes", "agent deploy port")


class Editing(RuleBasedStateMachine):
    """A vault that people edit, rename and delete in, with a reindex now and then."""

    index_kind = "memory"
    paths = Bundle("paths")

    def __init__(self) -> None:
        super().__init__()
        self.vault = DictVault()
        self.stack = ExitStack()
        self.index = self.stack.enter_context(fresh_index(self.index_kind))
        self.edits = 0

    def teardown(self) -> None:
        self.compare()
        self.stack.close()

    @rule(target=paths, folder=FOLDERS, number=st.integers(0, 5), title=TEXTS, body=TEXTS)
    def write_note(self, folder: str, number: int, title: str, body: str) -> str:
        path = f"{folder}/n{number}.md"
        self.vault.files[path] = note(title or "untitled", body, id=f"01{number}")
        self.edits += 1
        return path

    @rule(target=paths, number=st.integers(0, 3), texts=st.lists(TEXTS, max_size=5))
    def archive_session(self, number: int, texts: list[str]) -> str:
        path = f"sessions/s{number}.md"
        self.vault.files[path] = session(str(number), *texts)
        self.edits += 1
        return path

    @rule(path=paths, text=TEXTS)
    def edit(self, path: str, text: str) -> None:
        content = self.vault.files.get(path)
        if isinstance(content, Note):
            self.vault.files[path] = replace(content, body=f"{content.body} {text}")
        elif isinstance(content, Session):
            turn = Turn(len(content.turns), Role.USER, text)
            self.vault.files[path] = replace(content, turns=(*content.turns, turn))
        self.edits += 1

    @rule(path=paths)
    def damage(self, path: str) -> None:
        self.vault.files[path] = "<<<<<<< ours"
        self.edits += 1

    @rule(path=paths)
    def delete(self, path: str) -> None:
        self.vault.files.pop(path, None)
        self.edits += 1

    @rule(target=paths, path=paths, name=st.integers(0, 9))
    def rename(self, path: str, name: int) -> str:
        content = self.vault.files.pop(path, None)
        new = f"{path.rpartition('/')[0]}/r{name}.md"
        if content is not None:
            self.vault.files[new] = content
        self.edits += 1
        return new

    @rule(path=paths, other=paths)
    def swap(self, path: str, other: str) -> None:
        """Two files change places: both paths stay, both contents move."""
        files = self.vault.files
        if path in files and other in files and path.startswith("sessions/") == other.startswith("sessions/"):
            files[path], files[other] = files[other], files[path]
        self.edits += 1

    @precondition(lambda self: self.edits > 0)
    @rule()
    def compare(self) -> None:
        run(self.vault, self.index)
        with fresh_index(self.index_kind) as rebuilt:
            run(self.vault, rebuilt)
            assert answers(self.index, QUESTIONS) == answers(rebuilt, QUESTIONS)
        assert check_index(self.vault, self.index) == []
        self.edits = 0

    @invariant()
    def nothing_is_held_twice(self) -> None:
        paths = [path for path, _ in self.index.listing()]
        assert paths == sorted(set(paths))


class EditingForReal(Editing):
    index_kind = "dual"


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestEditingForReal = EditingForReal.TestCase
TestEditingForReal.settings = settings(
    max_examples=6, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize(
    "changed", [{"model": "another"}, {"dimensions": 8}, {"window": 9}, {"chunking": 99}, {"schema": 99}]
)
def test_an_index_built_otherwise_is_built_again(tmp_path: Path, changed: dict[str, object]) -> None:
    vault, embedder = DictVault(), WordEmbedder()
    vault.files["docs/a.md"] = note("Title", "Body")
    with open_index(tmp_path, replace(stamp(embedder), **changed)) as index:  # type: ignore[arg-type]
        assert index.emptied == "there was no index"
    with open_index(tmp_path, stamp(embedder)) as index:
        report = run(vault, index, embedder)
        assert report.rebuilt is not None
        assert next(iter(changed)) in report.rebuilt
        assert report.added == 1
    with open_index(tmp_path, stamp(embedder)) as index:
        assert run(vault, index, embedder).rebuilt is None

"""Consolidating a vault in git: one commit, links that keep working, an undo that gives the same tree."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import pytest

from seci.core.neighbours import CandidatePair
from seci.core.note import Namespace, Note, NoteType, Provenance, Status
from seci.core.ports import StoredNote
from seci.core.session import Failure
from seci.core.staleness import Facts
from seci.errors import VaultError
from seci.flows.consolidate import ConsolidateReport, ConsolidateSteps, consolidate, render_diff, render_message
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.history import GitHistory
from seci.vault.store import FileNoteStore
from seci.vault.transaction import VaultTransaction
from seci.vault.undo import undo

NOW = datetime(2026, 3, 20, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stopped:
    def now(self) -> datetime:
        return NOW


def note(ident: str, title: str, body: str, day: int = 1, month: int = 3, **fields: object) -> Note:
    defaults: dict[str, object] = {
        "namespace": Namespace.DOCS,
        "type": NoteType.FACT,
        "created": datetime(2026, month, day, tzinfo=UTC),
        "sources": (Provenance(f"codex:{ident}", (1,)),),
    }
    return Note(id=ident.rjust(26, "0"), title=title, body=body, **(defaults | fields))  # type: ignore[arg-type]


NOTES = [
    note("AAAAAAA1", "API port", "The API listens on port 8080."),
    note("AAAAAAA2", "Where the API listens", "Port 8080 is where the API listens.", 4),
    note("AAAAAAA3", "Deadline", "The beta deadline is 10 March.", 1, 1, namespace=Namespace.PROJECTS),
    note("AAAAAAA4", "Deadline moved", "The beta deadline moved to 20 March.", 2, namespace=Namespace.PROJECTS),
    note("AAAAAAA5", "Fair", "The fair was in Ulm.", type=NoteType.EVENT, created=datetime(2025, 1, 1, tzinfo=UTC)),
    note("AAAAAAA6", "Links", "See [[AAAAAAA2]], [[0AAAAAAA2]] and [ports](where-the-api-listens-aaaaaaa2.md)."),
]


class Vault:
    def __init__(self, root: Path, notes: Sequence[Note] = NOTES) -> None:
        self.root = root
        self.store = FileNoteStore(root)
        self.history = GitHistory(root)
        self.transaction = VaultTransaction(root, self.history, FileJournal(root), VaultLock(root))
        if notes:
            self.write(notes)

    def write(self, notes: Sequence[Note]) -> None:
        self.transaction.write(dict(self.store.render(n) for n in notes), "Distill\n")

    def run(self, **options: object) -> ConsolidateReport:
        def pairs(notes: Sequence[Note]) -> list[CandidatePair]:
            return [CandidatePair(a.id, b.id, 0.9) for a, b in combinations(sorted(notes, key=lambda n: n.id), 2)]

        steps = ConsolidateSteps(self.store, pairs, lambda notes: Facts(), self.transaction, Stopped())
        return consolidate(steps, **options)  # type: ignore[arg-type]

    def note(self, ident: str) -> Note:
        return self.store.get(ident.rjust(26, "0")).note

    def tree(self) -> str:
        return self.git("rev-parse", "HEAD^{tree}")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout.strip()


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    root = tmp_path / "vault"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    return Vault(root)


def test_one_commit_tells_what_happened(vault: Vault) -> None:
    report = vault.run(apply=True)
    assert report.commit == vault.git("rev-parse", "HEAD")
    message = vault.git("log", "-1", "--format=%B")
    assert message.startswith("Consolidate: 1 merged, 1 superseded, 1 stale")
    assert "by Deadline moved" in message
    assert vault.git("status", "--porcelain") == ""


def test_what_is_merged_superseded_and_stale_reads_so(vault: Vault) -> None:
    vault.run(apply=True)
    kept = vault.note("AAAAAAA1")
    assert {source.session for source in kept.sources} == {"codex:AAAAAAA1", "codex:AAAAAAA2"}
    with pytest.raises(VaultError):
        vault.store.get("AAAAAAA2".rjust(26, "0"))
    old = vault.note("AAAAAAA3")
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, "AAAAAAA4".rjust(26, "0"))
    assert old.body.strip() == "The beta deadline is 10 March."
    assert vault.note("AAAAAAA4").supersedes == (old.id,)
    assert vault.note("AAAAAAA5").status is Status.STALE
    text = (vault.root / vault.store.get(NOTES[4].id).path).read_text()
    assert "stale_reason: event unconfirmed since 2025-01-01" in text


def test_links_to_a_note_that_went_lead_to_the_one_that_took_it_in(vault: Vault) -> None:
    full = "AAAAAAA2".rjust(26, "0")
    vault.write([replace(NOTES[5], body=f"See [[{full}]] and [ports](where-the-api-listens-0aaaaaaa2.md).")])
    lost = Path(vault.store.get(full).path).name
    vault.write([replace(NOTES[5], body=f"See [[{full}]] and [ports]({lost}).")])
    report = vault.run(apply=True)
    kept = report.plan.merges[0].ids[0]
    body = vault.note("AAAAAAA6").body
    assert f"[[{kept}]]" in body
    assert f"[ports]({Path(report.paths[kept]).name})" in body


def test_a_second_run_plans_nothing(vault: Vault) -> None:
    vault.run(apply=True)
    again = vault.run(apply=True)
    assert (again.plan.empty, again.changes, again.commit) == (True, {}, None)


def test_a_dry_run_shows_a_diff_and_writes_nothing(vault: Vault) -> None:
    before = vault.tree()
    report = vault.run()
    assert (report.commit, vault.tree()) == (None, before)
    diff = render_diff(report)
    assert "+status: superseded" in diff
    assert "+++ /dev/null" in diff


def test_applied_and_undone_gives_the_same_tree(vault: Vault) -> None:
    before = vault.tree()
    vault.run(apply=True, rollup=True)
    assert vault.tree() != before
    undo(vault.history, vault.transaction)
    assert vault.tree() == before


def test_a_namespace_limits_what_is_touched(vault: Vault) -> None:
    report = vault.run(namespace=Namespace.PROJECTS)
    assert (len(report.plan.merges), len(report.plan.supersedes)) == (0, 1)


def test_a_file_that_is_no_note_is_a_failure_and_the_rest_goes_on(vault: Vault) -> None:
    (vault.root / "docs" / "broken.md").write_text("---\ntitle: [\n---\nx\n")
    report = vault.run(apply=True)
    assert [failure.path for failure in report.failures] == ["docs/broken.md"]
    assert report.commit is not None


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A store that lists its notes in another order each time."""

    store: FileNoteStore
    chance: random.Random

    def notes(self) -> list[StoredNote | Failure]:
        found = list(self.store.notes())
        self.chance.shuffle(found)
        return found

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)


def test_the_order_of_files_and_of_writing_changes_neither_plan_nor_commit(vault: Vault, tmp_path: Path) -> None:
    first = vault.run()
    other_root = tmp_path / "other"
    other_root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=other_root, check=True)
    other = Vault(other_root, [])
    for one in reversed(NOTES):
        other.write([one])
    for seed in range(5):
        other.store = Shuffled(FileNoteStore(other_root), random.Random(seed))  # type: ignore[assignment]
        again = other.run()
        assert again.plan == first.plan
        assert (again.changes, again.before) == (first.changes, first.before)
        assert render_message(again.plan) == render_message(first.plan)
    other.run(apply=True)
    vault.run(apply=True)
    assert other.tree() == vault.tree()

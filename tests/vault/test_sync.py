"""Several machines, one remote: whatever each does, after syncing all are the same and nothing is lost."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seci.core.note import Namespace, Note, Provenance, Status, note_id
from seci.core.session import Failure, Role, Session, Turn
from seci.errors import RepositoryStateError, UserError
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.history import GitHistory
from seci.vault.layout import create_vault
from seci.vault.ledger import ArchiveLedger
from seci.vault.store import FileNoteStore
from seci.vault.sync import SyncReport, sync
from seci.vault.transaction import VaultTransaction

from .conftest import Git, write

NOON = datetime(2026, 1, 21, 12, tzinfo=UTC)


class Machine:
    """One clone: what distilling, consolidating and a person's editor do to it."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root = root
        self.git = git
        self.history = GitHistory(root)
        self.transaction = VaultTransaction(root, self.history, FileJournal(root), VaultLock(root))
        self.store = FileNoteStore(root)

    def notes(self) -> dict[str, Note]:
        found = list(self.store.notes())
        assert not [item for item in found if isinstance(item, Failure)]
        return {item.path: item.note for item in found if not isinstance(item, Failure)}

    def distill(self, number: int, turns: int) -> None:
        """What every machine would make of the same session: the same notes in the same files."""
        ledger = ArchiveLedger(self.root, self.store)
        session = Session("x", str(number), tuple(Turn(i, Role.USER, f"turn {i}", NOON) for i in range(turns)))
        fresh = sorted({t.index for t in session.turns} - ledger.known(session.key))
        if not fresh:
            return
        changes: dict[str, str | None] = {}
        for i in fresh:
            sources = (Provenance(session.key, (i,)),)
            created = NOON + timedelta(days=number)
            title = f"Fact {i} of session {number}"
            note = Note(
                note_id(created, sources, title), title, f"It is {i}.", Namespace.DOCS, sources=sources, created=created
            )
            path, text = self.store.render(note)
            changes[path] = text
        path, text = ledger.render(session)
        changes[path] = text
        self.transaction.write(changes, f"Distill {number}\n\nSeci-Verb: distill\n")

    def change(self, path: str, note: Note | None, verb: str = "consolidate") -> None:
        text = None if note is None else self.store.render(note, path)[1]
        self.transaction.write({path: text}, f"{verb} {path}\n\nSeci-Verb: {verb}\n")

    def sync(self, **options: bool) -> SyncReport:
        return sync(self.history, self.transaction, **options)

    def tree(self) -> str:
        assert self.git(self.root, "status", "--porcelain") == ""
        return self.git(self.root, "rev-parse", "HEAD^{tree}")


@pytest.fixture
def remote(tmp_path: Path, git: Git) -> Path:
    git(tmp_path, "init", "--bare", "-q", "remote.git")
    return tmp_path / "remote.git"


def new_machine(tmp_path: Path, remote: Path, git: Git, name: str) -> Machine:
    """A vault made on its own, which only then learns of the remote."""
    machine = Machine(tmp_path / name, git)
    create_vault(machine.root, machine.transaction)
    git(machine.root, "remote", "add", "origin", str(remote))
    return machine


@pytest.fixture
def pair(tmp_path: Path, remote: Path, git: Git) -> tuple[Machine, Machine]:
    one, two = (new_machine(tmp_path, remote, git, name) for name in ("one", "two"))
    one.sync()
    two.sync()
    return one, two


def meet(one: Machine, two: Machine) -> None:
    one.sync()
    two.sync()
    one.sync()
    assert one.tree() == two.tree()
    assert one.history.head() == two.history.head()


def test_two_vaults_that_began_apart_become_one(pair: tuple[Machine, Machine], git: Git) -> None:
    one, two = pair
    one.distill(1, 2)
    two.distill(1, 2)
    two.distill(2, 1)
    meet(one, two)
    assert len(one.notes()) == 3
    subjects = git(one.root, "log", "--format=%s").splitlines()
    assert subjects == ["Distill 2", "Distill 1", "Begin a vault"]


def test_a_sentence_that_both_worded_anew_is_told_and_stays_in_history(pair: tuple[Machine, Machine], git: Git) -> None:
    one, two = pair
    one.distill(1, 1)
    meet(one, two)
    (path, note), *_ = one.notes().items()
    one.change(path, replace(note, body="It is 1 or so.", updated=NOON + timedelta(days=9)))
    two.change(path, replace(note, body="It is 2 or so.", updated=NOON + timedelta(days=8)))
    one.sync()
    report = two.sync()
    assert [(at, said.lost, said.kept) for at, said in report.overruled] == [(path, "It is 2 or so.", "It is 1 or so.")]
    meet(one, two)
    assert one.notes()[path].body == "It is 1 or so."
    assert "It is 2 or so." in git(two.root, "log", "-p", "--all", "--reflog")


def test_an_edit_that_is_not_committed_keeps_its_words(pair: tuple[Machine, Machine]) -> None:
    one, two = pair
    one.distill(1, 1)
    meet(one, two)
    (path, note), *_ = one.notes().items()
    one.change(path, replace(note, body="It is 1 or so.", updated=NOON + timedelta(days=9)))
    one.sync()
    file = two.root / path
    file.write_text(file.read_text().replace("It is 0.", "It is 2 or so."))
    two.sync()
    assert two.notes()[path].body == "It is 2 or so."


def test_a_report_tells_what_came_and_went(pair: tuple[Machine, Machine]) -> None:
    one, two = pair
    one.distill(1, 2)
    assert one.sync().pushed == 1
    two.distill(2, 1)
    report = two.sync()
    assert (report.pulled, report.pushed, report.settled) == (1, 1, ())
    again = two.sync()
    assert (again.pulled, again.pushed) == (0, 0)


def test_both_change_one_note(pair: tuple[Machine, Machine]) -> None:
    one, two = pair
    one.distill(1, 1)
    meet(one, two)
    ((path, note),) = one.notes().items()
    one.change(path, replace(note, status=Status.STALE, tags=("a",)))
    two.change(path, replace(note, title="Renamed", tags=("b",), status=Status.SUPERSEDED))
    one.sync()
    assert two.sync().settled == (path,)
    one.sync()
    assert one.tree() == two.tree()
    assert one.notes()[path] == replace(note, title="Renamed", tags=("a", "b"), status=Status.SUPERSEDED)


@pytest.mark.parametrize("renamer", [0, 1])
def test_a_rename_on_one_side_takes_the_change_of_the_other_along(
    pair: tuple[Machine, Machine], git: Git, renamer: int
) -> None:
    pair[0].distill(1, 1)
    meet(*pair)
    ((path, note),) = pair[0].notes().items()
    mover, changer = pair[renamer], pair[1 - renamer]
    git(mover.root, "mv", path, "docs/mine.md")
    git(mover.root, "commit", "-qm", "rename")
    changer.change(path, replace(note, tags=("new",)))
    meet(*pair)
    assert pair[0].notes() == {"docs/mine.md": replace(note, tags=("new",))}


def test_a_note_renamed_on_both_sides_has_one_name_in_the_end(pair: tuple[Machine, Machine], git: Git) -> None:
    pair[0].distill(1, 1)
    meet(*pair)
    ((path, note),) = pair[0].notes().items()
    for machine, name in zip(pair, ("zz", "aa"), strict=True):
        git(machine.root, "mv", path, f"docs/{name}.md")
        git(machine.root, "commit", "-qm", "rename")
    pair[1].change("docs/aa.md", replace(note, title="Mine"))
    meet(*pair)
    assert pair[0].notes() == {"docs/zz.md": replace(note, title="Mine")}


def test_a_note_renamed_here_and_distilled_again_there_is_one(pair: tuple[Machine, Machine], git: Git) -> None:
    one, two = pair
    one.distill(1, 1)
    ((path, note),) = one.notes().items()
    git(one.root, "mv", path, "docs/aa.md")
    git(one.root, "commit", "-qm", "rename")
    two.distill(1, 1)
    meet(one, two)
    assert one.notes() == {"docs/aa.md": note}


def test_a_change_survives_a_deletion_elsewhere(pair: tuple[Machine, Machine]) -> None:
    one, two = pair
    one.distill(1, 1)
    meet(one, two)
    ((path, note),) = one.notes().items()
    one.change(path, None)
    two.change(path, replace(note, tags=("kept",)))
    meet(one, two)
    assert one.notes()[path].tags == ("kept",)


def test_edits_that_are_not_committed_stay_and_take_in_what_came(pair: tuple[Machine, Machine], git: Git) -> None:
    one, two = pair
    one.distill(1, 2)
    meet(one, two)
    first, second = one.notes()
    one.change(first, replace(one.notes()[first], status=Status.STALE))
    one.sync()
    text = (two.root / first).read_text()
    write(two.root, first, text.replace("It is", "It surely is"))
    write(two.root, second, (two.root / second).read_text().replace("It is", "I say it is"))
    write(two.root, "brain/mine.md", "not committed")
    report = two.sync()
    assert set(report.uncommitted) == {first, second, "brain/mine.md"}
    assert two.notes()[first].status is Status.STALE and "surely" in two.notes()[first].body
    assert git(two.root, "diff", "--stat", "HEAD").count("|") == 2
    assert (two.root / "brain/mine.md").read_text() == "not committed"
    assert "surely" not in git(two.root, "show", f"HEAD:{first}")


def test_in_a_code_repository_it_refuses(tmp_path: Path, git: Git, remote: Path) -> None:
    repo = tmp_path / "code"
    repo.mkdir()
    git(repo, "init")
    write(repo, "main.py", "1")
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "code")
    git(repo, "remote", "add", "origin", str(remote))
    for root in (repo / "vault", repo):
        machine = Machine(root, git)
        create_vault(root, machine.transaction)
        with pytest.raises(RepositoryStateError, match="holds more than the vault"):
            machine.sync()


def test_without_a_remote_or_with_one_that_does_not_answer(tmp_path: Path, git: Git) -> None:
    machine = Machine(tmp_path / "vault", git)
    create_vault(machine.root, machine.transaction)
    with pytest.raises(UserError, match="there is none"):
        machine.sync()
    git(machine.root, "remote", "add", "origin", str(tmp_path / "nowhere"))
    with pytest.raises(RepositoryStateError, match="nowhere"):
        machine.sync()


def test_a_rewritten_remote_is_followed_only_when_that_is_accepted(pair: tuple[Machine, Machine], git: Git) -> None:
    one, two = pair
    one.distill(1, 2)
    meet(one, two)
    purged = next(iter(one.notes()))
    git(one.root, "rm", "-q", purged)
    git(one.root, "commit", "-q", "--amend", "--no-edit")
    with pytest.raises(RepositoryStateError, match="of this vault was rewritten") as caught:
        one.sync()
    assert "git push --force origin main" in (caught.value.hint or "")
    git(one.root, "push", "-q", "--force", "origin", "HEAD")
    one.sync()
    two.distill(2, 1)
    for _ in range(2):
        with pytest.raises(RepositoryStateError, match="the remote's history was rewritten"):
            two.sync()
    assert purged in two.notes()
    two.sync(accept_rewritten=True)
    one.sync()
    assert one.tree() == two.tree()
    assert purged not in two.notes() and len(two.notes()) == 2
    assert purged not in git(two.root, "log", "--name-only", "--format=")


def test_a_text_of_somebody_elses_that_cannot_be_merged_changes_nothing(
    pair: tuple[Machine, Machine], git: Git
) -> None:
    one, two = pair
    for machine in pair:
        write(machine.root, "README.md", f"by {machine.root.name}\n")
        git(machine.root, "add", "README.md")
        git(machine.root, "commit", "-qm", "readme")
    one.sync()
    head = two.history.head()
    with pytest.raises(RepositoryStateError, match="cannot be merged") as caught:
        two.sync()
    assert caught.value.subject == "README.md"
    assert two.history.head() == head and two.tree()


ROUNDS = 5


@pytest.mark.parametrize("seed", range(2))
def test_random_work_on_two_machines_converges(pair: tuple[Machine, Machine], git: Git, seed: int) -> None:
    chance = random.Random(seed)
    expected: set[str] = set()
    for round_ in range(ROUNDS):
        for machine in pair:
            for _ in range(chance.randint(0, 2)):
                notes = machine.notes()
                path = chance.choice(sorted(notes)) if notes else None
                act = chance.choice(["distill", "distill", "stale", "tag", "edit", "rename", "sync"])
                note = notes.get(path or "")
                if act == "distill":
                    machine.distill(chance.randint(1, 5), chance.randint(1, 4))
                elif act == "sync":
                    machine.sync()
                elif path and note and act == "rename":
                    git(machine.root, "mv", path, f"docs/r{chance.randint(0, 10**9)}.md")
                    git(machine.root, "commit", "-qm", "rename")
                elif path and note:
                    line = f"Line {round_} of {machine.root.name} {chance.random()}."
                    changed = {
                        "stale": replace(note, status=Status.STALE),
                        "tag": replace(note, tags=tuple(sorted({*note.tags, chance.choice("abcdef")}))),
                        "edit": replace(note, body=f"{note.body}\n\n{line}", updated=NOON + timedelta(hours=round_)),
                    }[act]
                    machine.change(path, changed)
                    if act == "edit":
                        expected.add(line)
        if chance.random() < 0.6:
            meet(*pair)
    meet(*pair)
    everything = "\n".join(note.body for note in pair[0].notes().values())
    assert {line for line in expected if line not in everything} == set()
    assert len({note.id for note in pair[0].notes().values()}) == len(pair[0].notes())

"""Two clones that both distill, consolidate, edit and delete for a while are the same after syncing, and lose nothing.

The short run is part of the suite; `make torture` runs two hundred rounds.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path

import pytest

from seci.core.consolidation import Supersede
from seci.core.neighbours import CandidatePair
from seci.core.note import Namespace, Note, NoteType, Provenance, Status, note_id
from seci.core.session import Failure
from seci.core.staleness import Facts
from seci.flows.consolidate import ConsolidateReport, ConsolidateSteps, consolidate
from seci.state.journal import FileJournal
from seci.state.lock import VaultLock
from seci.vault.history import GitHistory
from seci.vault.layout import create_vault
from seci.vault.store import FileNoteStore
from seci.vault.sync import sync
from seci.vault.transaction import VaultTransaction

NOON = datetime(2026, 1, 21, 12, tzinfo=UTC)
BODIES = [
    "The API listens on port 8080.",
    "Port 8080 is where the API listens.",
    "The API moved from port 8080 to port 7070.",
    "Never deploy on Fridays.",
    "Deploying on Friday is forbidden.",
    "Alice prefers tabs.",
    "Alice now prefers spaces.",
    "The trade fair was in Ulm.",
]

ACTS = {"distill": 6, "consolidate": 4, "tag": 3, "edit": 2, "delete": 1, "rename": 1}  # how often each is done


@dataclass(frozen=True, slots=True)
class Clock:
    def now(self) -> datetime:
        return NOON + timedelta(days=120)


class Machine:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.history = GitHistory(root)
        self.transaction = VaultTransaction(root, self.history, FileJournal(root), VaultLock(root))
        self.store = FileNoteStore(root)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def notes(self) -> dict[str, Note]:
        found = list(self.store.notes())
        assert not [item for item in found if isinstance(item, Failure)]
        return {item.path: item.note for item in found if not isinstance(item, Failure)}

    def distill(self, session: int) -> set[tuple[str, int]]:
        """A session gives the same notes wherever it is distilled; what is there already is not written again."""
        known = {source.session for note in self.notes().values() for source in note.sources}
        if f"x:{session}" in known:
            return set()
        notes = []
        for turn in range(2):
            body = BODIES[(session * 3 + turn) % len(BODIES)]
            sources, created = (Provenance(f"x:{session}", (turn,)),), NOON + timedelta(days=session)
            kind = NoteType.EVENT if "fair" in body else NoteType.FACT
            ident = note_id(created, sources, body)
            notes.append(Note(ident, body[:20], body, Namespace.DOCS, type=kind, created=created, sources=sources))
        self.transaction.write(dict(self.store.render(n) for n in notes), f"Distill {session}\n\nSeci-Verb: distill\n")
        return {(f"x:{session}", turn) for turn in range(2)}

    def consolidate(self) -> ConsolidateReport:
        def pairs(notes: Sequence[Note]) -> list[CandidatePair]:
            return [CandidatePair(a.id, b.id, 0.9) for a, b in combinations(sorted(notes, key=lambda n: n.id), 2)]

        steps = ConsolidateSteps(self.store, pairs, lambda notes: Facts(), self.transaction, Clock())
        return consolidate(steps, apply=True)

    def put(self, path: str, note: Note | None, verb: str) -> None:
        text = None if note is None else self.store.render(note, path)[1]
        self.transaction.write({path: text}, f"{verb} {path}\n\nSeci-Verb: {verb}\n")

    def sync(self) -> None:
        sync(self.history, self.transaction)


def cited(notes: dict[str, Note]) -> set[tuple[str, int]]:
    return {(source.session, turn) for note in notes.values() for source in note.sources for turn in source.turns}


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Machine, Machine]:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    subprocess.run(["git", "init", "--bare", "-q", "remote.git"], cwd=tmp_path, check=True)
    machines = Machine(tmp_path / "one"), Machine(tmp_path / "two")
    for machine in machines:
        create_vault(machine.root, machine.transaction)
        machine.git("remote", "add", "origin", str(tmp_path / "remote.git"))
        machine.sync()
    return machines


def meet(one: Machine, two: Machine) -> None:
    one.sync()
    two.sync()
    one.sync()
    assert one.git("rev-parse", "HEAD^{tree}") == two.git("rev-parse", "HEAD^{tree}")
    assert one.git("status", "--porcelain") == two.git("status", "--porcelain") == ""


def work(machines: tuple[Machine, Machine], rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    distilled: set[tuple[str, int]] = set()
    deleted: set[tuple[str, int]] = set()
    for number in range(rounds):
        for machine in machines:
            for act in chance.choices(list(ACTS), list(ACTS.values())):
                notes = machine.notes()
                path = chance.choice(sorted(notes)) if notes else ""
                if act == "distill":
                    distilled |= machine.distill(chance.randint(0, 3 + number))
                elif act == "consolidate":
                    machine.consolidate()
                elif not path:
                    continue
                elif act == "rename":
                    machine.git("mv", path, f"docs/r{chance.randint(0, 10**9)}.md")
                    machine.git("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-qm", "rename")
                elif act == "delete":
                    deleted |= cited({path: notes[path]})
                    machine.put(path, None, "remove")
                elif act == "tag":
                    tags = tuple(sorted({*notes[path].tags, chance.choice("abcdef")}))
                    machine.put(path, replace(notes[path], tags=tags), "revise")
                else:
                    line = f"Seen as {machine.root.name} {chance.randint(0, 10**9)}."
                    changed = replace(
                        notes[path], body=f"{notes[path].body}\n\n{line}", updated=NOON + timedelta(hours=number)
                    )
                    machine.put(path, changed, "revise")
        if chance.random() < 0.5:
            meet(*machines)
    meet(*machines)
    for machine in machines:
        machine.consolidate()
    meet(*machines)
    after = machines[0].notes()
    assert distilled - deleted <= cited(after), "a source was lost"
    assert len({note.id for note in after.values()}) == len(after)
    assert machines[0].consolidate().plan.empty and machines[1].consolidate().plan.empty
    by_id = {note.id: note for note in after.values()}
    for note in after.values():
        seen = {note.id}
        while (following := by_id.get(note.superseded_by or "")) is not None:
            assert following.id not in seen, "notes supersede each other in a circle"
            seen.add(following.id)
            note = following


@pytest.mark.parametrize("seed", range(2))
def test_both_are_the_same_after_syncing(pair: tuple[Machine, Machine], seed: int) -> None:
    work(pair, 6, seed)


@pytest.mark.torture
@pytest.mark.skipif("SECI_TORTURE" not in os.environ, reason="make torture runs it")
@pytest.mark.parametrize("seed", [11])
def test_both_are_the_same_after_two_hundred_rounds(pair: tuple[Machine, Machine], seed: int) -> None:
    work(pair, 200, seed)


def test_both_consolidate_the_same_notes_apart(pair: tuple[Machine, Machine]) -> None:
    one, two = pair
    for session in range(4):
        one.distill(session)
    meet(one, two)
    plans = [machine.consolidate().plan for machine in pair]
    assert plans[0] == plans[1] and plans[0].merges
    meet(one, two)
    assert one.consolidate().commit is None
    statuses = {note.status for note in one.notes().values()}
    assert Status.SUPERSEDED in statuses and any(isinstance(link, Supersede) for link in plans[0].supersedes)

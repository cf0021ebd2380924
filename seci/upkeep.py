"""The second half of the composition root: what tends a vault (consolidate, review, sync, forget, audit).

Adapters come from the `App`; this chooses how they are put together for each verb.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from seci.core.note import Namespace, Note
from seci.core.session import Failure
from seci.errors import UserError

if TYPE_CHECKING:
    from seci.app import App
    from seci.core.audit import Audit
    from seci.core.consolidation import Contradiction
    from seci.core.staleness import Facts
    from seci.flows.consolidate import ConsolidateReport, ConsolidateSteps
    from seci.flows.settle import Settled
    from seci.redaction.secrets import SecretRedactor
    from seci.vault.branch import Proposed, ProposedChange
    from seci.vault.codebase import Codebase
    from seci.vault.forget import ForgetPlan
    from seci.vault.history import Commit
    from seci.vault.purge import PurgeReport
    from seci.vault.sync import SyncReport

BRANCH = "seci/consolidate-"
TREND = 10  # commits that an audit looks back


@dataclass(frozen=True, slots=True)
class FixedClock:
    """Implements `core.ports.Clock`: one moment for a whole run."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal that waits for a decision, and the branch that it is on. `id` is short and unique among them."""

    id: str
    branch: Proposed
    change: ProposedChange


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was decided: the commit that took in what was accepted and remembers what was not (None: nothing of it was
    left to do), and files that could not be merged, whose proposals stay on the branch."""

    accepted: tuple[Pending, ...]
    rejected: tuple[Pending, ...]
    commit: str | None
    conflicts: tuple[Failure, ...] = ()


class Upkeep:
    """The verbs that tend one vault."""

    def __init__(self, app: App) -> None:
        self._app = app

    # --- consolidate ---------------------------------------------------------------------------------------------

    def consolidate(
        self,
        now: datetime | None = None,
        *,
        apply: bool = False,
        namespace: Namespace | None = None,
        rollup: bool = False,
        archive: bool = False,
    ) -> ConsolidateReport:
        """Plans, and with `apply` commits and brings the index up to date. See `flows.consolidate.consolidate`."""
        from seci.flows.consolidate import consolidate

        with self._steps(now) as steps:
            report = consolidate(steps, apply=apply, namespace=namespace, rollup=rollup, archive=archive)
        if report.commit:
            self._app.apply()
        return report

    def propose(self, report: ConsolidateReport, now: datetime | None = None) -> Proposed | None:
        """Puts a plan on a branch of its own, one commit for what belongs together; None for an empty plan."""
        from seci.flows.proposals import split_proposals
        from seci.vault.branch import write_branch

        proposals = split_proposals(report)
        if not proposals:
            return None
        name = f"{BRANCH}{now or datetime.now(UTC):%Y-%m-%d}"
        return write_branch(self._app.history, name, [(p.changes, p.message) for p in proposals])

    @contextmanager
    def _steps(self, now: datetime | None) -> Iterator[ConsolidateSteps]:
        from seci.app import make_reader
        from seci.flows.consolidate import ConsolidateSteps
        from seci.flows.pairing import NotePairs

        app = self._app
        # Before the lock: the first time it is exported, for which nobody else may wait.
        reader = make_reader(app.environ)
        with app.keeper.read() as index:
            yield ConsolidateSteps(
                notes=app.notes,
                pairs=NotePairs(index, app.embedder, app.counter),
                facts=self._facts,
                transaction=app.transaction,
                clock=FixedClock(now or datetime.now(UTC)),
                half_lives=app.config.stale_half_lives,
                reader=reader,
            )

    def _facts(self, notes: Sequence[Note]) -> Facts:
        from seci.flows.facts import FactSteps, gather_facts
        from seci.vault.files import ARCHIVE

        app = self._app
        ledger = app.ledger()
        return gather_facts(
            notes,
            FactSteps(
                usage=app.usage.counts,
                deleted=lambda sessions: ledger.deleted(sessions, app.history.deleted_under(ARCHIVE)),
                code=_Codebases(app).of,
            ),
        )

    # --- review --------------------------------------------------------------------------------------------------

    def pending(self) -> list[Pending]:
        """Every proposal that waits, the newest branch first. Branches that were merged meanwhile are dropped."""
        from seci.vault.branch import list_branches, plan_acceptance, read_branch, settle_branch

        history = self._app.history
        waiting: list[Pending] = []
        for branch in list_branches(history, BRANCH):
            changes = read_branch(history, branch)
            plans = {change.commit: plan_acceptance(history, change) for change in changes}
            done = [commit for commit, plan in plans.items() if not plan.changes and not plan.conflicts]
            left = settle_branch(history, branch, done) if done or not changes else branch
            if left is not None:
                waiting += [Pending(_short_id(change), left, change) for change in read_branch(history, left)]
        return waiting

    def find_pending(self, ids: Sequence[str], waiting: Sequence[Pending]) -> list[Pending]:
        """Those named by the beginning of their ids or by the last eight of a note's id; `all` names every one.

        Raises UserError for a name that fits none, or more than one.
        """
        if "all" in ids:
            return list(waiting)
        found = []
        for ident in ids:
            wanted = ident.lower()
            named = [
                item for item in waiting if item.id.startswith(wanted) or f"({wanted[-8:]})" in item.change.message
            ]
            if len(named) != 1:
                said = f"names {len(named)} proposals" if named else "names no proposal that waits"
                raise UserError(said, subject=ident, hint="seci review lists them")
            if named[0] not in found:
                found.append(named[0])
        return found

    def decide(
        self, accepted: Sequence[Pending], rejected: Sequence[Pending], texts: Mapping[str, str] | None = None
    ) -> Reviewed:
        """Merges what was accepted into the files as one commit; what was decided leaves its branch. What was turned
        down is noted in the notes that it was about, in the same commit, and not proposed again.

        `texts` stand in place of what was proposed for their paths. Raises VaultError when the vault cannot be written.
        """
        from seci.flows.settle import plan_refused
        from seci.vault.branch import plan_acceptance, settle_branch

        app = self._app
        changes: dict[str, str | None] = {}
        before: dict[str, str | None] = {}
        taken: list[Pending] = []
        conflicts: list[Failure] = []
        with app.transaction.hold():
            for item in accepted:
                plan = plan_acceptance(app.history, item.change, texts)
                overlapping = [Failure(p, "another proposal changes it too") for p in plan.changes if p in changes]
                if plan.conflicts or overlapping:
                    conflicts += [*plan.conflicts, *overlapping]
                    continue
                changes |= plan.changes
                before |= plan.before
                taken.append(item)
            lines = [line for item in rejected for line in item.change.message.splitlines()]
            refused = plan_refused(lines, app.notes, changes)
            changes |= refused.texts
            before |= refused.digests
            commit = app.transaction.write(changes, _deciding(taken, rejected), before) if changes else None
            decided = {item.change.commit for item in (*taken, *rejected)}
            for branch in dict.fromkeys(item.branch for item in (*taken, *rejected)):
                settle_branch(app.history, branch, decided)
        if commit:
            app.apply()
        return Reviewed(tuple(taken), tuple(rejected), commit, tuple(conflicts))

    def settle(self, dismissed: Sequence[Contradiction], upheld: Sequence[tuple[Contradiction, str]] = ()) -> Settled:
        """Of some contradictions both notes stand and are reported no more; of others the one that is named supersedes
        the other. See `flows.settle.settle`; `flows.settle` finds them by ids."""
        from seci.flows.settle import settle

        settled = settle(dismissed, upheld, self._app.notes, self._app.transaction)
        if settled.commit:
            self._app.apply()
        return settled

    # --- sync, forget, audit -------------------------------------------------------------------------------------

    def sync(
        self,
        remote: str | None = None,
        *,
        accept_rewritten: bool = False,
        progress: Callable[..., None] = lambda *_, **__: None,
    ) -> SyncReport:
        """Meets the other machines, then brings the index up to date, with its progress. See `vault.sync.sync`."""
        from seci.vault.sync import sync

        app = self._app
        report = sync(app.history, app.transaction, remote=remote, accept_rewritten=accept_rewritten)
        app.apply(progress)
        return report

    def plan_forget(self, ids: Sequence[str], text: str | None) -> ForgetPlan:
        """What forgetting would write. See `vault.forget.plan_forget`."""
        from seci.vault.forget import plan_forget

        return plan_forget(self._app.notes, self._app.ledger(), ids, text)

    def forget(self, plan: ForgetPlan, *, purge: bool = False) -> tuple[str | None, PurgeReport | None]:
        """Writes the plan as one commit, brings the index up to date, and with `purge` rewrites git's history."""
        from seci.vault.forget import write_forget
        from seci.vault.purge import purge as rewrite

        app = self._app
        commit = write_forget(plan, app.transaction)
        rewritten = rewrite(app.history, app.transaction, plan.forgotten) if purge else None
        app.apply()
        return commit, rewritten

    def audit(self, now: datetime | None = None) -> Audit:
        """The flaws of the notes as they stand, those included that only comparing pairs shows."""
        from seci.core.audit import audit_notes, flaws_of_plan

        report = self.consolidate(now)
        plan = report.plan
        notes = [item.note for item in self._app.notes.notes() if not isinstance(item, Failure)]
        found = flaws_of_plan(
            plan.successors,
            [action.ids for action in plan.contradictions],
            {mark.ids[0]: mark.reason for mark in plan.stale},
        )
        return audit_notes(notes, self._secrets, self._facts(notes).gone_sessions, found)

    def trend(self, limit: int = TREND) -> list[tuple[Commit, Audit]]:
        """The last commits that touched the vault, oldest first, by what each note shows by itself: pairs of notes are
        not compared."""
        from seci.core.audit import audit_notes
        from seci.vault.snapshots import read_snapshots

        history = self._app.history
        known: dict[str, tuple[str, ...]] = {}

        def secrets(text: str) -> tuple[str, ...]:
            if text not in known:
                known[text] = self._secrets(text)
            return known[text]

        commits = history.log(limit, everyone=True)[::-1]
        return [(commit, audit_notes(notes, secrets)) for commit, notes in read_snapshots(history, commits)]

    def secrets(self) -> Iterator[tuple[str, int, str]]:
        """(path, line from 1, kind) of every secret in notes and archived sessions; never the secret itself."""
        from seci.vault.files import read_bytes

        for path, _ in self._app.holdings.listing():
            text = (read_bytes(self._app.vault, path) or b"").decode("utf-8", "replace")
            for kind, (start, _) in self._redactor.scan(text):
                yield path, text.count("\n", 0, start) + 1, kind

    @cached_property
    def _redactor(self) -> SecretRedactor:
        from seci.redaction.secrets import SecretRedactor

        return SecretRedactor()

    def _secrets(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(kind for kind, _ in self._redactor.scan(text)))


class _Codebases:
    """The repositories that notes speak of: where their sessions were held, or where the user is."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._ledger = app.ledger()
        self._here = app.project_at(str(app.cwd))
        self._known: dict[str, Codebase | None] = {}

    def of(self, note: Note) -> Codebase | None:
        """None where the note's project is not on this machine. A folder that is another project by now is not it."""
        if note.project is None:
            return None
        folders = [folder for source in note.sources if (folder := self._ledger.folder(source.session))]
        if self._here == note.project:
            folders.append(str(self._app.cwd))
        at = (self._at(folder) for folder in dict.fromkeys(folders) if self._app.project_at(folder) == note.project)
        return next((code for code in at if code), None)

    def _at(self, folder: str) -> Codebase | None:
        from seci.vault.codebase import Codebase

        if folder not in self._known:
            self._known[folder] = Codebase.at(folder)
        return self._known[folder]


def _short_id(change: ProposedChange) -> str:
    """Of the content, since deciding on one proposal gives the commits of the others new names."""
    content = json.dumps([change.message, sorted(change.changes.items())])
    return hashlib.sha256(content.encode()).hexdigest()[:8]


def _deciding(taken: Sequence[Pending], rejected: Sequence[Pending]) -> str:
    def lines(items: Sequence[Pending], lead: str) -> list[str]:
        said = [line for item in items for line in item.change.message.splitlines() if line.startswith("- ")]
        return [f"- {lead}{line.removeprefix('- ')}" for line in said]

    if taken:
        first = taken[0].change.message.splitlines()[0]
        subject = first if len(taken) == 1 else f"Consolidate: {len(taken)} proposals accepted"
    else:
        subject = f"Review: {len(rejected)} proposal{'' if len(rejected) == 1 else 's'} turned down"
    said = [*lines(taken, ""), *lines(rejected, "turned down: ")]
    return "\n".join([subject, "", *said, "", "Seci-Verb: consolidate", ""])

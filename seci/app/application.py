"""One vault and its adapters, and what a surface may ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.app.adapters import LateRouter, describe_spending, make_distiller, make_embedder
from seci.config import DEFAULT_MODEL, Config
from seci.core.context import AssemblyOptions, Candidate, Context
from seci.core.note import Provenance
from seci.core.ports import Embedder, Index, StoredNote, TokenCounter
from seci.core.ranking import Query, Ranking
from seci.core.session import Failure, Session, Turn
from seci.errors import IndexingError, UserError, VaultError

if TYPE_CHECKING:
    from seci.app.intake import Intake
    from seci.app.keeper import IndexKeeper
    from seci.flows.distill import DistillReport
    from seci.flows.examine import Finding
    from seci.flows.library import IndexLibrary
    from seci.flows.reindex import ReindexReport
    from seci.flows.revise import Revised
    from seci.state.spool import FileSpool
    from seci.state.usage import UsageLog
    from seci.vault.history import GitHistory
    from seci.vault.ledger import ArchiveLedger
    from seci.vault.store import FileNoteStore
    from seci.vault.transaction import VaultTransaction
    from seci.vault.undo import Undone

LEAST_RELEVANCE = 0.03  # calibrated: under it, three in a hundred would be about the question
PROMPT_RELEVANCE = 0.8  # weight of relevance where a few hundred tokens have to do
_SHARED = ("notes", "embedder", "keeper", "usage")  # what calls from several directories have in common


class App:
    """One vault and its adapters."""

    def __init__(self, vault: Path, config: Config, cwd: Path, environ: Mapping[str, str]) -> None:
        self.vault = vault
        self.config = config
        self.cwd = cwd
        self.environ = environ

    # --- the vault -----------------------------------------------------------------------------------------------

    @cached_property
    def notes(self) -> FileNoteStore:
        from seci.vault.store import FileNoteStore

        return FileNoteStore(self.vault)

    @cached_property
    def history(self) -> GitHistory:
        from seci.vault.history import GitHistory

        return GitHistory(self.vault)

    @cached_property
    def transaction(self) -> VaultTransaction:
        from seci.state.journal import FileJournal
        from seci.state.lock import VaultLock
        from seci.vault.transaction import VaultTransaction

        return VaultTransaction(
            self.vault,
            self.history,
            FileJournal(self.vault),
            VaultLock(self.vault),
            track_sessions=self.config.track_sessions,
        )

    def ledger(self) -> ArchiveLedger:
        """A fresh one: it remembers what it listed, so it serves one run."""
        from seci.vault.ledger import ArchiveLedger

        return ArchiveLedger(self.vault, self.notes)

    @property
    def state(self) -> Path:
        """`.seci`: what is derived or local."""
        return self.vault / ".seci"

    def quote(self, reference: str) -> tuple[Session, tuple[Turn, ...]]:
        """The turns that `session#1,2` names; a session by its key, its id, or the beginning of one of them.

        Raises VaultError when there is no such session or turn, or more than one.
        """
        from seci.flows.quote import find_turns

        return find_turns(reference, self.ledger())

    # --- distill -------------------------------------------------------------------------------------------------

    @property
    def intake(self) -> Intake:
        """Where this call's sessions come from."""
        from seci.app.intake import Intake

        return Intake(self.cwd, self.environ, self.spool, self.holdings, self.ledger)

    def distill(
        self,
        items: Iterable[Session | Failure],
        *,
        distiller: str = "rules",
        max_tokens: int | None = None,
        use_router: bool = True,
        readmit: bool = False,
        dry_run: bool = False,
        progress: Callable[[Session], None] = lambda session: None,
    ) -> DistillReport:
        """Distills, commits, and brings the index up to date. See `flows.distill.distill`."""
        from seci.flows.distill import DistillSteps, distill

        chosen = make_distiller(distiller, max_tokens, self.environ)
        router = self.router if use_router and distiller == "rules" else None
        steps = DistillSteps(
            redact=self.redact,
            ledger=self.ledger,
            notes=self.notes,
            distiller=chosen,
            transaction=self.transaction,
            lock=self.transaction,
            project_of=self.project_of,
            router=router,
        )
        if router is not None:
            items = router.prepared(items)
        report = distill(items, steps, dry_run=dry_run, readmit=readmit, progress=progress)
        return replace(self._index_report(report), spent=describe_spending(chosen))

    def _index_report(self, report: DistillReport) -> DistillReport:
        """Brings the index up to date where something was written. What is committed stays whatever the index does, so
        trouble with it is one more failure of the report."""
        if not report.commit:
            return report
        try:
            self.apply()
        except IndexingError as error:
            what = f"{error.reason}; the notes are written and committed, seci reindex makes up for it"
            return replace(report, failures=(*report.failures, Failure(error.subject or "the index", what)))
        return report

    def redact(self, session: Session) -> tuple[Session, Mapping[str, int]]:
        """The session as it may be kept, and what was taken out of it, by kind."""
        from seci.redaction.secrets import SecretRedactor
        from seci.redaction.session import redact_session

        return redact_session(session, SecretRedactor())

    def take_notes(self, text: str, now: datetime | None, *, dry_run: bool = False) -> DistillReport:
        """Notes that an agent or a person wrote as a JSON array. Raises UserError where it is none, or where no note
        of it could be taken."""
        from seci.distillers.agent import parse_notes
        from seci.flows.take import Giver, take_notes
        from seci.redaction.secrets import SecretRedactor

        drafts, failures = parse_notes(text)
        giver = Giver(
            source=Provenance(f"agent:{self._caller()}", ()),
            project=self.project_at(str(self.cwd)),
            now=now or datetime.now(UTC),
            known_turns=self.ledger().known,
        )
        report = take_notes(drafts, failures, giver, SecretRedactor(), self.notes, self.transaction, dry_run=dry_run)
        if report.failures and not report.notes and not report.repeated:
            first = report.failures[0]
            raise UserError(first.reason, subject=first.path, hint="seci distill --schema shows the form")
        return self._index_report(report)

    def _caller(self) -> str:
        """Who hands notes in: the agent that this process runs under, or the user."""
        hosts = {"CLAUDECODE": "claude-code", "COPILOT_CLI": "copilot-cli", "GEMINI_CLI": "gemini-cli"}
        return next((name for variable, name in hosts.items() if self.environ.get(variable)), "user")

    @cached_property
    def router(self) -> LateRouter | None:
        """Which turns the distiller may draft from: all that the router is not sure of. None, every turn, with an
        embedding model that it was not trained on."""
        if self.config.embedding_model != DEFAULT_MODEL:
            return None
        return LateRouter(self.config, self.environ, lambda: self.embedder)

    def project_of(self, session: Session) -> str | None:
        """The project that a session belongs to, by its recorded directory."""
        from seci.vault.project import project_of

        return session.project or (project_of(session.cwd, self.config.aliases) if session.cwd else None)

    def commit_edit(self, read: StoredNote, now: datetime) -> str | None:
        """Commits what the user's editor did to a note, and brings the index up to date."""
        from seci.flows.revise import commit_edit

        commit = commit_edit(read, now, self.notes, self.transaction)
        if commit:
            self.apply()
        return commit

    def find_note(self, name: str) -> StoredNote:
        """By id, unique end of an id, or path. Raises VaultError."""
        return self.notes.get(name)

    def revise(self, stored: StoredNote, fields: Mapping[str, Any], now: datetime) -> Revised:
        """Changes fields of a note, commits, and brings the index up to date."""
        from seci.flows.revise import revise_note

        revised = revise_note(stored, fields, now, self.notes, self.transaction)
        if revised.commit:
            self.apply()
        return revised

    def remove(self, stored: StoredNote) -> str | None:
        """Removes a note, commits, and brings the index up to date."""
        from seci.flows.revise import remove_note

        commit = remove_note(stored, self.transaction)
        self.apply()
        return commit

    def undo(self, revision: str | None) -> Undone:
        """Takes a commit back (None: the last one of seci); see `vault.undo.undo`."""
        from seci.vault.undo import undo

        done = undo(self.history, self.transaction, revision)
        if done.commit:
            self.apply()
        return done

    # --- index ---------------------------------------------------------------------------------------------------

    @cached_property
    def embedder(self) -> Embedder:
        """One for the router and the index: what the router has embedded is not embedded again."""
        from seci.embedding.shared import SharedEmbedder

        return SharedEmbedder(make_embedder(self.config, self.environ))

    @cached_property
    def counter(self) -> TokenCounter:
        return self.embedder.counter

    @cached_property
    def holdings(self) -> Any:
        from seci.vault.holdings import VaultHoldings

        return VaultHoldings(self.vault)

    @cached_property
    def keeper(self) -> IndexKeeper:
        """Who opens the index, and when."""
        from seci.app.keeper import IndexKeeper

        return IndexKeeper(self.vault, self.holdings, lambda: self.embedder, self.environ)

    def reindex(self, progress: Callable[..., None] = lambda *_, **__: None) -> ReindexReport:
        """Makes the index equal to the vault. Raises IndexBusyError where another process holds it."""
        return self.keeper.reindex(progress)

    def apply(self, progress: Callable[..., None] = lambda *_, **__: None) -> None:
        """Brings the index up to date after a write: through the resident process where one holds it."""
        self.keeper.apply(progress)

    def examine(self, progress: Callable[[], None]) -> list[Finding]:
        """The checks of `seci doctor`, in the order in which they build on each other."""
        from seci.flows.examine import audit_index, check_differences, check_languages, check_notes, examine, say_window

        def repository() -> str:
            self.history.check()
            return f"on {self.history.branch() or 'a detached head'}"

        def model() -> str:
            return f"{self.embedder.name}, {self.embedder.dimensions} dimensions"

        def index() -> str:
            if not self.keeper.held and (holder := self.keeper.holder()):
                return f"held by {holder}, which keeps it up to date"
            return check_differences(self.keeper.check())

        def languages() -> str:
            from seci.config import user_config_path
            from seci.distillers.language import tell_language

            settings = str(user_config_path(self.environ))
            return check_languages(self.notes, tell_language, self.config.embedding_model, settings)

        def window() -> str:
            with self.keeper.read() as found:
                return say_window(audit_index(found, self.embedder.window))

        def spool() -> str:
            waiting = self.spool.entries()
            broken = [item for item in waiting if isinstance(item, Failure)]
            if broken:
                raise VaultError(broken[0].reason, subject=broken[0].path)
            return f"{len(waiting)} sessions wait to be distilled"

        checks = [
            ("repository", repository),
            ("notes", lambda: check_notes(self.notes)),
            ("model", model),
            ("languages", languages),
            ("index", index),
            ("window", window),
            ("spool", spool),
        ]
        return examine(checks, progress)

    # --- remember ------------------------------------------------------------------------------------------------

    def search(self, query: Query) -> Ranking:
        """The ranked list."""
        with self.keeper.read() as index:
            return self._library(index).search(query)

    def _library(self, index: Index) -> IndexLibrary:
        from seci.flows.library import IndexLibrary
        from seci.index.tables import question_terms

        return IndexLibrary(index, self.embedder, question_terms)

    def assembly_defaults(self) -> AssemblyOptions:
        return AssemblyOptions(
            self.config.budgets, self.config.weights, self.config.half_lives, minimum_relevance=LEAST_RELEVANCE
        )

    def remember(self, query: Query, options: AssemblyOptions, *, count: bool = True) -> tuple[Context, Ranking]:
        """The context for a question, and the ranking behind it; with `count`, what enters counts as used."""
        from seci.flows.remember import Recall, remember

        now = query.now or datetime.now(UTC)
        today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        with self.keeper.read() as index:
            recall = Recall(
                library=self._library(index),
                # Up to midnight: the same question has the same answer all day.
                usage=lambda notes: self.usage.counts(notes, before=today),
                conflicts=lambda candidates: self._conflicts(candidates, index),
                count=self.counter.count,
            )
            context, ranking = remember(query, now, recall, options)
        if count:
            self.usage.record([p.candidate.id for p in context.passages], now)
        return context, ranking

    def project_at(self, cwd: str) -> str | None:
        """The project of a directory, by the same rule that names a session's."""
        from seci.vault.project import project_of

        return project_of(cwd, self.config.aliases) if cwd else None

    def standing(self, project: str, budget: int) -> str:
        """What a session of a project should start with: identity, preferences, the latest episodes."""
        from seci.client.lexical import standing_context

        return standing_context(str(self.vault), project, budget)

    def relevant(self, prompt: str, project: str, budget: int) -> str:
        """What is relevant to a prompt within a project, "" where nothing is. Counts as used."""
        context = self.prompt_context(prompt, project, budget)
        if context is None:
            return ""
        self.usage.record([p.candidate.id for p in context.passages], datetime.now(UTC))
        return context.markdown

    def prompt_context(self, prompt: str, project: str | None, budget: int) -> Context | None:
        """The context of a prompt that did not ask for one, None where none is worth an agent's attention. Identity is
        not repeated: a session starts with it."""
        from seci.core.silence import LEAST, is_worth_saying
        from seci.index.tables import question_terms

        defaults = self.assembly_defaults()
        options = replace(
            defaults,
            budget=defaults.budget.scaled(budget),
            weights=defaults.weights.override(relevance=PROMPT_RELEVANCE),
            minimum_relevance=LEAST,
            identity=False,
            pooled=True,
        )
        context, _ = self.remember(Query(prompt, project=project), options, count=False)
        return context if is_worth_saying(prompt, context.passages, question_terms) else None

    @cached_property
    def usage(self) -> UsageLog:
        from seci.state.usage import UsageLog

        return UsageLog(self.vault)

    @cached_property
    def spool(self) -> FileSpool:
        from seci.state.spool import FileSpool

        return FileSpool(self.vault)

    def _conflicts(self, candidates: Sequence[Candidate], index: Index) -> Mapping[str, str]:
        """The contradiction pass: id of each outdated candidate to the newer one that conflicts with it."""
        from seci.flows.pairing import find_outdated

        return find_outdated(candidates, index, lambda path: self.notes.read(path).note)

    def seen_from(self, cwd: Path, environ: Mapping[str, str]) -> App:
        """The same vault and the same warm adapters for a call from another directory."""
        for name in _SHARED:
            getattr(self, name)  # made now, so that the copy does not make one for itself
        seen = copy(self)
        seen.cwd = cwd
        seen.environ = environ
        return seen

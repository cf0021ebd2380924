"""The composition root: the only place where adapters are chosen.

An `App` is one vault with its adapters, each built when it is first needed: a command that only lists notes imports no
model and no database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import Lock
from time import time
from typing import TYPE_CHECKING, Any

from seci.client.locate import MARKER, default_vault, find_vault
from seci.config import DEFAULT_MODEL, Config, load_config, trust_vault
from seci.core.context import AssemblyOptions, Candidate, Context
from seci.core.note import Provenance
from seci.core.ports import Distiller, Embedder, Index, StoredNote, TokenCounter
from seci.core.ranking import Query, Ranking
from seci.core.session import Failure, Session, Turn
from seci.errors import IndexBusyError, IndexingError, SourceError, UserError, VaultError, VaultNotFoundError

if TYPE_CHECKING:
    from seci.flows.distill import DistillReport
    from seci.flows.examine import Finding
    from seci.flows.library import IndexLibrary
    from seci.flows.reindex import ReindexReport
    from seci.flows.revise import Revised
    from seci.index.dual import DualIndex
    from seci.router.workbench import Workbench
    from seci.sources.registry import Registry
    from seci.state.spool import FileSpool, Spooled
    from seci.state.usage import UsageLog
    from seci.vault.history import GitHistory
    from seci.vault.layout import Created
    from seci.vault.ledger import ArchiveLedger
    from seci.vault.store import FileNoteStore
    from seci.vault.transaction import VaultTransaction
    from seci.vault.undo import Undone

SILENCE = 0.5  # relevance under which a hook says nothing
APPLY_PATIENCE = 60.0  # seconds that a writer waits for whoever holds the index


def open_app(named: Path | None, cwd: Path, environ: Mapping[str, str]) -> App:
    """The vault that is meant. Raises VaultNotFoundError, and UserError for settings that cannot be read."""
    found = find_vault(str(named) if named else None, str(cwd), environ)
    if found is None or not Path(found, MARKER).is_file():
        raise VaultNotFoundError(
            "there is no vault", subject=found or str(cwd), hint="seci init makes one; --vault or SECI_VAULT names one"
        )
    vault = Path(found)
    return App(vault, load_config(vault, environ), cwd, environ)


def create_vault(path: Path, environ: Mapping[str, str]) -> Created:
    """Makes a folder a vault, or finds that it is one, and registers it with the user's settings."""
    from seci.vault.layout import create_vault as create

    # A repository of dotfiles around the data folder is not meant to hold the memory of every project.
    own = path == Path(default_vault(environ))
    created = create(path, App(path, load_config(None, environ), path, environ).transaction, own_repository=own)
    trust_vault(path, environ)
    return created


def trust(path: Path, environ: Mapping[str, str]) -> bool:
    """Registers a vault; False where it was. Raises VaultNotFoundError where there is none."""
    if not (path / MARKER).is_file():
        raise VaultNotFoundError("there is no vault", subject=str(path))
    return trust_vault(path, environ)


def notes_schema() -> dict[str, Any]:
    """The JSON schema of what `distill --notes` takes."""
    from seci.distillers.agent import notes_schema as schema

    return schema()


def make_embedder(config: Config, environ: Mapping[str, str]) -> Embedder:
    """The embedding model of the user's settings."""
    if config.embedding_model != DEFAULT_MODEL:
        from seci.embedding.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(config.embedding_model)
    from seci.embedding.cache import default_cache, open_embedder

    return open_embedder(default_cache(environ))


def bench_embedder(environ: Mapping[str, str]) -> Embedder:
    """The embedding model for a measure that needs no vault."""
    return make_embedder(load_config(None, environ), environ)


def router_workbench(environ: Mapping[str, str]) -> Workbench:
    """What trains, measures and opens memory routers, with the user's embedding model."""
    from seci.embedding.cache import default_cache, packaged_weights
    from seci.router.workbench import Workbench

    return Workbench(bench_embedder(environ), packaged_weights(), default_cache(environ))


def read_sessions(paths: Iterable[Path]) -> Iterator[Session | Failure]:
    """The sessions of files and folders, for a command that needs no vault."""
    from seci.sources.registry import load_registry

    return load_registry().read(paths)


def make_distiller(name: str, max_tokens: int | None, environ: Mapping[str, str]) -> Distiller:
    """By name. Raises UserError for an unknown one, or for one that has no settings."""
    if name == "rules":
        from seci.distillers.rules import RulesDistiller

        return RulesDistiller()
    raise UserError(f"{name!r} is not a distiller; there is rules", subject="--distiller")


class App:
    """One vault and its adapters."""

    def __init__(self, vault: Path, config: Config, cwd: Path, environ: Mapping[str, str]) -> None:
        self.vault = vault
        self.config = config
        self.cwd = cwd
        self.environ = environ
        self._held: Index | None = None
        self._reindexing = Lock()  # a resident is asked to by many

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

    @cached_property
    def registry(self) -> Registry:
        from seci.sources.registry import load_registry

        return load_registry()

    def read_sessions(self, paths: Iterable[Path], source: str | None = None) -> Iterator[Session | Failure]:
        """The sessions of files and folders. Raises UserError for an unknown format."""
        return self.registry.read([self.cwd / path for path in paths], source)

    def discover(self) -> Iterator[Session | Failure]:
        """The sessions of every installed tool."""
        home = Path(self.environ.get("HOME") or Path.home())
        yield from self.registry.read_found(self.registry.discover_all(home, self.environ))

    def spooled(self, *, settled: bool) -> list[Spooled | Failure]:
        """What hooks have noticed; with `settled`, only sessions that are over."""
        return [*self.spool.settled(time())] if settled else self.spool.entries()

    def read_spooled(self, waiting: Iterable[Spooled | Failure]) -> Iterator[Session | Failure]:
        """The sessions that wait; one whose file is gone is a Failure."""
        for entry in waiting:
            if isinstance(entry, Failure):
                yield entry
            elif entry.path is None:
                yield from self._kept_by_tool(entry)
            else:
                try:
                    yield from self.registry.read([entry.path], entry.source)
                except SourceError as error:
                    yield Failure(str(error.subject), error.reason)

    def _kept_by_tool(self, entry: Spooled) -> Iterator[Session | Failure]:
        """A session by its id, from wherever its tool keeps all of them."""
        home = Path(self.environ.get("HOME") or Path.home())
        source = self.registry.source(entry.source or "")
        known = False
        for bundle in source.discover(home, self.environ):
            for found in source.read(bundle):
                if isinstance(found, Failure):
                    yield found
                elif found.id == entry.session:
                    known = True
                    yield found
        if not known:
            yield Failure(f"{entry.source}:{entry.session}", "the tool does not keep this session")

    def finish_spooled(self, waiting: Iterable[Spooled | Failure]) -> None:
        """Takes what was distilled off the spool, and sets aside what is no notice."""
        items = list(waiting)
        self.spool.done(item for item in items if not isinstance(item, Failure))
        self.spool.set_aside(item for item in items if isinstance(item, Failure))

    def archived(self) -> Iterator[Session | Failure]:
        """The sessions that the vault itself holds."""
        ledger = self.ledger()
        for path in ledger.paths():
            loaded = self.holdings.load(path)
            if isinstance(loaded, Failure):
                yield loaded
            elif loaded is not None and not isinstance(loaded, StoredNote):
                yield loaded.session

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

        steps = DistillSteps(
            redact=self.redact,
            ledger=self.ledger(),
            notes=self.notes,
            distiller=make_distiller(distiller, max_tokens, self.environ),
            transaction=self.transaction,
            lock=self.transaction,
            project_of=self.project_of,
            router=self.router if use_router and distiller == "rules" else None,
        )
        report = distill(items, steps, dry_run=dry_run, readmit=readmit, progress=progress)
        if report.commit:
            self.apply()
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
        if report.commit:
            self.apply()
        return report

    def _caller(self) -> str:
        """Who hands notes in: the agent that this process runs under, or the user."""
        hosts = {"CLAUDECODE": "claude-code", "COPILOT_CLI": "copilot-cli", "GEMINI_CLI": "gemini-cli"}
        return next((name for variable, name in hosts.items() if self.environ.get(variable)), "user")

    @cached_property
    def router(self) -> None:
        return None

    def project_of(self, session: Session) -> str | None:
        """The project that a session belongs to, by its recorded directory."""
        from seci.vault.project import project_of

        return session.project or (project_of(session.cwd, self.config.aliases) if session.cwd else None)

    def commit_edit(self, path: str, before: str) -> str | None:
        """Commits what the user's editor did to a note. Raises NoteFormatError where it is no note any more: the
        file stays as the user left it."""
        stored = self.notes.read(path)
        if stored.digest == before:
            return None
        commit = self.transaction.keep([path], f"Edit {stored.note.title}\n\nSeci-Verb: edit\n")
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
        return make_embedder(self.config, self.environ)

    @cached_property
    def counter(self) -> TokenCounter:
        return self.embedder.counter

    @cached_property
    def holdings(self) -> Any:
        from seci.vault.holdings import VaultHoldings

        return VaultHoldings(self.vault)

    @contextmanager
    def open_index(self, wait: float = 0.0) -> Iterator[Index]:
        """The index for writing: this process's own where it holds it, otherwise for as long as the block lasts.

        Raises IndexBusyError where another process holds it.
        """
        if self._held is not None:
            yield self._held
            return
        from seci.index.dual import open_index

        with open_index(self.state, self._stamp(), wait) as index:
            yield index

    @contextmanager
    def hold_index(self) -> Iterator[None]:
        """Keeps the index for this process until the block ends: what a resident does."""
        with self.open_index() as index:
            self._held = index
            try:
                yield
            finally:
                self._held = None

    def _stamp(self) -> Any:
        from seci.index.keyword import Stamp

        return Stamp(self.embedder.name, self.embedder.dimensions, self.embedder.window)

    def reindex(self, progress: Callable[..., None] = lambda *_, **__: None, wait: float = 0.0) -> ReindexReport:
        """Makes the index equal to the vault. Raises IndexBusyError where another process holds it."""
        from seci.flows.reindex import reindex

        with self._reindexing, self.open_index(wait) as index:
            return reindex(self.holdings, index, self.embedder, self.counter, progress)

    def check_index(self) -> list[str]:
        """In which ways the index differs from what a rebuild would give."""
        from seci.flows.reindex import check_index

        with self.open_index(APPLY_PATIENCE) as index:
            return check_index(self.holdings, index)

    def apply(self) -> None:
        """Brings the index up to date after a write: through the resident process where one holds it."""
        if self._held is None and self._ask_resident(["reindex"]):
            return
        self.reindex(wait=APPLY_PATIENCE)

    def _ask_resident(self, arguments: list[str]) -> bool:
        from seci.client.wire import ask, encode_request, forwarded

        variables = forwarded(self.environ.items())
        request = encode_request(str(self.cwd), "", b"", variables, [*arguments, "--vault", str(self.vault), "--json"])
        answer = ask(str(self.vault), request, APPLY_PATIENCE)
        return answer is not None and answer[0] == 0

    def examine(self, progress: Callable[[], None]) -> list[Finding]:
        """The checks of `seci doctor`, in the order in which they build on each other."""
        from seci.flows.examine import audit_index, check_differences, check_notes, examine, say_window

        def repository() -> str:
            self.history.check()
            return f"on {self.history.branch() or 'a detached head'}"

        def model() -> str:
            return f"{self.embedder.name}, {self.embedder.dimensions} dimensions"

        def index() -> str:
            if self._held is None and (holder := self._index_holder()):
                return f"held by {holder}, which keeps it up to date"
            return check_differences(self.check_index())

        def window() -> str:
            with self.read_index() as found:
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
            ("index", index),
            ("window", window),
            ("spool", spool),
        ]
        return examine(checks, progress)

    def _index_holder(self) -> str | None:
        """Who holds the index, None where nobody does."""
        from seci.index.lock import own_index, read_holder

        try:
            with own_index(self.state):
                return None
        except IndexBusyError:
            return read_holder(self.state)

    # --- remember ------------------------------------------------------------------------------------------------

    @contextmanager
    def read_index(self) -> Iterator[Index]:
        """The index for reading, brought up to date first where no other process holds it.

        The tables may be read while another process writes; Chroma is not opened, unless files changed.
        """
        if self._held is not None:
            with self._held.reading():
                yield self._held
            return
        from seci.index.dual import DualIndex

        index = self._current_index()
        if index is None:
            with suppress(IndexBusyError):  # whoever holds it keeps it up to date
                self.reindex()
            index = DualIndex(self.state / "index", self._stamp(), read_only=True)
        try:
            with index.reading():
                yield index
        finally:
            index.close()

    def _current_index(self) -> DualIndex | None:
        """The index where it is there and equals the vault, None where somebody has to reindex first."""
        from seci.flows.reindex import plan_difference
        from seci.index.dual import DualIndex

        try:
            index = DualIndex(self.state / "index", self._stamp(), read_only=True)
        except IndexingError:
            return None
        change = plan_difference(self.holdings.listing(), index.listing())
        if change.added or change.modified or change.removed:
            index.close()
            return None
        return index

    def search(self, query: Query) -> Ranking:
        """The ranked list."""
        with self.read_index() as index:
            return self._library(index).search(query)

    def _library(self, index: Index) -> IndexLibrary:
        from seci.flows.library import IndexLibrary
        from seci.index.tables import split_terms

        return IndexLibrary(index, self.embedder, split_terms)

    def assembly_defaults(self) -> AssemblyOptions:
        return AssemblyOptions(self.config.budgets, self.config.weights, self.config.half_lives)

    def remember(self, query: Query, options: AssemblyOptions, *, count: bool = True) -> tuple[Context, Ranking]:
        """The context for a question, and the ranking behind it; with `count`, what enters counts as used."""
        from seci.flows.remember import Recall, remember

        with self.read_index() as index:
            recall = Recall(
                library=self._library(index),
                usage=self.usage.counts,
                conflicts=lambda candidates: self._conflicts(candidates, index),
                count=self.counter.count,
            )
            now = query.now or datetime.now(UTC)
            context, ranking = remember(query, now, recall, options)
        if count:
            self.usage.record([p.candidate.id for p in context.passages], now)
        return context, ranking

    def project_at(self, cwd: str) -> str | None:
        """The project of a directory, by the same rule that names a session's."""
        from seci.vault.project import project_of

        return project_of(cwd, self.config.aliases) if cwd else None

    def standing(self, project: str | None, budget: int) -> str:
        """What a session of a project should start with: identity, preferences, the latest episodes."""
        from seci.client.lexical import standing_context

        return standing_context(str(self.vault), project, budget)

    def relevant(self, prompt: str, project: str | None, budget: int) -> str:
        """What is relevant to a prompt within a project, "" where nothing is."""
        defaults = self.assembly_defaults()
        options = replace(defaults, budget=defaults.budget.scaled(budget), minimum_relevance=SILENCE)
        context, _ = self.remember(Query(prompt, project=project), options)
        return context.markdown

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

        return find_outdated(candidates, index)

    def seen_from(self, cwd: Path, environ: Mapping[str, str]) -> App:
        """The same vault and the same warm adapters for a call from another directory."""
        seen = copy(self)
        seen.cwd = cwd
        seen.environ = environ
        return seen

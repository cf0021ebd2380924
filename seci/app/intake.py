"""Where sessions come from: named files, installed tools, what hooks noticed, the vault's own archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from seci.core.ports import Holdings, StoredNote
from seci.core.session import Failure, Session
from seci.errors import SourceError

if TYPE_CHECKING:
    from seci.sources.registry import Registry
    from seci.state.spool import FileSpool, Spooled
    from seci.vault.ledger import ArchiveLedger


class Intake:
    """The sessions of one call: relative paths are taken from `cwd`, tools looked for in the caller's home."""

    def __init__(
        self,
        cwd: Path,
        environ: Mapping[str, str],
        spool: FileSpool,
        holdings: Holdings,
        ledger: Callable[[], ArchiveLedger],
    ) -> None:
        self._cwd = cwd
        self._environ = environ
        self.spool = spool
        self._holdings = holdings
        self._ledger = ledger

    @cached_property
    def registry(self) -> Registry:
        from seci.sources.registry import load_registry

        return load_registry()

    def read(self, paths: Iterable[Path], source: str | None = None) -> Iterator[Session | Failure]:
        """The sessions of files and folders. Raises UserError for an unknown format."""
        return self.registry.read([self._cwd / path for path in paths], source)

    def discover(self) -> Iterator[Session | Failure]:
        """The sessions of every installed tool."""
        home = Path(self._environ.get("HOME") or Path.home())
        yield from self.registry.read_found(self.registry.discover_all(home, self._environ))

    def places(self) -> dict[str, list[str]]:
        """Where `discover` looks, by source; the home folder as `~`."""
        home = Path(self._environ.get("HOME") or Path.home())

        def shorten(place: Path) -> str:
            return f"~/{place.relative_to(home).as_posix()}" if place.is_relative_to(home) else str(place)

        return {name: [*map(shorten, found)] for name, found in self.registry.places(home, self._environ).items()}

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
        home = Path(self._environ.get("HOME") or Path.home())
        source = self.registry.source(entry.source or "")
        known = False
        for bundle in source.discover(home, self._environ):
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
        ledger = self._ledger()
        for path in ledger.paths():
            loaded = self._holdings.load(path)
            if isinstance(loaded, Failure):
                yield loaded
            elif loaded is not None and not isinstance(loaded, StoredNote):
                yield loaded.session

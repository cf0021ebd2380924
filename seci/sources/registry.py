"""All session formats: who claims a bundle, what lies in a folder, what the installed tools keep on this
machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from seci.core.ports import Claim, Source
from seci.core.session import Failure, Session
from seci.errors import AmbiguousSourceError, SourceError, UserError
from seci.sources.lines import read_head, render_os_error

ENTRY_POINTS = "seci.sources"
BUILT_IN = (
    "claude_code:ClaudeCodeSource",
    "codex:CodexSource",
    "gemini_cli:GeminiCliSource",
    "copilot_cli:CopilotCliSource",
    "vscode_chat:VSCodeChatSource",
    "cursor:CursorSource",
    "opencode:OpencodeSource",
    "cline:ClineSource",
    "goose:GooseSource",
    "continue_dev:ContinueSource",
    "aider:AiderSource",
    "specstory:SpecStorySource",
    "chatgpt:ChatGPTSource",
    "claude_ai:ClaudeAiSource",
    "slack:SlackSource",
    "mempalace:MemPalaceSource",
    "basic_memory:BasicMemorySource",
    "obsidian:ObsidianSource",
    "longmemeval:LongMemEvalSource",
    "locomo:LocomoSource",
    "beam:BeamSource",
    "generic_json:GenericJsonSource",
    "labelled_text:LabelledTextSource",
)

# Files that lie beside sessions and hold none: where they came from, indexes, settings.
# fmt: off
SIDE_FILES = {
    "ORIGIN.txt", "LICENSE", "LICENSE.txt", "LICENSE.md", "README", "README.md", "README.txt", "GUIDELINE.md",
    "sessions.json", "projects.json", "workspace.json", "workspace.yaml", "task_metadata.json", "settings.json",
    "history.jsonl", "package.json", "users.json", "user.json", "channels.json", "dms.json", "groups.json",
    "mpims.json", "integration_logs.json", "memories.json", "message_feedback.json", "shared_conversations.json",
}
# fmt: on
SESSION_SUFFIXES = frozenset({".jsonl", ".json", ".zst", ".db", ".sqlite", ".vscdb", ".zip"})
SKIPPED_FOLDERS = frozenset({".git", ".seci", "node_modules", "__pycache__", ".venv", "tool-results", ".obsidian"})


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one tool keeps on this machine."""

    source: str
    bundles: tuple[Path, ...]


class Registry:
    """Sources in a fixed order; exactly one of them reads a bundle."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.name: source for source in sources}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._sources)

    def source(self, name: str) -> Source:
        """The source of that name. Raises UserError that lists the known ones."""
        try:
            return self._sources[name]
        except KeyError:
            known = ", ".join(sorted(self._sources))
            raise UserError(f"no such session format, known are {known}", subject=name) from None

    def claimant(self, bundle: Path, least: Claim = Claim.GENERIC) -> Source | None:
        """The source with the highest claim of at least `least`, None when nobody claims the bundle.

        Raises AmbiguousSourceError when two claims tie for the highest.
        """
        claims = {name: source.claim(bundle) for name, source in self._sources.items()}
        highest = max(claims.values(), default=Claim.NONE)
        if highest is Claim.NONE or highest < least:
            return None
        winners = tuple(name for name, claim in claims.items() if claim == highest)
        if len(winners) > 1:
            raise AmbiguousSourceError(str(bundle), winners)
        return self._sources[winners[0]]

    def read(self, paths: Iterable[Path], forced: str | None = None) -> Iterator[Session | Failure]:
        """The sessions of all these files and folders, a path at a time; `forced` names the only source to
        use.

        What nobody claims and what cannot be read is a Failure. Raises SourceError when a path does not
        exist, UserError when `forced` is unknown.
        """
        source = self.source(forced) if forced else None
        for path in paths:
            if not os.path.lexists(path):
                raise SourceError("does not exist", subject=str(path))
            for found in self.bundles(path, source):
                if isinstance(found, Failure):
                    yield found
                else:
                    yield from found[0].read(found[1])

    def bundles(self, path: Path, forced: Source | None = None) -> Iterator[tuple[Source, Path] | Failure]:
        """What a path holds: itself where a source claims it, else what lies in the folder, by name."""
        if reason := unreadable(path):
            yield Failure(str(path), reason)
            return
        try:
            source = forced if forced and path.is_file() else self._among(forced, path, Claim.GENERIC)
        except AmbiguousSourceError as error:
            yield Failure(str(path), f"{error.reason}: {error.hint}")
            return
        if source:
            yield source, path
        elif path.is_dir():
            yield from self._walk(path, forced, set())
        else:
            yield Failure(str(path), unclaimed(path))

    def discover_all(self, home: Path, environ: Mapping[str, str]) -> list[Discovery]:
        """Every source with the bundles of its tool that exist here, none included, in the order of the
        sources."""
        return [Discovery(name, tuple(source.discover(home, environ))) for name, source in self._sources.items()]

    def places(self, home: Path, environ: Mapping[str, str]) -> dict[str, tuple[Path, ...]]:
        """Where `discover_all` looks, by source; a source without an opinion is left out."""
        asked = {name: getattr(source, "places", None) for name, source in self._sources.items()}
        found = {name: ask(home, environ) for name, ask in asked.items() if ask}
        return {name: places for name, places in found.items() if places}

    def read_found(self, found: Iterable[Discovery]) -> Iterator[Session | Failure]:
        """The sessions of what `discover_all` found, without asking who claims it."""
        for discovery in found:
            source = self.source(discovery.source)
            for bundle in discovery.bundles:
                yield from source.read(bundle)

    def _among(self, forced: Source | None, path: Path, least: Claim) -> Source | None:
        if forced:
            return forced if forced.claim(path) else None
        return self.claimant(path, least)

    def _walk(self, folder: Path, forced: Source | None, seen: set[Path]) -> Iterator[tuple[Source, Path] | Failure]:
        real = folder.resolve()
        if real in seen:
            return  # a link to where the walk has been
        seen.add(real)
        try:
            entries = sorted((entry, entry.is_dir(), entry.is_file()) for entry in folder.iterdir())
        except OSError as error:
            yield Failure(str(folder), render_os_error(error))
            return
        offers: dict[Path, tuple[Source, Path] | Failure] = {}
        folders: list[Path] = []
        for entry, is_folder, is_file in entries:
            if is_folder:
                if entry.name not in SKIPPED_FOLDERS:
                    folders.append(entry)
            elif is_file and entry.name not in SIDE_FILES and (offer := self._offer(entry, forced)):
                offers[entry] = offer
        taken = {side for offer in offers.values() if not isinstance(offer, Failure) for side in side_files(*offer)}
        yield from (offer for entry, offer in offers.items() if entry not in taken)
        for entry in folders:
            if entry in taken:
                continue
            try:
                source = self._among(forced, entry, Claim.LABELLED)
            except AmbiguousSourceError as error:
                yield Failure(str(entry), f"{error.reason}: {error.hint}")
                continue
            if source:
                yield source, entry
            else:
                yield from self._walk(entry, forced, seen)

    def _offer(self, file: Path, forced: Source | None) -> tuple[Source, Path] | Failure | None:
        """A file met on a walk: read where it is recognised, reported where it looks like a session and is not."""
        try:
            source = self._among(forced, file, Claim.LABELLED)
        except AmbiguousSourceError as error:
            return Failure(str(file), f"{error.reason}: {error.hint}")
        if source:
            return source, file
        if file.suffix in SESSION_SUFFIXES and not forced:
            return Failure(str(file), unreadable(file) or unclaimed(file))
        return None


def load_registry() -> Registry:
    """The built-in sources and those that installed packages offer under the entry point group
    `seci.sources`.

    Raises SourceError, naming the entry point, when a package's source cannot be loaded.
    """
    sources: list[Source] = []
    for reference in BUILT_IN:
        module, _, attribute = reference.partition(":")
        sources.append(getattr(import_module(f"seci.sources.{module}"), attribute)())
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            sources.append(entry.load()())
        except (ImportError, AttributeError, TypeError) as error:
            raise SourceError(f"entry point cannot be loaded: {error}", subject=entry.name) from error
    return Registry(sources)


def side_files(source: Source, bundle: Path) -> Iterator[Path]:
    """What a source reads together with a bundle; a source without an opinion reads nothing else."""
    offered = getattr(source, "side_files", None)
    return offered(bundle) if offered else iter(())


def unreadable(path: Path) -> str | None:
    """Why a file or folder cannot be opened, None when it can."""
    if not path.is_file() and not path.is_dir():
        return "is neither a file nor a folder"
    try:
        if path.is_dir():
            next(os.scandir(path), None)
        else:
            with path.open("rb"):
                pass
    except OSError as error:
        return render_os_error(error)
    return None


def unclaimed(file: Path) -> str:
    """What a file that no source claims seems to be."""
    head = read_head(file)
    if not head:
        return "is empty" if not file.stat().st_size else "cannot be decompressed"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "is UTF-16 text: save it as UTF-8"
    if b"\0" in head:
        return "is binary and of no known session format"
    try:
        head[: head.rfind(b"\n") + 1 or len(head)].decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start})"
    if head.lstrip()[:1] in (b"{", b"["):
        return "is JSON, or the beginning of it, of no known session format"
    return "is of no known session format"

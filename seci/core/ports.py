"""The ports: what the flows need from the outside world, declared beside the types they speak of.

Adapters implement them structurally and import nothing but `core` and `errors`; `app.py` is the only place that
chooses one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from seci.core.chunk import Chunk, Kind
from seci.core.document import Document, Record
from seci.core.layout import Layout
from seci.core.note import Draft, Note, NoteType, Tier
from seci.core.opinion import Opinion
from seci.core.session import Failure, Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Claim(IntEnum):
    """How sure a source is that a bundle is its own; the highest claim wins, a tie is an error."""

    NONE = 0
    GENERIC = 1  # would read it because the user named it
    LABELLED = 2  # the text says who speaks, in no tool's own format
    SPECIFIC = 3  # recognises its own format by content


class Source(Protocol):
    """One session format. Never writes to, moves or locks what it reads."""

    name: str

    def claim(self, bundle: Path) -> Claim:
        """Looks at names and at the first kilobytes only. Never raises on bad content."""

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        """Streams the sessions of one bundle; what cannot be read is yielded as a Failure and the rest goes on."""

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        """The bundles that an installed tool keeps on this machine; honours its relocation variables."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and how many of each kind were replaced by `[redacted:KIND]`."""

    text: str
    counts: Mapping[str, int]


class Redactor(Protocol):
    def redact(self, text: str) -> Redacted: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """A router's answer for one turn. `probability` is that of ADD."""

    index: int
    add: bool
    probability: float
    type: NoteType


class Router(Protocol):
    """Decides which turns are worth distilling. When unsure it admits."""

    def decide(self, session: Session) -> list[Decision]:
        """One decision for each turn, in turn order; deterministic."""


class Distiller(Protocol):
    """Drafts notes from a session."""

    name: str

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        """Drafts whose turns include at least one of `fresh` (turns not distilled before and admitted by the
        router); the other turns of the session are context. Deterministic for the rules."""


class TokenCounter(Protocol):
    def count(self, text: str) -> int:
        """Tokens that the model would see for this text, special tokens left out."""

    def windows(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        """Consecutive slices of `text`, each at most `limit` tokens, together covering all of it."""


class Embedder(Protocol):
    """Text to unit vectors. `name` changes whenever vectors would; `window` is in tokens."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def window(self) -> int: ...

    @property
    def counter(self) -> TokenCounter:
        """Counts and cuts as the model does."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions), rows of length 1."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), length 1; with the model's query prompt where it has one."""


class PairReader(Protocol):
    """Reads two notes at once, which tells more about how they relate than two vectors do, and costs more."""

    def read(self, pairs: Sequence[tuple[Note, Note]]) -> list[Opinion]:
        """One opinion for each pair, the older note first, in order."""


@dataclass(frozen=True, slots=True)
class StoredNote:
    """A note and the vault-relative POSIX path it stands at; `digest` is the sha256 of the file's bytes."""

    path: str
    note: Note
    digest: str


class NoteStore(Protocol):
    """The notes of a vault as files."""

    def notes(self) -> Iterator[StoredNote | Failure]:
        """All notes in path order; a file that is not a note is a Failure."""

    def get(self, id_or_path: str) -> StoredNote:
        """By id, unique id suffix or path. Raises VaultError when there is none or more than one."""

    def render(self, note: Note, path: str | None = None) -> tuple[str, str]:
        """(path, text) as it would be written; a new note gets its `file_name` in its namespace's folder."""


class Ledger(Protocol):
    """Which turns have been distilled: those that stand in the archive `sessions/`."""

    def known(self, session: str) -> frozenset[int]:
        """Turn numbers of that session key that are archived; falls back to the notes' sources without one."""

    def read(self, session: str) -> Session | None:
        """The session with that key as archived, None where it is not."""

    def render(self, session: Session) -> tuple[str, str]:
        """(path, text) of the session's archive file, older archived turns included."""


class History(Protocol):
    """The git repository of a vault; plumbing only, the user's checkout and index stay untouched."""

    def head(self) -> str | None:
        """The full hash of HEAD, None on a branch without commits."""

    def check(self) -> None:
        """Raises RepositoryStateError in the middle of a merge, rebase or cherry-pick."""

    def commit(self, paths: Iterable[str], message: str, digests: Mapping[str, str | None] | None = None) -> str | None:
        """Commits exactly these vault-relative paths as they are on disk (missing ones as deletions); with `digests`
        (sha256 of the bytes, None for a deletion) only those that hold what is expected. Returns the full hash, None
        when nothing differs from HEAD."""

    def refresh_index(self, paths: Iterable[str]) -> None:
        """Makes the user's own index agree with HEAD for these paths and no others."""

    def install_merge_driver(self) -> None:
        """Puts what `.gitattributes` names into the repository's configuration, which is not cloned."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file of a transaction: sha256 of its bytes before and after, None where it does not exist then."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What a transaction is about to do. With `head` the files follow a commit that exists; else they become one."""

    message: str
    files: tuple[PlannedFile, ...]
    head: str | None = None


class Journal(Protocol):
    """Remembers across a crash what was being written."""

    def begin(self, entry: JournalEntry) -> None:
        """On the disk before it returns."""

    def read(self) -> JournalEntry | None:
        """What was begun and did not end. Raises VaultError when it cannot be read."""

    def end(self) -> None: ...


class Transaction(Protocol):
    """All or nothing: journal, files, one commit."""

    def hold(self) -> AbstractContextManager[None]:
        """The write lock (this is a WriteLock too), after repairing what a crash left. Writes may be nested in it."""

    def write(
        self, changes: Mapping[str, str | None], message: str, before: Mapping[str, str | None] | None = None
    ) -> str | None:
        """Writes texts to vault-relative paths (None deletes) and commits exactly those files. Returns the full hash,
        None when nothing differs from HEAD. A crash in between is repaired by the next writer: files that still hold
        what was planned are committed, the rest is rolled back, what the user changed is never taken.

        `before` maps paths to the digest that the change was computed from (None: the file must not exist); where the
        disk says otherwise somebody edited it meanwhile, and nothing at all is written.

        Raises RepositoryStateError in the middle of a merge or rebase, VaultError when a file cannot be written or is
        not what `before` says.
        """


class WriteLock(Protocol):
    def hold(self) -> AbstractContextManager[None]:
        """Waits a moment, then raises VaultBusyError that names the holder."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """An archived session and the vault-relative POSIX path it stands at; `digest` as of a `StoredNote`."""

    path: str
    session: Session
    digest: str


class Holdings(Protocol):
    """What the vault holds that an index should hold too: notes and archived sessions."""

    def listing(self) -> Iterable[tuple[str, str]]:
        """(path, sha256 of the file's bytes) of every note and archived session, unparsed, in any order."""

    def load(self, path: str) -> StoredNote | StoredSession | Failure | None:
        """What stands at a path now; None when it is gone, a Failure when it is neither note nor session."""


class Shelf(Protocol):
    """The chunks of one kind, in memory. Rows run from 0 to `size` - 1; a removed chunk keeps its row until the index
    is next loaded and scores minus infinity. The live rows of a file stand together, in reading order; beyond that no
    score depends on a row's number."""

    @property
    def kind(self) -> Kind: ...

    @property
    def size(self) -> int: ...

    @property
    def live(self) -> NDArray[np.bool_]:
        """(size,)."""

    @property
    def document(self) -> NDArray[np.int64]:
        """(size,) number of the row's file."""

    @property
    def turn(self) -> NDArray[np.int32]:
        """(size,) first turn, -1 for notes."""

    @property
    def role(self) -> NDArray[np.int8]:
        """(size,) 0 none, 1 user, 2 assistant, 3 participant."""

    @property
    def at(self) -> NDArray[np.float64]:
        """(size,) seconds since 1970, nan where no time is known."""

    @property
    def tokens(self) -> NDArray[np.int32]:
        """(size,)."""

    @property
    def standing(self) -> NDArray[np.bool_]:
        """(size,) see `Chunk.standing`."""

    @property
    def speaker(self) -> NDArray[np.int32]:
        """(size,) place in `speakers`, -1 where no speaker is named."""

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names under which turns were said."""

    @property
    def terms(self) -> NDArray[np.int32]:
        """(size,) search terms, repeats included."""

    @property
    def layout(self) -> Layout:
        """Which rows make up a turn, which turns a session."""

    def find(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(rows that hold a search term, how often each does); rows that are not live may be among them."""

    def cosine(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """(size,) cosine of every row with a unit vector: exact, no approximation."""

    def bm25(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """(size,) exact BM25 of every row for these terms (as `index.tables.split_terms` gives them)."""

    def best(self, scores: NDArray[np.float32], limit: int) -> list[int]:
        """Row numbers of the highest finite scores, best first; equal scores stand in order of chunk id."""

    def vectors(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """(len(rows), dimensions)."""

    def chunks(self, rows: Sequence[int]) -> list[Chunk]:
        """With their texts, in the order asked for."""

    def records(self, rows: Sequence[int]) -> list[Record]:
        """What is known of each row's file."""


class Index(Protocol):
    """Derived from the vault and never more than a cache: a damaged index, or one built by another schema, model or
    chunking, is emptied when it is opened (`emptied` says why until a reindex is through) and filled by a reindex."""

    emptied: str | None

    def listing(self) -> list[tuple[str, str]]:
        """(path, digest) of every file that is indexed, in path order."""

    def known_vectors(self, digests: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors of those chunk digests that the index has."""

    def apply(self, added: Sequence[tuple[Document, NDArray[np.float32]]] = (), removed: Iterable[str] = ()) -> None:
        """Puts documents in (one vector a chunk; what stood at the same path goes) and takes paths out, all or
        nothing: what a crash leaves half done is undone when the index is next opened. Raises IndexingError."""

    def shelf(self, kind: Kind) -> Shelf:
        """What can be searched, as of the last apply."""

    def reading(self) -> AbstractContextManager[None]:
        """Within the block nothing is applied: shelves, records and chunks all show one state. For one question at a
        time; a writer waits."""

    def records_at(self, paths: Iterable[str]) -> Mapping[str, Record]:
        """What is known of each of these files, by path; those that are not indexed are left out."""

    def records_of(self, tier: Tier) -> list[Record]:
        """All notes of a tier, in path order."""

    def chunks_at(self, places: Sequence[tuple[str, Collection[int]]]) -> list[list[Chunk]]:
        """For each (path, turns) those of the file's chunks that hold one of the turns, in reading order."""

    def settle(self) -> None:
        """Repairs what can be repaired without the vault: makes Chroma hold what the tables hold."""

    def verify(self) -> list[str]:
        """Every way in which the index disagrees with itself, in words; empty when it is whole."""


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware UTC."""

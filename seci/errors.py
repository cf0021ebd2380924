"""Every error that seci raises on purpose.

    SeciError                         exit code 1
    ├── UserError                     2   the call itself is wrong
    ├── VaultError                    3   the vault, its git repository or its notes
    │   ├── VaultNotFoundError
    │   ├── NoteFormatError           a note that cannot be read
    │   ├── VaultBusyError            another writer holds the lock
    │   └── RepositoryStateError      a merge, a rebase, no repository
    ├── SourceError                   4   nothing at all could be read
    │   └── AmbiguousSourceError      two sources claim one bundle
    ├── IndexingError                 5   the index is missing, damaged or not the vault's
    │   └── IndexBusyError            another process owns the index
    └── ModelError                    6   an embedding model or language model

An error carries attributes; the surfaces (command line, REST, MCP, hooks) turn them into prose, exit codes and
statuses. A bad *item* is not an error: it is a `Failure` value in a report.
"""

from __future__ import annotations


class SeciError(Exception):
    """Base of the tree. `subject` names the file, note or setting that is wrong; `reason` says why."""

    exit_code = 1

    def __init__(self, reason: str, *, subject: str | None = None, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.subject = subject
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.subject}: {self.reason}" if self.subject else self.reason


class UserError(SeciError):
    """The call is wrong: an unknown option value, a path that does not exist."""

    exit_code = 2


class VaultError(SeciError):
    """The vault cannot do what was asked."""

    exit_code = 3


class VaultNotFoundError(VaultError):
    """No `seci.toml` at the place named, nor above it."""


class NoteFormatError(VaultError):
    """A file that should be a note is not one."""


class VaultBusyError(VaultError):
    """Another process is writing to the vault."""


class RepositoryStateError(VaultError):
    """Git is in the middle of something (merge, rebase, cherry-pick), or there is no repository."""


class SourceError(SeciError):
    """Nothing could be read from what was named."""

    exit_code = 4


class AmbiguousSourceError(SourceError):
    """More than one source claims the same bundle; `claims` holds their names."""

    def __init__(self, subject: str, claims: tuple[str, ...]) -> None:
        names = " and ".join(claims)
        super().__init__(
            f"claimed by {names}",
            subject=subject,
            hint=f"name one of them with --from, e.g. --from {claims[0]}",
        )
        self.claims = claims


class IndexingError(SeciError):
    """The index is missing, damaged, or was built by another version, model or vault."""

    exit_code = 5


class IndexBusyError(IndexingError):
    """Another process owns the index."""


class ModelError(SeciError):
    """A model is missing, has the wrong weights, or did not answer."""

    exit_code = 6

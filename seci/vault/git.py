"""Running git for a vault: through GitPython, untouched by the caller's hooks, environment and output settings."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from seci.errors import RepositoryStateError

# What git hands to its hooks (`git rev-parse --local-env-vars`) and what would change meaning or output. A hook that
# runs seci must not make it write into the repository, index or moment that the hook is about.
_FOREIGN = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_SOURCE", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "GIT_COMMON_DIR",
    "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_DIFF_OPTS", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE", "GIT_ICASE_PATHSPECS", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS", "GIT_NAMESPACE", "GIT_NOGLOB_PATHSPECS", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REFLOG_ACTION", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)  # fmt: skip
_OPTIONS = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.splitIndex=false"),
    *("-c", "color.ui=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "i18n.commitEncoding=UTF-8"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
)
_ENVIRON = {"GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
_environment_lock = threading.RLock()


class GitError(RepositoryStateError):
    """A git command failed; `status` is its exit status, `reason` what it said."""

    def __init__(self, reason: str, *, status: int, subject: str, hint: str | None = None) -> None:
        super().__init__(reason, subject=subject, hint=hint)
        self.status = status


class Git:
    """Git commands in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environ: Mapping[str, str] | None = None,
        accept: Sequence[int] = (0,),
    ) -> bytes:
        """Standard output of a git command. Raises GitError when its status is not among `accept`."""
        status, out, err = self.call(*arguments, stdin=stdin, environ=environ)
        if status not in accept:
            raise self._error(arguments, status, err)
        return out

    def text(self, *arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None) -> str:
        """Standard output without its last line end."""
        return self.run(*arguments, stdin=stdin, environ=environ).decode("utf-8", "replace").rstrip("\n")

    def ask(self, *arguments: str) -> str | None:
        """Standard output, None where the command fails: for questions whose answer may be no."""
        status, out, _ = self.call(*arguments)
        return out.decode("utf-8", "replace").rstrip("\n") if status == 0 else None

    def call(
        self, *arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, str]:
        """(exit status, standard output, standard error), whatever the status."""
        git = _import_git()
        with _own_environment(), _as_file(stdin) as source:
            try:
                result: Any = git.Git(str(self.folder)).execute(
                    ["git", *_OPTIONS, *arguments],
                    istream=source,
                    with_extended_output=True,
                    with_exceptions=False,
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                    env={**_ENVIRON, **(environ or {})},
                )
            except git.exc.GitCommandNotFound as error:
                raise _missing_git() from error
        status, out, err = result
        return int(status), cast(bytes, out), str(err)

    def _error(self, arguments: Sequence[str], status: int, said: str) -> GitError:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        reason = lines[0].removeprefix("fatal: ").removeprefix("error: ") if lines else f"ended with status {status}"
        hint = None
        if "dubious ownership" in said:
            hint = f"git config --global --add safe.directory {self.folder}"
        elif ".lock" in said and "File exists" in said:
            hint = "another git command is running, or one was killed: see whether it ends, then run this again"
        return GitError(f"git {arguments[0]}: {reason}", status=status, subject=str(self.folder), hint=hint)


def _import_git() -> Any:
    """GitPython; importing it costs a tenth of a second and runs git once, hence not before it is needed."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    try:
        import git
    except ImportError as error:
        raise _missing_git() from error
    return git


def _missing_git() -> RepositoryStateError:
    return RepositoryStateError("git is not installed, or not on the PATH", hint="install git 2.30 or later")


@contextmanager
def _own_environment() -> Iterator[None]:
    """GitPython passes this process's variables on and can add some, but take none away: so they step aside."""
    with _environment_lock:
        foreign = {name: os.environ.pop(name) for name in _FOREIGN if name in os.environ}
        try:
            yield
        finally:
            os.environ.update(foreign)


@contextmanager
def _as_file(content: bytes) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file

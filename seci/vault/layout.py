"""A new vault: ten namespaces with a README each, the settings file, and git.

What is there already is never overwritten: a vault may be made in a folder that somebody uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seci.core.note import Namespace
from seci.core.ports import Transaction
from seci.errors import VaultError
from seci.vault.files import ARCHIVE, SETTINGS, digest_of, read_bytes
from seci.vault.git import Git

DRIVER = "seci-note"  # the merge driver's name in .gitattributes
PURPOSES: Mapping[Namespace, tuple[str, str]] = {
    Namespace.BRAIN: ("Brain", "Who you are: standing preferences, principles and habits that hold in every project."),
    Namespace.PATTERNS: ("Patterns", "Practice that can be used again: when this happens, do that."),
    Namespace.SOLUTIONS: ("Solutions", "Problems with their cause and what fixed them."),
    Namespace.RESEARCH: ("Research", "Findings, comparisons and measurements, with where they come from."),
    Namespace.CONTENT: ("Content", "Drafts and published texts."),
    Namespace.VOICE: ("Voice", "Tone and style: how you write, and words to avoid."),
    Namespace.CLIENTS: ("Clients", "People and organisations: who they are and what they asked for."),
    Namespace.PROJECTS: ("Projects", "Where each project stands: state, decisions, and what happened in its sessions."),
    Namespace.DOCS: ("Docs", "How a system works."),
    Namespace.QUICK_REFERENCE: ("Quick reference", "Commands, values and endpoints to look up."),
}
_SETTINGS_TEXT = """\
# Marks this folder as a vault of seci. Settings that travel with it go here, for example:
#
# [sessions]
# track = false    # keep the archive of sessions out of git
"""
_IGNORE = ("# Derived or local to one machine", "/.seci/")
# A rule of the repository around the vault (`docs/`, `*.md`) must not hide notes.
_REINCLUDE = ("# What the repository around ignores still counts here", "!*/", "!*.md")
_ATTRIBUTES = (
    "# The same line ends on every machine; notes and sessions merge by meaning, see `seci sync`",
    *(f"/{folder}/**/*.md text eol=lf merge={DRIVER}" for folder in (*sorted(Namespace), ARCHIVE)),
    f"/{SETTINGS} text eol=lf",
)


@dataclass(frozen=True, slots=True)
class Created:
    """A vault, the top folder of the git repository that holds it, and whether it is new."""

    path: Path
    repository: Path
    new: bool


def create_vault(root: Path, transaction: Transaction, *, own_repository: bool = False) -> Created:
    """Makes `root` a vault, or finds that it is one already. `transaction` must be one on `root`.

    It uses the repository that `root` lies in, unless that ignores `root` or `own_repository` is set. Raises
    VaultError when a folder cannot be made, RepositoryStateError when git is in the middle of something.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VaultError(f"cannot be made: {error.strerror or error}", subject=str(root)) from error
    new = not (root / SETTINGS).exists()
    repository = prepare_repository(root, own=own_repository)
    if new:
        changes = plan_layout(root)
        before = {path: _digest(root, path) for path in changes}
        transaction.write(changes, "Begin a vault\n\nSeci-Verb: init\n", before)
    return Created(root, repository, new)


def prepare_repository(root: Path, *, own: bool = False) -> Path:
    """The top of the repository that holds the vault; a new one where there is none to use."""
    git = Git(root)
    top = git.ask("rev-parse", "--show-toplevel")
    if top is not None and Path(top) != root.resolve():
        ignored = git.call("check-ignore", "-q", ".", environ={"GIT_LITERAL_PATHSPECS": "0"})[0] == 0
        own = own or ignored
        if not own:
            return Path(top)
    elif top is not None:
        return Path(top)
    branch = () if git.ask("config", "init.defaultBranch") else ("--initial-branch=main",)
    git.run("init", "--quiet", *branch)
    return root.resolve()


def plan_layout(root: Path) -> dict[str, str | None]:
    """The files that make a folder a vault, where they are missing or lack a line: path to text."""
    inside = Git(root).ask("rev-parse", "--show-prefix")
    wanted: dict[str, str | None] = {}
    for namespace, (title, purpose) in PURPOSES.items():
        path = f"{namespace.value}/README.md"
        if read_bytes(root, path) is None:
            wanted[path] = f"# {title}\n\n{purpose}\n"
    if read_bytes(root, SETTINGS) is None:
        wanted[SETTINGS] = _SETTINGS_TEXT
    lines = {".gitignore": (*(_REINCLUDE if inside else ()), *_IGNORE), ".gitattributes": _ATTRIBUTES}
    for path, needed in lines.items():
        text = (read_bytes(root, path) or b"").decode("utf-8", "replace")
        missing = [line for line in needed if line not in text.splitlines()]
        if any(not line.startswith("#") for line in missing):
            separator = "" if not text or text.endswith("\n") else "\n"
            wanted[path] = text + separator + "".join(f"{line}\n" for line in missing)
    return wanted


def _digest(root: Path, path: str) -> str | None:
    content = read_bytes(root, path)
    return None if content is None else digest_of(content)

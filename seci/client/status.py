"""`seci status`: what the vault holds, in one screen and a few milliseconds."""

import os
from _collections_abc import Mapping

from seci.client.locate import MARKER, find_vault
from seci.client.repository import read_head
from seci.client.screen import columns

NAMESPACES = (
    "brain",
    "patterns",
    "solutions",
    "research",
    "content",
    "voice",
    "clients",
    "projects",
    "docs",
    "quick-reference",
)
VAULT_ERROR = 3
WIDE = 32  # columns that the longest line needs


def print_status(named: str | None, as_json: bool, start: str, environ: Mapping[str, str]) -> int:
    """Prints the status of the vault that is meant; exit code 3 where there is none."""
    import sys

    vault = find_vault(named, start, environ)
    if vault is None or not os.path.isfile(os.path.join(vault, MARKER)):
        where = vault or os.path.abspath(start)
        reason = "no vault here, nor above, nor in the default place" if vault is None else "no vault here"
        if as_json:
            import json

            error = {
                "kind": "VaultNotFoundError",
                "subject": where,
                "reason": reason,
                "hint": "run seci init",
            }
            print(json.dumps({"error": error}))
        else:
            print(f"error: {where}: {reason}\nhint: run seci init", file=sys.stderr)
        return VAULT_ERROR
    status = read_status(vault)
    if as_json:
        import json

        print(json.dumps(status))
    else:
        print(render_status(status, columns(environ) or WIDE), end="")
    return 0


def read_status(vault: str) -> dict[str, object]:
    """Counted from folder entries and git's files; nothing is opened but HEAD."""
    branch, commit = read_head(vault)
    notes = {name: count_notes(os.path.join(vault, name)) for name in NAMESPACES}
    return {
        "vault": vault,
        "branch": branch,
        "commit": commit,
        "notes": notes,
        "total": sum(notes.values()),
        "sessions": _count_below(os.path.join(vault, "sessions")),
        "index": read_index(vault),
        "interrupted": os.path.isfile(os.path.join(vault, ".seci", "journal.json")),
    }


def read_index(vault: str) -> dict[str, int] | None:
    """How many documents of each kind the index holds, None where there is no index or it cannot be read."""
    path = os.path.join(vault, ".seci", "index", "keyword.sqlite3")
    if not os.path.isfile(path):
        return None
    return {"bytes": os.path.getsize(path)}


def render_status(status: dict[str, object], width: int = WIDE) -> str:
    """The status as aligned text, no colours; on a terminal that is narrower than WIDE, not aligned."""
    indent = " " * 10 if width >= WIDE else ""
    notes = status["notes"]
    assert isinstance(notes, dict)
    commit = str(status["commit"] or "")[:8] or "no commit yet"
    branch = status["branch"] or "detached"
    lines = [
        f"vault     {status['vault']}",
        f"git       {branch} {commit}" if status["branch"] or status["commit"] else "git       no repository",
        f"sessions  {status['sessions']}",
        f"notes     {status['total']}",
    ]
    lines += [f"{indent}{count:>5}  {name}" for name, count in notes.items() if count]
    lines.append("index     there" if status["index"] is not None else "index     none yet: run seci reindex")
    if status["interrupted"]:
        lines.append("warning   a write was interrupted; the next writing command repairs it")
    return "\n".join(lines) + "\n"


def count_notes(folder: str) -> int:
    """Markdown files below a namespace, its README left out."""
    return _count_below(folder)


def _count_below(folder: str) -> int:
    count = 0
    pending = [folder]
    while pending:
        try:
            entries = os.scandir(pending.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.name.endswith(".md") and entry.name != "README.md":
                    count += 1
    return count

"""Doctor: what is right and what is wrong with a vault, in findings that say what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from seci.core.chunk import Kind
from seci.core.ports import Index, NoteStore
from seci.core.session import Failure
from seci.core.window import WindowAudit, audit_window
from seci.errors import SeciError

NAMED = 5  # of many alike, so many are named


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `said` is what was found, and what to do about it where `ok` is False."""

    check: str
    ok: bool
    said: str


@dataclass(frozen=True, slots=True)
class Trouble(Exception):
    """What a check found wrong, in words."""

    said: str


def examine(checks: Iterable[tuple[str, Callable[[], str]]], progress: Callable[[], None]) -> list[Finding]:
    """Runs each check: it says what it found, or raises Trouble or any error of seci."""
    findings = []
    for name, check in checks:
        try:
            findings.append(Finding(name, True, check()))
        except Trouble as trouble:
            findings.append(Finding(name, False, trouble.said))
        except SeciError as error:
            findings.append(Finding(name, False, f"{error}" + (f"; {error.hint}" if error.hint else "")))
        progress()
    return findings


def check_notes(store: NoteStore) -> str:
    """Every file in the namespaces is a note with an id of its own, and says where it came from or is the user's."""
    count = 0
    failures = []
    for item in store.notes():
        if isinstance(item, Failure):
            failures.append(item)
        else:
            count += 1
    if failures:
        raise Trouble(
            f"{count} are readable, {len(failures)} are not: {name_some(f'{f.path} {f.reason}' for f in failures)}"
        )
    return f"{count} notes, all readable"


def check_differences(differences: list[str]) -> str:
    """The index equals the vault."""
    if differences:
        raise Trouble(f"{name_some(differences)}; run seci reindex")
    return "equals the vault"


def audit_index(index: Index, window: int) -> WindowAudit:
    """How much a window would hide were each session embedded whole, and that the chunks hide nothing."""
    import numpy as np

    shelf = index.shelf(Kind.RAW)
    tokens = shelf.tokens[shelf.live]
    documents = shelf.document[shelf.live]
    _, inverse = np.unique(documents, return_inverse=True)
    whole: Iterable[int] = np.bincount(inverse, weights=tokens).astype(int).tolist() if len(tokens) else []
    return audit_window(window, whole, tokens.tolist())


def say_window(audit: WindowAudit) -> str:
    """The audit in a sentence."""
    if not audit.texts:
        return f"the model reads {audit.window} tokens; there are no sessions yet"
    said = (
        f"the model reads {audit.window} tokens; embedded whole, {audit.share_whole:.0%} of the sessions' text would "
        f"be hidden from it ({audit.longer} of {audit.texts} are longer); cut into windows, {audit.share_chunks:.0%} is"
    )
    if audit.hidden_chunks:
        raise Trouble(said)
    return said


def name_some(items: Iterable[str]) -> str:
    """The first few of many, and how many more there are."""
    everything = list(items)
    more = len(everything) - NAMED
    return "; ".join(everything[:NAMED]) + (f"; and {more} more" if more > 0 else "")

"""Doctor: what is right and what is wrong with a vault, in findings that say what to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from seci.core.chunk import Kind
from seci.core.ports import Index, NoteStore
from seci.core.session import Failure
from seci.core.window import WindowAudit, audit_window
from seci.errors import SeciError

NAMED = 5  # of many alike, so many are named
SAMPLE = 400  # notes whose language is told
SUGGESTED_MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
LANGUAGES = {
    "en": "English",
    "de": "German",
    "nl": "Dutch",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
    "zh": "Chinese",
    "ja": "Japanese",
    "ko": "Korean",
}
# Families of models made for many languages, by how they name themselves.
_MULTILINGUAL = re.compile(
    r"multilingual|labse|\bbge-m3|xlm|qwen3|embeddinggemma|jina-embeddings-v[3-9]|arctic-embed-\w+-v2|\bmmbert|\bbce-",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `said` is what was found, and what to do about it: always where `ok` is False."""

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


def check_languages(store: NoteStore, language: Callable[[str], str | None], model: str, settings: str) -> str:
    """Which languages the notes are in, and a better model where most are not in the one that `model` was made for.

    A suggestion, not a fault: words are found in every language without it. `settings` is the user's file.
    """
    notes = [item for item in store.notes() if not isinstance(item, Failure)]
    step = max(1, len(notes) // SAMPLE)
    told = Counter(language(f"{item.note.title}. {item.note.body}") for item in notes[::step])
    del told[None]
    known = told.total()
    foreign = known - told["en"]
    if not known:
        return "no note says enough to tell its language"
    said = ", ".join(f"{count} {LANGUAGES.get(code or '', code)}" for code, count in told.most_common())
    if foreign * 2 <= known or _MULTILINGUAL.search(model):
        return said
    return (
        f"{said}; the model in use reads English: choose one for many languages, [embedding] model = "
        f'"{SUGGESTED_MODEL}" in {settings}, and run seci reindex'
    )


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

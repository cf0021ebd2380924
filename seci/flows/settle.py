"""A person's word on what a consolidation proposed or reported, remembered in the notes that it was about.

what was turned down, or who is right -> changed notes -> rendered over the files as they stand
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from seci.core.consolidation import Contradiction
from seci.core.links import link_successor
from seci.core.note import Note, short_id
from seci.core.ports import NoteStore, StoredNote, Transaction
from seci.core.session import Failure
from seci.errors import UserError
from seci.flows.rejection import plan_refusals, render_refusals


@dataclass(frozen=True, slots=True)
class Settled:
    """Pairs of which both may stand; pairs (the note that holds, the one that it took the place of); and the commit
    that says so, None where that was nothing new."""

    dismissed: tuple[tuple[str, str], ...] = ()
    upheld: tuple[tuple[str, str], ...] = ()
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is to be written: path to text, and path to the digest that stands."""

    texts: dict[str, str | None]
    digests: dict[str, str | None]


def find_contradictions(ids: Sequence[str], found: Sequence[Contradiction]) -> list[Contradiction]:
    """Those that ids (or their ends) are in; `all` names every one. Raises UserError for an id that is in none."""
    chosen: dict[tuple[str, str], Contradiction] = {}
    for wanted in ids:
        named = [item for item in found if wanted == "all" or _named(item, wanted)]
        if not named and wanted != "all":
            raise UserError("is in no contradiction", subject=wanted, hint="seci consolidate lists them")
        chosen |= {item.ids: item for item in named}
    return list(chosen.values())


def find_upheld(ids: Sequence[str], found: Sequence[Contradiction]) -> list[tuple[Contradiction, str]]:
    """Every contradiction that one of the ids is in, and whose side it takes. Raises UserError for an id that is in
    none, and where it leaves open which of the two is meant."""
    chosen = []
    for wanted in ids:
        for item in find_contradictions([wanted], found):
            named = _named(item, wanted)
            if len(named) != 1:
                raise UserError("names both notes of a contradiction", subject=wanted, hint="give the whole id")
            chosen.append((item, named[0]))
    return chosen


def _named(item: Contradiction, wanted: str) -> list[str]:
    return [ident for ident in item.ids if ident.lower().endswith(wanted.lower())]


def settle(
    dismissed: Sequence[Contradiction],
    upheld: Sequence[tuple[Contradiction, str]],
    store: NoteStore,
    transaction: Transaction,
) -> Settled:
    """Lets both notes of some contradictions stand; of others the one that is named, which supersedes the other. One
    commit. Raises VaultError when the vault cannot be written."""
    with transaction.hold():
        stored = _read(store)
        notes = {ident: item.note for ident, item in stored.items()}
        changed = plan_refusals(render_refusals(dismissed), notes)
        won = []
        for item, holds in upheld:
            if not notes.keys() >= set(item.ids):
                continue  # gone since the report
            (other,) = (ident for ident in item.ids if ident != holds)
            older, newer = ({**notes, **changed}[ident] for ident in (other, holds))
            changed[other], changed[holds] = link_successor(older, newer)
            won.append((holds, other))
        writing = _render(changed, stored, store)
        lost = tuple(item.ids for item in dismissed)
        commit = transaction.write(writing.texts, _message(lost, won), writing.digests) if writing.texts else None
    return Settled(lost, tuple(won), commit)


def plan_refused(lines: Iterable[str], store: NoteStore, taken: Collection[str] = ()) -> Rewriting:
    """What lets the notes remember that a proposal was turned down, by the lines of its message. Files in `taken` are
    written anyway and left alone."""
    stored = _read(store)
    refused = plan_refusals(lines, {ident: item.note for ident, item in stored.items()})
    return _render({ident: note for ident, note in refused.items() if stored[ident].path not in taken}, stored, store)


def _read(store: NoteStore) -> dict[str, StoredNote]:
    return {item.note.id: item for item in store.notes() if not isinstance(item, Failure)}


def _render(changed: Mapping[str, Note], stored: Mapping[str, StoredNote], store: NoteStore) -> Rewriting:
    """The files of changed notes, by id, as they are to be."""
    writing = Rewriting({}, {})
    for ident, note in changed.items():
        item = stored[ident]
        writing.texts[item.path] = store.render(note, item.path)[1]
        writing.digests[item.path] = item.digest
    return writing


def _message(dismissed: Sequence[tuple[str, str]], upheld: Sequence[tuple[str, str]]) -> str:
    counts = [f"{len(pairs)} {name}" for pairs, name in ((dismissed, "dismissed"), (upheld, "settled")) if pairs]
    lines = [f"- both stand: {short_id(a)} and {short_id(b)}" for a, b in dismissed]
    lines += [f"- {short_id(holds)} holds, and supersedes {short_id(other)}" for holds, other in upheld]
    total = len(dismissed) + len(upheld)
    subject = f"Review: of {total} contradiction{'' if total == 1 else 's'} {', '.join(counts)}"
    return "\n".join([subject, "", *lines, "", "Seci-Verb: consolidate", ""])

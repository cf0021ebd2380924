"""The turns behind a note: `session#1,2`, as contexts and search results name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from seci.core.session import Session, Turn
from seci.errors import VaultError

SHORTEST = 4


class Archive(Protocol):
    """The archived sessions by key."""

    def sessions(self) -> Iterable[str]:
        """The keys of all archived sessions."""

    def read(self, session: str) -> Session | None: ...


def find_turns(reference: str, archive: Archive) -> tuple[Session, tuple[Turn, ...]]:
    """The session and its turns. The session is named by its key, its id, or the beginning of its id.

    Raises VaultError when the reference names no session, more than one, or a turn that the session lacks.
    """
    name, _, numbers = reference.rpartition("#")
    try:
        wanted = [int(number) for number in numbers.split(",")]
    except ValueError as error:
        raise VaultError("is not session#turn", subject=reference) from error
    keys = [key for key in archive.sessions() if _names(name, key)]
    exact = [key for key in keys if name in (key, key.partition(":")[2])]
    if len(exact or keys) != 1:
        reason = f"names {len(keys)} sessions" if keys else "there is no such session in the archive"
        raise VaultError(reason, subject=name, hint="use more of the id" if keys else None)
    session = archive.read((exact or keys)[0])
    if session is None:
        raise VaultError("there is no such session in the archive", subject=name)
    turns = {turn.index: turn for turn in session.turns}
    if missing := [number for number in wanted if number not in turns]:
        raise VaultError(f"has no turn {missing[0]}", subject=session.key)
    return session, tuple(turns[number] for number in wanted)


def _names(name: str, key: str) -> bool:
    own = key.partition(":")[2]
    return name in (key, own) or (len(name) >= SHORTEST and own.startswith(name))

"""Chunks: the pieces of text that are embedded and searched, none longer than the model's window.

Notes are cut with their title in front of every piece, sessions turn by turn. Both are pure functions of the content
and of a token counter, so that a rebuild cuts exactly as the first run did; whoever changes what is cut raises
`CHUNKING`, and every index is rebuilt.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from seci.core.note import Note, NoteType
from seci.core.session import Role, Session
from seci.core.standing import states_standing

if TYPE_CHECKING:
    from seci.core.ports import TokenCounter

CHUNKING = 3
HEADING_SHARE = 4  # a heading may take a quarter of the window
LONGEST_NAME = 100  # characters of a speaker's name


class Kind(StrEnum):
    """Which of the two collections a chunk lives in."""

    RAW = "raw"
    DISTILLED = "distilled"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One embedded piece. `parent` is a session's key (raw) or a note's id (distilled); `id` is unique per index.

    `digest` is the hash of what was embedded: equal digests need no second embedding.
    """

    id: str
    kind: Kind
    parent: str
    path: str  # vault-relative file that the text stands in
    text: str
    tokens: int
    digest: str
    turns: tuple[int, ...] = ()
    heading: str = ""  # a note's title (embedded and searched with the text) or a speaker's name (searched)
    role: Role | None = None
    at: datetime | None = None
    standing: bool = False  # part of a turn or note that states an instruction or preference which holds on

    @property
    def passage(self) -> str:
        """What is embedded."""
        return join_heading(self.heading, self.text, self.kind)

    @property
    def searched(self) -> str:
        """What is found by keyword."""
        return f"{self.heading}\n{self.text}"


def join_heading(heading: str, text: str, kind: Kind) -> str:
    """Title and body on lines of their own for a note; a turn without its speaker's name, which would make all turns of
    a speaker alike (on LoCoMo, recall at 10 falls by half a point with it)."""
    if kind is Kind.RAW or not heading:
        return text
    return f"{heading}\n{text}".rstrip("\n")


def digest_passage(passage: str) -> str:
    """What `Chunk.digest` holds of a passage."""
    return hashlib.sha256(passage.encode("utf-8", "replace")).hexdigest()


def chunk_note(note: Note, path: str, counter: TokenCounter, window: int) -> list[Chunk]:
    """Title and body in pieces of at most `window` tokens, the title (cut to a quarter of it) before each.

    The frontmatter is not part of it. A note without a body is one chunk of its title.
    """
    heading, left = fit_heading(note.title, counter, window)
    pieces = counter.windows(note.body.strip(), left) or [""]
    return [
        _chunk(
            f"{path}#{number}",
            Kind.DISTILLED,
            note.id,
            path,
            piece,
            heading,
            counter,
            standing=note.type is NoteType.PREFERENCE,
        )
        for number, piece in enumerate(pieces)
        if piece.strip() or heading
    ]


def chunk_session(session: Session, path: str, counter: TokenCounter, window: int) -> list[Chunk]:
    """Each turn by itself, in pieces of at most `window` tokens; the speaker's name is their heading."""
    chunks = []
    for turn in session.turns:
        heading = " ".join((turn.speaker or "").split())[:LONGEST_NAME]
        standing = turn.role is not Role.ASSISTANT and states_standing(turn.text)
        for number, piece in enumerate(counter.windows(turn.text.strip(), window)):
            chunks.append(
                _chunk(
                    f"{path}#{turn.index}.{number}",
                    Kind.RAW,
                    session.key,
                    path,
                    piece,
                    heading,
                    counter,
                    turns=(turn.index,),
                    role=turn.role,
                    at=turn.at,
                    standing=standing,
                )
            )
    return chunks


def fit_heading(heading: str, counter: TokenCounter, window: int) -> tuple[str, int]:
    """(heading cut to its share of the window, tokens left for text). One token is kept for what joins the two."""
    if not heading.strip():
        return "", window
    share = max(1, window // HEADING_SHARE)
    cut = (counter.windows(" ".join(heading.split()), share) or [""])[0].strip()
    return cut, window - counter.count(cut) - 1


def _chunk(
    id: str,
    kind: Kind,
    parent: str,
    path: str,
    piece: str,
    heading: str,
    counter: TokenCounter,
    *,
    turns: tuple[int, ...] = (),
    role: Role | None = None,
    at: datetime | None = None,
    standing: bool = False,
) -> Chunk:
    text = piece.strip()
    passage = join_heading(heading, text, kind)
    return Chunk(
        id=id,
        kind=kind,
        parent=parent,
        path=path,
        text=text,
        tokens=counter.count(passage),
        digest=digest_passage(passage),
        turns=turns,
        heading=heading,
        role=role,
        at=at,
        standing=standing,
    )

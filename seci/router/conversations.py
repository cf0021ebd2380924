"""The conversations that were written for this router, with their labels: `data/conversations/*.txt`.

== name · language
U +decision we take the second one          a user's turn that is ADD, and its content type
A*3 - Let me look at the tests.             an assistant's turn that is NOOP, followed by three tool calls
@Mara +event I moved to Ghent.              a person in a chat without an assistant
  a second line of the same turn            (two blanks)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from seci.core.note import NoteType
from seci.core.session import Role, Session, Turn
from seci.router.labels import SessionLabels

SOURCE = "written"
_TITLE = re.compile(r"== (\S+) · (\w+)")
_LINE = re.compile(r"(U|A|@\w+)(?:\*(\d+))? (-|\+\w+) (.*)")
_ROLES = {"U": Role.USER, "A": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session, its labels and its language (ISO 639-1)."""

    session: Session
    labels: SessionLabels
    language: str


@cache
def written_conversations() -> tuple[Conversation, ...]:
    """All that come with the package, in file order."""
    folder = resources.files("seci.router").joinpath("data/conversations")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return tuple(item for file in files for item in parse_conversations(file.read_text(encoding="utf-8"), file.name))


def parse_conversations(text: str, name: str = "conversations") -> Iterator[Conversation]:
    """Raises ValueError that names the line which is neither a title nor a turn."""
    title: re.Match[str] | None = None
    turns: list[Turn] = []
    add: dict[int, NoteType] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if opening := _TITLE.fullmatch(line):
            if title:
                yield _conversation(title, turns, add)
            title, turns, add = opening, [], {}
        elif turns and line.startswith("  "):
            turns[-1] = replace(turns[-1], text=f"{turns[-1].text}\n{line[2:]}")
        elif title and (match := _LINE.fullmatch(line)):
            who, tools, mark, words = match.groups()
            if mark != "-":
                add[len(turns)] = NoteType(mark[1:])
            role = _ROLES.get(who, Role.PARTICIPANT)
            speaker = who[1:] if role is Role.PARTICIPANT else None
            turns.append(Turn(len(turns), role, words, speaker=speaker, tools=("",) * int(tools or 0)))
        elif line.strip():
            raise ValueError(f"{name}:{number}: neither a title nor a turn: {line[:60]!r}")
    if title:
        yield _conversation(title, turns, add)


def _conversation(title: re.Match[str], turns: list[Turn], add: dict[int, NoteType]) -> Conversation:
    session = Session(SOURCE, title[1], tuple(turns))
    return Conversation(session, SessionLabels(session.key, len(turns), add), title[2])

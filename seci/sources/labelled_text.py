"""Text and markdown that say who speaks: `User:` lines, `## Human` headings, or questions as quotations.

Without any of these a text that the user named is one document, and its whole text one turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.lines import read_head
from seci.sources.roles import ASSISTANT_WORDS, USER_WORDS, parse_role
from seci.sources.text import text_lines
from seci.sources.turns import TurnList, opening_id, parse_time

Said = tuple[Role, datetime | None, str]  # who, when, what
Parser = Callable[[list[str]], Iterator[Said]]

_SUFFIXES = {".md", ".markdown", ".txt", ".text"}
_WORDS = "|".join(sorted((re.escape(word) for word in USER_WORDS | ASSISTANT_WORDS), key=len, reverse=True))
_TIME = r"(?:[\[(]?\s*(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\])]*?)\s*[\])]?)?"
_HEADING = re.compile(rf"#{{1,6}}\s+[*_]*(?P<who>{_WORDS})[*_]*\s*:?[*_]*\s*{_TIME}\s*", re.IGNORECASE)
_PREFIX = re.compile(
    rf"{_TIME.replace('time', 'before')}\s*[*_]*(?P<who>{_WORDS})(?: said)?[*_]*\s*{_TIME}"
    r"\s*[:：][*_]*(?:\s+|$)(?P<rest>.*)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")


class LabelledTextSource(BaseSource):
    name = "text"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or bundle.suffix.casefold() not in _SUFFIXES:
            return Claim.NONE
        head = read_head(bundle)
        if not head.strip() or b"\0" in head:
            return Claim.NONE
        lines = head.decode("utf-8", "replace").splitlines()
        return Claim.LABELLED if select_parser(lines) else Claim.GENERIC

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        lines: list[str] = []
        for line in text_lines(bundle):
            if isinstance(line, Failure):
                yield line
            else:
                lines.append(line)
        parse = select_parser(lines)
        turns = TurnList()
        if parse is None:
            turns.say(Role.USER, "\n".join(lines))
        for role, at, text in parse(lines) if parse else ():
            turns.say(role, text, at=at)
        said = turns.freeze()
        if said:
            yield Session(self.name, opening_id(said), said, path=str(bundle))


def select_parser(lines: list[str]) -> Parser | None:
    """How a text says who speaks: the first way in which a user speaks and is answered, None when there is
    none."""
    for parse in (parse_headings, parse_prefixes):
        roles = [role for role, _, text in parse(lines)]
        if Role.USER in roles and Role.ASSISTANT in roles:
            return parse
    answered = [role for role, _, _ in parse_quotations(lines)].count(Role.ASSISTANT)
    first = next((line for line in lines if line.strip()), "")
    return parse_quotations if first.startswith(">") and answered >= 2 else None


def parse_headings(lines: list[str]) -> Iterator[Said]:
    """`## User`, `# **Assistant** (2026-01-21 14:36)`."""
    return _labelled(lines, _HEADING)


def parse_prefixes(lines: list[str]) -> Iterator[Said]:
    """`User: text`, `**Assistant:** text`, `[2026-01-21 14:36] User: text`, `You said:`."""
    return _labelled(lines, _PREFIX)


def parse_quotations(lines: list[str]) -> Iterator[Said]:
    """Quoted lines are the user's, what stands between quotations is the answer."""
    role, said = Role.USER, list[str]()
    for line in lines:
        quoted = line.startswith(">")
        now = Role.USER if quoted else Role.ASSISTANT if line.strip() else role
        if now is not role:
            yield role, None, "\n".join(said)
            role, said = now, []
        said.append(line.removeprefix(">").strip() if quoted else line)
    yield role, None, "\n".join(said)


def _labelled(lines: list[str], label: re.Pattern[str]) -> Iterator[Said]:
    """A turn from each label to the next; what stands before the first, and a label in fenced code, is no
    turn."""
    fence = ""
    speaking: tuple[Role, datetime | None] | None = None
    said: list[str] = []
    for line in lines:
        mark = _FENCE.match(line)
        match = None if fence or mark else label.fullmatch(line.rstrip())
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        if match:
            if speaking:
                yield *speaking, "\n".join(said)
            found = match.groupdict()
            role = parse_role(found["who"]) or Role.USER
            speaking = (role, parse_time(found.get("time") or found.get("before")))
            said = [found.get("rest") or ""]
        else:
            said.append(line)
    if speaking:
        yield *speaking, "\n".join(said)

"""aider: `.aider.chat.history.md`, one markdown file for each repository, appended to by every chat.

The user's lines begin with `#### `, the tool's with `> `, and aider ends both with two spaces; that tells
them from headings and quotations in the assistant's own text, as long as no editor has stripped them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.lines import read_head
from seci.sources.text import text_lines
from seci.sources.turns import TurnList, parse_time, tool_line

_STARTED = "# aider chat started at "
_PROMPT, _NOTICE = "#### ", "> "
_MARKED = re.compile(rb"^#### .*  \r?$", re.MULTILINE)
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_ASKING = re.compile(r"/(?:ask|code|architect|chat-mode \w+)\s+(?=\S)")
_COMMAND = re.compile(r"/[a-z][a-z-]*(?:\s|$)")
_CHATTER = ("Tokens:", "Aider v", "Main model:", "Weak model:", "Git repo:", "Repo-map:", "aider ")


class AiderSource(BaseSource):
    """A chat history; each chat in it is a session. aider records no time but the chat's start."""

    name = "aider"

    def claim(self, bundle: Path) -> Claim:
        if not bundle.is_file() or bundle.suffix not in (".md", ".markdown", ".txt"):
            return Claim.NONE
        head = read_head(bundle).lstrip()
        return Claim.SPECIFIC if head.startswith(_STARTED.encode()) else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        repository = bundle.resolve().parent
        cwd = str(repository) if (repository / ".git").exists() else None
        chat: _Chat | None = None
        marked = bool(_MARKED.search(read_head(bundle)))
        for line in text_lines(bundle):
            if isinstance(line, Failure):
                yield line
            elif line.startswith(_STARTED):
                if chat and (session := chat.session(bundle, cwd)):
                    yield session
                chat = _Chat(line.removeprefix(_STARTED).strip(), marked)
            elif chat:
                chat.line(line)
        if chat and (session := chat.session(bundle, cwd)):
            yield session

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("AIDER_CHAT_HISTORY_FILE") or home / ".aider.chat.history.md"),)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        yield from (history for history in self.places(home, environ) if history.is_file())


class _Chat:
    def __init__(self, started: str, marked: bool) -> None:
        self._started = started
        self._at = parse_time(started)
        self._end = "  " if marked else ""
        self._turns = TurnList()
        self._prompt: list[str] = []
        self._answer: list[str] = []
        self._fenced = False  # inside a code block of the answer

    def line(self, line: str) -> None:
        if _FENCE.match(line):
            self._fenced = not self._fenced
        if self._fenced and not (self._end and line.endswith(self._end)):
            self._finish_prompt()
            self._answer.append(line.rstrip())
        elif line.startswith(_PROMPT) and line.endswith(self._end):
            self._finish_answer()
            self._prompt.append(line.removeprefix(_PROMPT).rstrip())
        elif line.startswith(_NOTICE) and line.endswith(self._end):
            self._finish_prompt()
            self._finish_answer()
            notice = line.removeprefix(_NOTICE).strip()
            if not notice.startswith(_CHATTER):
                self._turns.tool(tool_line(notice))
        else:
            self._finish_prompt()  # the lines of one prompt follow each other without a blank line
            self._answer.append(line.rstrip())

    def session(self, path: Path, cwd: str | None) -> Session | None:
        self._finish_prompt()
        self._finish_answer()
        turns = self._turns.freeze()
        if not turns:
            return None
        digest = sha256(f"{self._started}\0{turns[0].text}".encode()).hexdigest()[:12]
        stamp = self._at.strftime("%Y%m%dT%H%M%S-") if self._at else ""
        return Session(AiderSource.name, f"{stamp}{digest}", turns, cwd=cwd, path=str(path))

    def _finish_prompt(self) -> None:
        text = _ASKING.sub("", "\n".join(self._prompt), count=1)
        self._prompt = []
        if text.strip() == "<blank>" or _COMMAND.match(text):
            return
        self._turns.say(Role.USER, text, at=self._at)

    def _finish_answer(self) -> None:
        self._turns.say(Role.ASSISTANT, "\n".join(self._answer), at=self._at)
        self._answer = []

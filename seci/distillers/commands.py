"""Commands that a turn explains: lines of a code block with what each of them does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seci.distillers.markdown import Block
from seci.distillers.sentences import Casing, count_words

MOST = 5  # commands in one sentence
# A program name, a space and arguments; not an assignment, a call or a sentence.
_COMMAND = re.compile(
    r"^(?:\$ |% |> )?(?P<line>(?:[A-Z][A-Z0-9_]*=\S+ )*(?:\./)?[a-z][\w./-]*(?: [^#\n]*?)?)"
    r"(?:\s{1,}#\s*(?P<note>\S.*))?$"
)
_COMMENT = re.compile(r"^\s*#\s+(?P<note>\S.*)$")
_PROSE_OR_CODE = re.compile(
    r"[{};]|\w\(|\)$| = |:=|=>|^\w+:|\\$|^(?:local|export|echo|cd|ls|cat|if|for|func|return|import|from|"
    r"let|const|var|def|class|else|the|a)\b|\.\.\.$"
)


def tell_commands(blocks: Sequence[Block], casing: Casing) -> Iterator[tuple[str, str]]:
    """(title, sentence) for each code block whose commands carry explanations."""
    for block in blocks:
        if block.kind != "code":
            continue
        told = list(_explained(block.text))
        if not 2 <= len(told) <= MOST:
            continue
        parts = [f"`{line}` ({casing.lower_first(note.rstrip('. '))})" for line, note in told]
        sentence = f"Commands: {'; '.join(parts[:-1])}; and {parts[-1]}."
        stem = _shared([line.split() for line, _ in told])
        if count_words(sentence) <= 70 and stem and len(" ".join(stem)) <= 50:
            yield f"Commands of `{' '.join(stem)}`", sentence


def _shared(lines: Sequence[Sequence[str]]) -> list[str]:
    """The words that all lines begin with."""
    stem: list[str] = []
    for words in zip(*lines, strict=False):
        if len(set(words)) > 1:
            break
        stem.append(words[0])
    return stem


def _explained(code: str) -> Iterator[tuple[str, str]]:
    note = ""
    for raw in code.splitlines():
        line = raw.strip()
        if comment := _COMMENT.match(line):
            note = comment["note"]
            continue
        match = _COMMAND.match(line)
        if match and not _PROSE_OR_CODE.search(match["line"]) and len(match["line"]) <= 90:
            said = match["note"] or note
            if said and "`" not in match["line"] and not re.search(r"[{}<>|]", said):
                yield match["line"].strip(), said
        note = ""

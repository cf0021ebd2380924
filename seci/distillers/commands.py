"""Commands that a turn explains: lines of a code block with what each of them does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seci.distillers.language import Cues
from seci.distillers.markdown import Block
from seci.distillers.sentences import Casing, count_words, enumerate_parts, split_sentences

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
        told = list({line: (line, note) for line, note in _explained(block.text)}.values())
        if not 2 <= len(told) <= MOST:
            continue
        parts = [f"`{line}` ({casing.lower_first(note.rstrip('. '))})" for line, note in told]
        sentence = f"Commands: {enumerate_parts(parts)}."
        stem = _shared([line.split() for line, _ in told])
        if count_words(sentence) <= 70 and stem and len(" ".join(stem)) <= 50:
            yield f"Commands of `{' '.join(stem)}`", sentence


def is_command(span: str) -> bool:
    """Whether a code span reads as a command with arguments."""
    match = _COMMAND.match(span)
    return bool(match and " " in span and len(span) <= 120 and not _PROSE_OR_CODE.search(match["line"]))


def name_task(question: str, cues: Cues) -> str:
    """What a question for a command wants to do ("How do I run X again?" gives "run X"); empty for other questions."""
    for sentence in reversed(split_sentences(question)[-3:]):
        match = cues.user["how_to"].search(sentence)
        task = _IT.sub("", match["do"]) if match else ""
        if match and not re.search(r"\b(?:it|this|that|these|those|them)\b", task, re.IGNORECASE):
            return task.strip(" ?.!")
    return ""


_IT = re.compile(r" (?:it|this|that|them)(?= (?:for|on|in|to|with|from|against|locally)\b)", re.IGNORECASE)
_OWN = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)


def tell_task(task: str, sentence: str) -> str:
    """The first sentence of an answer told with its task ("Use `x`." as "To run it, use `x`.")."""
    first = sentence[:1].lower() + sentence[1:]
    if re.match(r"(?:use|run|call|type|execute|try|do|start|set|add|pass)\b", first):
        return f"To {_OWN.sub('the', task)}, {first}"
    return sentence


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

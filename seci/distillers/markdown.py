"""Markdown of a chat turn as blocks of plain text: what is prose, what is scaffolding, what was only pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "para", "item", "row", "code", "quote"]


@dataclass(frozen=True, slots=True)
class Block:
    """One block. `text` has no block markers left, inline code keeps its backticks. `level` is the heading's
    level (bold lines count as level 7) or the item's indent in columns. `cells` is set for table rows; `label` is
    what stood in bold (or as a path in code) before a colon or dash at the start of a paragraph or item."""

    kind: Kind
    text: str
    level: int = 0
    ordered: bool = False
    cells: tuple[str, ...] = field(default=())
    label: str = ""


_FENCE = re.compile(r"^\s{0,6}(`{3,}|~{3,})\s*([\w+-]*)")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.+?)\s*#*$")
_BOLD_LINE = re.compile(
    r"^\s{0,3}(?:\d+[.)]\s+)?(\*\*|__)(?!\s)((?:`[^`\n]{1,60}`|[^*_`]){2,90}?)\1\s*[:：]?\s*(?:[-–—]\s*([^:]{0,90})|\([^()]{0,80}\)\s*:?)?$"
)
_PICTURE_ITEM = re.compile(
    r"^(\s*)(?:[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff]|[\U0001f000-\U0001faff])\ufe0f?\s+(\S.*)$"
)
_ITEM = re.compile(r"^(\s*)(?:[-*+•◦▪–]|(\d{1,3})[.)])\s+(.*)$")
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+")
_RULE = re.compile(r"^\s*([-*_=])(?:\s*\1){2,}\s*$")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*$")
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u23e9-\u23fa\u2705\u274c]")
_ARROWS = re.compile(r"\s*(?:→|⇒|➜|➔|⟶)\s*(?=\S)")
_LABEL = re.compile(
    r"^(?:(?:\*\*|__)(?P<bold>[^*\n]{1,90}?)(?:\*\*|__)(?P<tail>\s*\([^()\n]{1,80}\))?\s*(?:[:：]|[-–—]|(?=to\b)|→|$)"
    r"|(?:\*\*|__)(?P<inner>[^*\n]{1,90}?)[:：]\s*(?:\*\*|__)"
    r"|(?P<path>`[^`\n]{1,90}`)(?:\s*\([^()\n]{1,60}\))?\s*(?:[:：]|[-–—](?=\s)))\s*"
)
_LABELLED_LINE = re.compile(r"^(?:\*\*|__)[^*\n]{1,60}(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*(?:[:：]|[-–—]\s))")
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\((?:[^()\n]|\([^()\n]{0,100}\)){0,400}\)")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|~~)(?=\S)([^\n]{1,400}?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]{1,200}?)(?<=[^\s*_])\1(?![\w*])")
_TAG = re.compile(r"</?[a-z][\w-]{0,30}(?:\s[^<>\n]{0,200})?/?>")
_CODE = re.compile(r"(`+)([^`\n]{1,300}?)\1")
_LINE_NUMBERS = re.compile(
    r"(?<=[)`])(?::\d+(?:[-–]\d+)?(?:,\s?\d+(?:[-–]\d+)?)*)(?=[`\s,.;:)\]]|$)"
    r"|\s*\((?:at |around )?lines? ~?\d+(?:\s?[-–]\s?\d+)?(?:(?:, ?| and )\d+(?:\s?[-–]\s?\d+)?)*\)"
    r"|\s+lines? ~?\d+\s?[-–]\s?\d+"
    r"|\s+(?:at|on|around|after|in) lines? ~?\d+(?:\s?[-–]\s?\d+)?(?:(?:,| and)\s?\d+(?:[-–]\d+)?)*"
)
# A line number after a file name; hosts have ports there.
_FILE_LINE = re.compile(
    r"(\.(?!(?:com|org|net|io|dev|local|internal|lan|cloud|app|de|eu|uk)\b)[A-Za-z]{1,5}):\d+(?:[-–]\d+)?(?:,\s?\d+(?:[-–]\d+)?)*\b"
)
_TERMINAL = re.compile(r"^\s*(?:[⎿│┃╭╰├└❯●✻⏺$]|>>>|\+\+\+|@@|diff --git|-{3,} )")


def parse_blocks(text: str) -> list[Block]:
    """The blocks of a turn in order. Never fails: what is not markdown comes out as paragraphs."""
    return list(_merge(_lines(text.expandtabs(4))))


def clean_inline(text: str) -> str:
    """Prose without emphasis, links, pictures, tags and line numbers; inline code stays in single backticks."""
    parts: list[str] = []
    last = 0
    for match in _CODE.finditer(text):
        parts.append(_clean_prose(text[last : match.start()]))
        code = _FILE_LINE.sub(r"\1", match[2]).strip()
        parts.append(f"`{code}`" if code else "")
        last = match.end()
    parts.append(_clean_prose(text[last:]))
    joined = _drop_emphasis("".join(parts))
    joined = _LINE_NUMBERS.sub("", joined)
    joined = re.sub(r"(?<=\s)\(\s*\)", "", joined)
    joined = re.sub(r"\s+([,.;:!?)])(?=\s|$|[,.;:)])", r"\1", joined)
    return re.sub(r"\s+", " ", joined).strip()


def _clean_prose(text: str) -> str:
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    text = _ARROWS.sub(" → ", text)
    text = _PICTURES.sub("", text)
    return _FILE_LINE.sub(r"\1", text)


def _drop_emphasis(text: str) -> str:
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    text = _ITALIC.sub(r"\2", text)
    return text.replace("**", "").replace("~~", "")


def _lines(text: str) -> Iterator[Block]:
    """One block a line, paragraphs and items still in pieces; an empty paragraph marks a blank line."""
    fence = ""
    code: list[str] = []
    for line in text.splitlines():
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence) and not opened[2]:
                yield Block("code", "\n".join(code))
                fence, code = "", []
            else:
                code.append(line)
            continue
        if opened:
            fence = opened[1][:3]
            continue
        yield _line(line[:4000])
    if code:
        yield Block("code", "\n".join(code))


def _line(line: str) -> Block:
    if not line.strip() or _RULE.match(line):
        return Block("para", "")
    if heading := _HEADING.match(line):
        return Block("heading", clean_inline(heading[2]), len(heading[1]))
    if bold := _BOLD_LINE.match(line):
        tail = f" - {bold[3]}" if bold[3] else ""
        numbered_item = bold[3] and line.lstrip()[0].isdigit()
        if not numbered_item and not bold[2].rstrip().endswith((".", "!", ";")):
            return Block("heading", clean_inline(bold[2] + tail), 7)
    if line.count("|") >= 2 and line.strip().startswith("|"):
        if _TABLE_RULE.match(line):
            return Block("row", "", 1)
        cells = [clean_inline(cell) for cell in line.strip().strip("|").split("|")]
        return Block("row", " ".join(cells), 0, cells=tuple(cells))
    if item := _ITEM.match(line):
        return Block("item", _CHECKBOX.sub("", item[3]), len(item[1]), ordered=item[2] is not None)
    if picture := _PICTURE_ITEM.match(line):  # a tick or cross in the place of a bullet
        return Block("item", picture[2], len(picture[1]))
    if line.lstrip().startswith(">"):
        return Block("quote", line.lstrip(" >"))
    if _TERMINAL.match(line) or (line.startswith("    ") and _looks_pasted(line)):
        return Block("code", line.strip())
    return Block("para", line)


def _looks_pasted(line: str) -> bool:
    letters = sum(c.isalpha() or c.isspace() for c in line)
    return letters < 0.75 * len(line)


def _merge(lines: Iterator[Block]) -> Iterator[Block]:
    """Joins wrapped lines of a paragraph, a quote or an item."""
    held: Block | None = None
    for block in lines:
        if held is not None and block.text and block.kind in ("para", "quote"):
            same = block.kind == held.kind or (held.kind == "item" and block.kind == "para")
            same = same or (held.kind == "quote" and block.kind == "para")
            same = same and not (block.kind == "para" and _LABELLED_LINE.match(block.text))
            if same and held.kind in ("para", "item", "quote"):
                held = Block(held.kind, f"{held.text}\n{block.text.strip()}", held.level, held.ordered)
                continue
        if held is not None:
            yield _finish(held)
        held = block if block.text or block.kind == "row" else None
        if block.kind == "para" and not block.text:
            held = None
    if held is not None:
        yield _finish(held)


def _finish(block: Block) -> Block:
    if block.kind not in ("para", "item", "quote"):
        return block
    text, label = block.text, ""
    if block.kind != "quote" and (match := _LABEL.match(text)) and len(text) > match.end():
        label = clean_inline(match["bold"] or match["inner"] or match["path"]).rstrip(":：.").strip()
        text = text[match.end() :]
    return Block(block.kind, clean_inline(text), block.level, block.ordered, label=label)

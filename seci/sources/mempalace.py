"""MemPalace: the palace's Chroma database, or the markdown that `mempalace export` writes.

A drawer holds a piece of a file or one exchange (`> ` question, then the answer); the drawers of one source file, in
the order of their chunks, are a session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.databases import BrokenDatabase, Snapshot, database_side_files, holds_table, open_snapshot
from seci.sources.labelled_text import parse_quotations
from seci.sources.lines import read_head
from seci.sources.text import text_lines
from seci.sources.turns import TurnList, parse_time

_COLLECTION = "mempalace_drawers"
_DATABASE = "chroma.sqlite3"
_DRAWER = re.compile(r"## (?P<id>drawer_\S+)")
_FIELD = re.compile(r"\| (?P<key>Source|Filed|Added by) \| (?P<value>.*) \|")

Drawer = dict[str, str]  # id, text, source, filed, wing, chunk


class MemPalaceSource(BaseSource):
    name = "mempalace"

    def claim(self, bundle: Path) -> Claim:
        if bundle.is_dir():
            named = bundle.name == "palace" or (bundle / "knowledge_graph.sqlite3").is_file()
            palace = named and holds_table(bundle / _DATABASE, "embedding_metadata")
            return Claim.SPECIFIC if palace else Claim.NONE
        if bundle.suffix == ".md":
            head = read_head(bundle)
            return Claim.SPECIFIC if b"\n## drawer_" in head and b"| Field | Value |" in head else Claim.NONE
        palace = bundle.name == _DATABASE and holds_table(bundle, "embedding_metadata")
        return Claim.SPECIFIC if palace else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.suffix == ".md":
            yield from self._export(bundle)
            return
        database = bundle / _DATABASE if bundle.is_dir() else bundle
        try:
            with open_snapshot(database) as store:
                yield from build_sessions(_drawers(store), bundle)
        except BrokenDatabase as error:
            yield Failure(str(database), f"not a readable database: {error}")

    def side_files(self, bundle: Path) -> Iterator[Path]:
        return database_side_files(bundle)

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (Path(environ.get("MEMPALACE_PALACE_PATH") or home / ".mempalace" / "palace"),)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        (palace,) = self.places(home, environ)
        if (palace / _DATABASE).is_file():
            yield palace

    def _export(self, bundle: Path) -> Iterator[Session | Failure]:
        drawers: list[Drawer] = []
        lines: list[str] = []
        for line in text_lines(bundle):
            if isinstance(line, Failure):
                yield line
            elif match := _DRAWER.fullmatch(line):
                lines = []
                drawers.append({"id": match["id"], "wing": bundle.parent.name, "chunk": str(len(drawers))})
            elif drawers and (field := _FIELD.fullmatch(line)):
                drawers[-1][{"Source": "source", "Filed": "filed"}.get(field["key"], "by")] = field["value"]
            elif drawers and line.startswith(">"):
                lines.append(line[1:].removeprefix(" "))
                drawers[-1]["text"] = "\n".join(lines)
        yield from build_sessions(drawers, bundle)


def build_sessions(drawers: list[Drawer], bundle: Path) -> Iterator[Session]:
    """One session for each wing and source file, by name."""
    files: dict[str, list[Drawer]] = {}
    for drawer in drawers:
        source = drawer.get("source") or drawer.get("room") or drawer["id"]
        files.setdefault(f"{drawer.get('wing') or 'palace'}/{PureWindowsPath(source).stem}", []).append(drawer)
    for name, pieces in sorted(files.items()):
        turns = TurnList()
        for piece in sorted(pieces, key=_place):
            _say_drawer(turns, piece)
        if said := turns.freeze():
            wing = name.split("/", 1)[0]
            yield Session(MemPalaceSource.name, name, said, project=wing, title=name.split("/", 1)[1], path=str(bundle))


def _place(drawer: Drawer) -> tuple[int, str]:
    chunk = drawer.get("chunk", "")
    return int(chunk) if chunk.isdecimal() and len(chunk) < 10 else 0, drawer["id"]


def _say_drawer(turns: TurnList, drawer: Drawer) -> None:
    text = drawer.get("text", "")
    at = parse_time(drawer.get("authored") or drawer.get("filed"))
    said = parse_quotations(text.splitlines()) if text.startswith(">") else [(Role.USER, None, text)]
    for role, _, words in said:
        turns.say(role, words, at=at, message_id=drawer["id"])


def _drawers(store: Snapshot) -> list[Drawer]:
    """The drawers of the palace's collection; Chroma keeps a record's text and metadata as rows of keys."""
    query = (
        "SELECT e.embedding_id, m.key, coalesce(m.string_value, m.int_value) FROM embeddings e"
        " JOIN segments s ON s.id = e.segment_id JOIN collections c ON c.id = s.collection"
        " JOIN embedding_metadata m ON m.id = e.id WHERE c.name = ? ORDER BY e.embedding_id"
    )
    names = {
        "chroma:document": "text", "source_file": "source", "filed_at": "filed", "authored_at": "authored",
        "wing": "wing", "room": "room", "chunk_index": "chunk",
    }  # fmt: skip
    drawers: dict[str, Drawer] = {}
    for drawer, key, value in store.rows(query, (_COLLECTION,)):
        held = drawers.setdefault(str(drawer), {"id": str(drawer)})
        if key in names and value is not None:
            held[names[key]] = str(value)
    return list(drawers.values())

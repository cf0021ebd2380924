"""Streams JSON Lines files: one bounded line in memory at a time, a bad line never ends the file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, cast

import orjson

from seci.core.session import Failure

LINE_LIMIT = 32 * 1024 * 1024  # bytes; tools write single rows of a few MB (images), a larger one is damage
HEAD_SIZE = 64 * 1024  # bytes that a claim may look at

_DECODER = json.JSONDecoder()
_UTF8_BOM = b"\xef\xbb\xbf"


def json_rows(
    path: Path,
    *,
    wanted: Callable[[bytes], bool] | None = None,
    ignorable: Callable[[bytes], bool] = lambda head: False,
) -> Iterator[tuple[int, dict[str, Any]] | Failure]:
    """(line number from 1, object) for each object of a JSON Lines file, plain or `.zst`; bad lines as
    Failures.

    `wanted` sees the raw line and may refuse it before it is parsed. A line over LINE_LIMIT is a Failure and
    is never held whole, unless `ignorable` accepts its first HEAD_SIZE bytes: then it is passed over in
    silence. Two objects that a crash put on one line are both read. The last line may be half written: it is
    left out without a word.
    """
    named = str(path)
    replaced = 0
    loads = orjson.loads
    try:
        with open_stream(path) as stream:
            for number, line, complete in bounded_lines(stream):
                if complete is None:
                    if not ignorable(line):
                        yield Failure(f"{named}:{number}", f"line of more than {LINE_LIMIT >> 20} MB left out")
                    continue
                if wanted is not None and (line.isspace() or not wanted(line)):
                    continue
                try:
                    row = loads(line)
                except ValueError:  # a blank line; for the rest the standard library is the judge of it
                    text = line.decode("utf-8", "replace")
                    replaced = replaced or (number if "\ufffd" in text and not _is_utf8(line) else 0)
                    yield from _salvage(text, named, number, complete)
                else:
                    if isinstance(row, dict):
                        yield number, row
    except (OSError, EOFError) as error:
        yield Failure(named, render_os_error(error))
    except BrokenStream as error:
        yield Failure(named, str(error))
    if replaced:
        yield Failure(f"{named}:{replaced}", "bytes that are not UTF-8 were replaced")


class BrokenStream(Exception):
    """A compressed file that cannot be read to its end."""


def bounded_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes, bool | None]]:
    """(number, line, complete) with `complete` False for a last line without a newline and None for a line
    that is over LINE_LIMIT, of which only the first HEAD_SIZE bytes are given."""
    number = 0
    while line := stream.readline(LINE_LIMIT):
        number += 1
        if number == 1 and line.startswith(_UTF8_BOM):
            line = line[len(_UTF8_BOM) :]
        if line.endswith(b"\n"):
            yield number, line, True
        elif len(line) < LINE_LIMIT - len(_UTF8_BOM):
            yield number, line, False
        else:
            head = line[:HEAD_SIZE]
            del line
            while (chunk := stream.readline(1 << 20)) and not chunk.endswith(b"\n"):
                pass
            yield number, head, None


@contextmanager
def open_stream(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed where its name ends in `.zst`. Raises OSError."""
    with path.open("rb") as raw:
        if path.suffix != ".zst":
            yield raw
            return
        import zstandard

        try:
            with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
                raw, read_across_frames=True
            ) as plain:
                yield cast("IO[bytes]", io.BufferedReader(cast("io.RawIOBase", plain), 1 << 20))
        except zstandard.ZstdError as error:
            raise BrokenStream(f"not a readable zstd file ({error})") from error


def read_head(path: Path) -> bytes:
    """The first HEAD_SIZE bytes, decompressed, without a byte order mark; empty when the file cannot be read."""
    try:
        stat = path.stat()
    except OSError:
        return b""
    return _read_head(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def _read_head(path: Path, changed: int, size: int) -> bytes:
    """Every source asks for the head of the same file in turn: read it once, as long as the file is the same."""
    try:
        with open_stream(path) as stream:
            head = stream.read(HEAD_SIZE)
    except (OSError, EOFError, BrokenStream):
        return b""
    return head.removeprefix(_UTF8_BOM)


def head_rows(path: Path, limit: int = 20) -> list[dict[str, Any]]:
    """The first objects of a JSON Lines file, as far as they lie in its first HEAD_SIZE bytes; never
    raises."""
    rows: list[dict[str, Any]] = []
    for line in read_head(path).split(b"\n"):
        if len(rows) >= limit:
            break
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def render_os_error(error: BaseException) -> str:
    """The reason in an OSError without its number and path."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error) or type(error).__name__


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _salvage(line: str, named: str, number: int, complete: bool) -> Iterator[tuple[int, dict[str, Any]] | Failure]:
    position, end = 0, len(line)
    while True:
        while position < end and line[position].isspace():
            position += 1
        if position >= end:
            return
        try:
            row, position = _DECODER.raw_decode(line, position)
        except RecursionError:
            yield Failure(f"{named}:{number}", "nested too deeply")
            return
        except ValueError as error:
            if complete:
                yield Failure(f"{named}:{number}", f"not JSON: {render_json_error(error)}")
            return
        if isinstance(row, dict):
            yield number, row


def render_json_error(error: ValueError) -> str:
    """What the JSON parser disliked, in a few words."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[0].lower()}{error.msg[1:]}".removesuffix(" at") + f" at column {error.colno}"
    return str(error)

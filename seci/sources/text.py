"""Reads text files line by line, whatever their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seci.core.session import Failure
from seci.sources.lines import LINE_LIMIT, BrokenStream, bounded_lines, open_stream, render_os_error

TEXT_FILE_LIMIT = 64 * 1024 * 1024  # bytes of a text file that are read
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def text_lines(path: Path) -> Iterator[str | Failure]:
    """The lines without their ends. Bytes that are not UTF-8 are replaced and reported once, at the end; a
    binary or UTF-16 file and one that cannot be read give a Failure only, an overlong line a Failure in its
    place."""
    named = str(path)
    replaced = size = 0
    try:
        with open_stream(path) as stream:
            for number, line, complete in bounded_lines(stream):
                if complete is None:
                    yield Failure(f"{named}:{number}", f"line of more than {LINE_LIMIT >> 20} MB left out")
                    continue
                if number == 1 and line.startswith(_UTF16_MARKS):
                    yield Failure(named, "is UTF-16 text: save it as UTF-8")
                    return
                if b"\0" in line:
                    yield Failure(f"{named}:{number}", "is binary")
                    return
                size += len(line)
                if size > TEXT_FILE_LIMIT:
                    yield Failure(f"{named}:{number}", f"only the first {TEXT_FILE_LIMIT >> 20} MB were read")
                    break
                try:
                    text = line.decode()
                except UnicodeDecodeError:
                    replaced = replaced or number
                    text = line.decode("utf-8", "replace")
                yield text.rstrip("\r\n")
    except (OSError, EOFError, BrokenStream) as error:
        yield Failure(named, render_os_error(error))
    if replaced:
        yield Failure(f"{named}:{replaced}", "bytes that are not UTF-8 were replaced")

"""Reads JSON documents: a whole one of bounded size, or a large array item by item."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from seci.core.session import Failure
from seci.sources.lines import BrokenStream, open_stream, render_json_error, render_os_error

DOCUMENT_LIMIT = 64 * 1024 * 1024  # bytes of a document that is parsed whole
ITEM_LIMIT = 24 * 1024 * 1024  # characters of one item of an array; four bytes each where one is an emoji
_CHUNK = 1 << 20

_DECODER = json.JSONDecoder()


class UnreadableDocument(Exception):
    """A document that cannot be parsed; the message says why."""


def read_document(path: Path) -> Any:
    """The parsed document. Raises UnreadableDocument when it is too large, not UTF-8, not JSON or not
    readable."""
    try:
        with open_stream(path) as stream:
            data = stream.read(DOCUMENT_LIMIT + 1)
    except (OSError, EOFError, BrokenStream) as error:
        raise UnreadableDocument(render_os_error(error)) from error
    return parse_document(data)


def parse_document(data: bytes) -> Any:
    """As `read_document`, from bytes."""
    if len(data) > DOCUMENT_LIMIT:
        raise UnreadableDocument(f"document of more than {DOCUMENT_LIMIT >> 20} MB")
    if not data.strip():
        raise UnreadableDocument("is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableDocument("is UTF-16 text: save it as UTF-8")
    try:
        return orjson.loads(data)
    except ValueError:
        return _parse_slowly(data)


def _parse_slowly(data: bytes) -> Any:
    """With the standard library, which takes more (a byte order mark, lone surrogates, NaN) and says what is wrong."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"is not UTF-8 (byte {error.start})") from error
    except RecursionError as error:
        raise UnreadableDocument("nested too deeply") from error
    except ValueError as error:
        raise UnreadableDocument(f"not JSON: {render_json_error(error)}") from error


def parse_value(value: object) -> Any:
    """The parsed JSON of a string that a store keeps in a field; None when it is none."""
    if not isinstance(value, (str, bytes)):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def array_items(path: Path) -> Iterator[Any | Failure]:
    """The items of a file that is one JSON array, one at a time in memory.

    After damage the items before it have been given and a Failure ends the iteration.
    """
    try:
        with open_stream(path) as stream:
            yield from stream_items(stream, str(path))
    except (OSError, EOFError, BrokenStream) as error:
        yield Failure(str(path), render_os_error(error))


def stream_items(stream: IO[bytes], named: str) -> Iterator[Any | Failure]:
    """As `array_items`, from an open stream. Every item is yielded once; a Failure is always the last."""
    text = _Window(stream)
    try:
        if text.peek() != "[":
            yield Failure(named, "is not a JSON array")
            return
        text.skip(1)
        number = 0
        while (char := text.peek()) != "]":
            if not char:
                yield Failure(named, f"ends after item {number}: the array is not closed")
                return
            if char == ",":
                text.skip(1)
                continue
            number += 1
            yield text.item()
    except UnicodeDecodeError:
        yield Failure(named, "is not UTF-8")
    except UnreadableDocument as error:
        yield Failure(f"{named}: item {number}", str(error))


class _Window:
    """A sliding piece of the text, grown by doubling until an item fits, so that parsing stays linear."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._position = 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is not blank, empty at the end."""
        while True:
            while self._position < len(self._text):
                if not self._text[self._position].isspace():
                    return self._text[self._position]
                self._position += 1
            if self._ended:
                return ""
            self._grow(_CHUNK)

    def skip(self, count: int) -> None:
        self._position += count

    def item(self) -> Any:
        """The value that begins here. Raises UnreadableDocument."""
        while True:
            try:
                value, self._position = _DECODER.raw_decode(self._text, self._position)
            except RecursionError:
                raise UnreadableDocument("nested too deeply") from None
            except ValueError as error:
                if self._ended:
                    raise UnreadableDocument(f"not JSON, or cut off: {render_json_error(error)}") from error
            else:
                # A number or word at the window's end may go on in the next piece.
                if self._position < len(self._text) or self._ended or isinstance(value, (dict, list, str)):
                    return value
            held = len(self._text) - self._position
            if held > ITEM_LIMIT:
                raise UnreadableDocument(f"item of more than {ITEM_LIMIT >> 20} million characters")
            self._grow(max(_CHUNK, held))

    def _grow(self, size: int) -> None:
        data = self._stream.read(size)
        self._ended = not data
        self._text = self._text[self._position :] + self._decoder.decode(data, final=self._ended)
        self._position = 0

"""How a client and the resident process speak: one request, one answer, over a Unix socket.

A message is a series of netstrings (`<length>:<bytes>,`), so that neither side imports a parser. A request holds the
version, the directory, the terminal's width ("" where there is no terminal), standard input, the number of variables,
each as NAME=value, and then the arguments; an answer holds the exit code, standard output and standard error.
"""

import os
from _collections_abc import Callable, Iterable

VERSION = "1"
POINTER = "resident"  # in .seci: the socket's path, one line
FORWARDED = ("SECI_", "COLUMNS", "NO_COLOR", "COPILOT_CLI", "GEMINI_SESSION_ID", "CLAUDECODE", "HOME", "XDG_")
LIMIT = 64 * 1024 * 1024  # bytes of one message; more is not a conversation


class WireError(Exception):
    """The other side is not there, or does not speak this protocol."""


def encode(fields: Iterable[bytes]) -> bytes:
    """The fields as netstrings."""
    return b"".join(b"%d:%b," % (len(field), field) for field in fields)


def decode(message: bytes) -> list[bytes]:
    """The fields again. Raises WireError for anything that is not a series of netstrings."""
    fields = []
    at = 0
    while at < len(message):
        colon = message.find(b":", at, at + 12)
        if colon < 0 or not message[at:colon].isdigit():
            raise WireError("not a netstring")
        end = colon + 1 + int(message[at:colon])
        if message[end : end + 1] != b",":
            raise WireError("a netstring is cut off")
        fields.append(message[colon + 1 : end])
        at = end + 1
    return fields


def encode_request(cwd: str, width: str, stdin: bytes, variables: dict[str, str], arguments: list[str]) -> bytes:
    """A request as bytes; text that is not valid UTF-8 (a directory's name) survives."""
    pairs = [f"{name}={value}" for name, value in variables.items()]
    texts = [VERSION, cwd, width]
    fields = [os.fsencode(text) for text in texts]
    fields += [stdin, b"%d" % len(pairs)]
    return encode([*fields, *map(os.fsencode, pairs), *map(os.fsencode, arguments)])


def decode_request(message: bytes) -> tuple[str, str, bytes, dict[str, str], list[str]]:
    """(directory, width, standard input, variables, arguments). Raises WireError for another version or shape."""
    fields = decode(message)
    if len(fields) < 5 or os.fsdecode(fields[0]) != VERSION:
        raise WireError("another version of seci asks")
    if not fields[4].isdigit() or len(fields) < 5 + int(fields[4]):
        raise WireError("variables are missing")
    count = int(fields[4])
    pairs = [os.fsdecode(field).partition("=") for field in fields[5 : 5 + count]]
    variables = {name: value for name, _, value in pairs}
    arguments = [os.fsdecode(field) for field in fields[5 + count :]]
    return os.fsdecode(fields[1]), os.fsdecode(fields[2]), fields[3], variables, arguments


def forwarded(environ: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The variables that a command's answer may depend on; nothing else leaves the caller's process."""
    return {name: value for name, value in environ if name.startswith(FORWARDED)}


def read_message(receive: Callable[[int], bytes]) -> bytes:
    """Everything the other side sends before it closes its sending half. Raises WireError past the limit."""
    parts = []
    size = 0
    while part := receive(65536):
        parts.append(part)
        size += len(part)
        if size > LIMIT:
            raise WireError("the message is too long")
    return b"".join(parts)


def socket_of(vault: str) -> str | None:
    """Where the vault's resident process listens, None where none has said so."""
    try:
        with open(os.path.join(vault, ".seci", POINTER), encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().rstrip("\n") or None
    except OSError:
        return None


def ask(vault: str, request: bytes, timeout: float) -> tuple[int, bytes, bytes] | None:
    """(exit code, standard output, standard error) from the vault's resident process, None where none answers.

    A resident that takes longer than `timeout` seconds counts as not answering.
    """
    place = socket_of(vault)
    if place is None:
        return None
    # `socket` imports selectors, array and math besides, which costs as much as asking; its C part has all it takes.
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(timeout)
    try:
        connection.connect(place)
        connection.sendall(request)
        connection.shutdown(_socket.SHUT_WR)
        fields = decode(read_message(connection.recv))
        if len(fields) != 3:
            return None
        return int(fields[0]), fields[1], fields[2]
    except (OSError, WireError, ValueError):
        return None
    finally:
        connection.close()
